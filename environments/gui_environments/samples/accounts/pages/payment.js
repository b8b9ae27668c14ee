// The payment provider's frame: keeps the bank account from the shop, which gets a token for it when it asks.
'use strict';

const form = document.querySelector('#payment');
const problem = document.querySelector('#problem');
const { holder, iban, mandate } = form.elements;

// Groups of four, and the caret stays behind the character it was behind.
iban.addEventListener('input', () => {
  const before = iban.value.slice(0, iban.selectionStart).replace(/[^a-z0-9]/gi, '').length;
  const plain = iban.value.replace(/[^a-z0-9]/gi, '').toUpperCase();
  iban.value = plain.replace(/(.{4})(?=.)/g, '$1 ');
  const caret = before + Math.floor(Math.max(before - 1, 0) / 4);
  iban.setSelectionRange(caret, caret);
});

form.addEventListener('submit', (event) => event.preventDefault());

// The token is fetched as soon as there is an account, and given up when the account changes.
let lastAsked = 0;

async function fetchToken() {
  const asked = ++lastAsked;
  const account = { holder: holder.value, iban: iban.value.replaceAll(' ', ''), mandate: mandate.checked };
  const response = await fetch('/payment/tokens', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  });
  const answer = await response.json();
  return asked === lastAsked ? answer : null;
}

const tell = (answer) => parent.postMessage(answer, '*');

form.addEventListener('input', () => {
  lastAsked += 1;
  tell({ token: null });
});

form.addEventListener('change', async () => {
  if (!holder.value || !iban.value) return;
  const answer = await fetchToken();
  if (answer?.token) tell(answer);
});

addEventListener('message', async (event) => {
  if (event.source !== parent || event.data !== 'token, please') return;
  const answer = await fetchToken();
  if (!answer) return;
  problem.textContent = answer.problem ?? '';
  tell(answer);
});
