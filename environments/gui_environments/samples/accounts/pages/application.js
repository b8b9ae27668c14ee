// The form as its users meet it: a masked field, a list to choose from, a field drawn by a small component as frameworks
// draw them, a text edited in place, payment details in a frame of another site, and questions by dialogs.
'use strict';

const form = document.querySelector('#application');
const problem = document.querySelector('#problem');

// A tax number is shown as 12/345/67890 and made of keys only: nothing else puts a digit in.
const MASK = '__/___/_____';
const PLACES = [...MASK].flatMap((character, at) => (character === '_' ? [at] : []));
const taxNumber = document.querySelector('#tax-number');
let digits = '';

function showTaxNumber() {
  const shown = [...MASK];
  [...digits].forEach((digit, at) => (shown[PLACES[at]] = digit));
  taxNumber.value = digits ? shown.join('') : '';
  const caret = PLACES[digits.length] ?? MASK.length;
  if (document.activeElement === taxNumber && digits) taxNumber.setSelectionRange(caret, caret);
}

taxNumber.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const all = taxNumber.value !== '' && taxNumber.selectionEnd - taxNumber.selectionStart === MASK.length;
  if (/^[0-9]$/.test(event.key)) digits = ((all ? '' : digits) + event.key).slice(0, PLACES.length);
  else if (event.key === 'Backspace' || event.key === 'Delete') digits = all ? '' : digits.slice(0, -1);
  else if (event.key.length !== 1) return;
  event.preventDefault();
  showTaxNumber();
});
taxNumber.addEventListener('input', showTaxNumber);

document.querySelector('#check-tax-number').addEventListener('click', () => {
  const missing = PLACES.length - digits.length;
  if (missing) alert(`The tax number is not complete: ${missing} of ${PLACES.length} digits are missing.`);
  else alert(`Tax number ${taxNumber.value} is well formed.`);
});

// A country is chosen from the list that opens below the field, or written in full.
const COUNTRIES = { AT: 'Austria', CH: 'Switzerland', DE: 'Germany', FR: 'France', GB: 'United Kingdom', IE: 'Ireland' };
const country = document.querySelector('#country');
const countries = document.querySelector('#countries');
let countryCode = '';
let marked = -1;

function showCountries() {
  const typed = country.value.trim().toLowerCase();
  const found = Object.entries(COUNTRIES).filter(([, name]) => name.toLowerCase().includes(typed));
  countries.replaceChildren(
    ...found.map(([code, name], at) => {
      const item = document.createElement('li');
      item.role = 'option';
      item.textContent = name;
      item.dataset.code = code;
      item.ariaSelected = String(at === marked);
      return item;
    }),
  );
  countries.hidden = found.length === 0;
  country.ariaExpanded = String(found.length > 0);
}

function hideCountries() {
  countries.hidden = true;
  country.ariaExpanded = 'false';
  marked = -1;
}

function chooseCountry(code) {
  countryCode = code;
  country.value = COUNTRIES[code] ?? '';
  hideCountries();
}

country.addEventListener('focus', showCountries);
country.addEventListener('input', () => {
  marked = -1;
  countryCode = '';
  showCountries();
});
country.addEventListener('keydown', (event) => {
  const count = countries.children.length;
  if (event.key === 'ArrowDown') marked = Math.min(marked + 1, count - 1);
  else if (event.key === 'ArrowUp') marked = Math.max(marked - 1, 0);
  else if (event.key === 'Enter' && marked >= 0) return event.preventDefault(), chooseCountry(countries.children[marked].dataset.code);
  else if (event.key === 'Escape') return hideCountries();
  else return;
  event.preventDefault();
  showCountries();
});
// Before the field loses the focus to the list.
countries.addEventListener('mousedown', (event) => {
  event.preventDefault();
  const item = event.target.closest('[role="option"]');
  if (item) chooseCountry(item.dataset.code);
});
country.addEventListener('blur', () => {
  const written = country.value.trim().toLowerCase();
  const [code] = Object.entries(COUNTRIES).find(([, name]) => name.toLowerCase() === written) ?? [''];
  chooseCountry(code);
});

// The contact's name stands in a component's state, and what the field shows is drawn from it. The component hears of a
// value only by an event, and only when it differs from the one it saw last, as frameworks have it.
class ControlledField {
  constructor(place, caption) {
    const label = document.createElement('label');
    label.append(caption);
    this.input = label.appendChild(document.createElement('input'));
    this.input.required = true;
    this.state = '';
    this.seen = '';
    this.watchAssignments();
    this.input.addEventListener('input', () => this.hear());
    place.append(label);
  }

  // A script that assigns to `value` is seen doing it, so that the event it sends then brings nothing new.
  watchAssignments() {
    const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    const field = this;
    Object.defineProperty(this.input, 'value', {
      configurable: true,
      get() {
        return native.get.call(this);
      },
      set(value) {
        field.seen = String(value);
        native.set.call(this, value);
      },
    });
  }

  hear() {
    const { value } = this.input;
    if (value === this.seen) return this.draw();
    this.seen = value;
    this.state = value.trimStart().replace(/\s+/g, ' ');
    return this.draw();
  }

  draw() {
    if (this.input.value !== this.state) this.input.value = this.state;
  }
}

const contactName = new ControlledField(document.querySelector('#contact-name'), 'Contact person ');

const driverNote = document.querySelector('#driver-note');

form.elements.credit.addEventListener('input', () => {
  document.querySelector('#credit-shown').textContent = form.elements.credit.value;
});

document.querySelector('#choose-licence').addEventListener('click', () => form.elements.licence.click());
form.elements.licence.addEventListener('change', () => {
  const [file] = form.elements.licence.files;
  document.querySelector('#licence-chosen').textContent = file ? `${file.name} (${file.size} bytes)` : 'No file yet';
});

document.querySelector('#start-again').addEventListener('click', () => {
  if (!confirm('Throw away everything you have entered?')) return;
  form.reset();
  digits = '';
  showTaxNumber();
  chooseCountry('');
  contactName.state = '';
  contactName.draw();
  driverNote.textContent = '';
});

// The bank account goes from the frame to the payment provider; the shop gets a token for it.
const frame = document.querySelector('#payment');
const paymentOrigin = new URL(frame.src).origin;
let paymentToken = null;
let sending = false;

addEventListener('message', ({ origin, source, data }) => {
  if (origin !== paymentOrigin || source !== frame.contentWindow) return;
  paymentToken = data.token ?? null;
  if (data.problem) problem.textContent = `Payment details: ${data.problem}`;
  else if (sending && paymentToken) form.requestSubmit();
  if (data.problem || paymentToken) sending = false;
});

form.addEventListener('submit', (event) => {
  problem.textContent = '';
  if (paymentToken) return;
  event.preventDefault();
  sending = true;
  frame.contentWindow.postMessage('token, please', paymentOrigin);
});

form.addEventListener('formdata', ({ formData }) => {
  formData.set('country', countryCode);
  formData.set('contact', contactName.state);
  formData.set('driver_note', driverNote.innerText.trim());
  formData.set('payment_token', paymentToken);
});
