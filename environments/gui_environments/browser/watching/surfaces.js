// Notices what a page asks of the browser or the system that nobody can answer here, and tells it by name. What could
// show something native is denied here too; the rest is denied by the browser itself.
(() => {
  'use strict';
  const name = 'guiEnvironmentsSurface';
  const tell = globalThis[name];
  if (typeof tell !== 'function') return;
  delete globalThis[name];
  const report = (kind, detail) => { tell(kind, detail || '').catch(() => {}); };

  const wrap = (owner, member, handler) => {
    const original = owner && owner[member];
    if (typeof original !== 'function') return;
    // A proxy looks like the function it stands for, down to its source text.
    const stand = new Proxy(original, {
      apply: (target, self, given) => handler(() => Reflect.apply(target, self, given), given),
    });
    const { configurable, enumerable, writable } = Object.getOwnPropertyDescriptor(owner, member)
      || { configurable: true, enumerable: true, writable: true };
    if (configurable) Object.defineProperty(owner, member, { configurable, enumerable, writable, value: stand });
  };
  const noticed = (kind) => (proceed) => { report(kind); return proceed(); };

  wrap(globalThis, 'open', (proceed, [, , features]) => {
    const opened = proceed();
    // To whoever asks for no tie to it, a window that did open is null too.
    if (opened === null && !/noopener|noreferrer/i.test(String(features))) report('window');
    return opened;
  });
  wrap(globalThis, 'print', () => { report('print'); });
  for (const member of ['get', 'create']) {
    wrap(globalThis.CredentialsContainer && CredentialsContainer.prototype, member, (proceed, [options]) => {
      if (!options || !['publicKey', 'identity', 'digital', 'otp'].some((kind) => kind in options)) return proceed();
      report('passkey');
      return Promise.reject(new DOMException('The operation is not allowed.', 'NotAllowedError'));
    });
  }
  wrap(globalThis.PaymentRequest && PaymentRequest.prototype, 'show', () => {
    report('payment');
    return Promise.reject(new DOMException('The operation was aborted.', 'AbortError'));
  });
  for (const member of ['showOpenFilePicker', 'showSaveFilePicker', 'showDirectoryPicker']) {
    wrap(globalThis, member, noticed('files'));
  }
  for (const member of ['getCurrentPosition', 'watchPosition']) {
    wrap(globalThis.Geolocation && Geolocation.prototype, member, noticed('location'));
  }
  wrap(globalThis.MediaDevices && MediaDevices.prototype, 'getUserMedia', noticed('media'));
  for (const member of ['read', 'readText']) {
    wrap(globalThis.Clipboard && Clipboard.prototype, member, noticed('clipboard'));
  }
  // Files that are dropped from outside the page come from anywhere on this machine: whoever drags them has not been
  // asked. What begins in the page itself, as an image of it does, may be dropped in it.
  let ownDrag = false;
  const listenFirst = (kind, listener) => addEventListener(kind, (event) => {
    if (event.isTrusted) listener(event);
  }, true);
  // As they are now: the page may put others in their place.
  const { apply } = Reflect;
  const { preventDefault, stopImmediatePropagation } = Event.prototype;
  const cargoOf = Object.getOwnPropertyDescriptor(DragEvent.prototype, 'dataTransfer').get;
  const kindsOf = Object.getOwnPropertyDescriptor(DataTransfer.prototype, 'types').get;
  listenFirst('dragstart', () => { ownDrag = true; });
  listenFirst('dragend', () => { ownDrag = false; });
  listenFirst('mousemove', () => { ownDrag = false; });
  listenFirst('drop', (event) => {
    const cargo = apply(cargoOf, event, []);
    const kinds = cargo ? apply(kindsOf, cargo, []) : [];
    let files = false;
    for (let at = 0; at < kinds.length; at += 1) files = files || kinds[at] === 'Files';
    if (ownDrag || !files) return;
    apply(preventDefault, event, []);
    apply(stopImmediatePropagation, event, []);
    report('dropped');
  });
  // The same of files that were copied in another program. A picture on the clipboard is no file of this machine.
  const clipboardOf = Object.getOwnPropertyDescriptor(ClipboardEvent.prototype, 'clipboardData').get;
  const itemsOf = Object.getOwnPropertyDescriptor(DataTransfer.prototype, 'items').get;
  const { webkitGetAsEntry } = DataTransferItem.prototype;
  listenFirst('paste', (event) => {
    const cargo = apply(clipboardOf, event, []);
    const items = cargo ? apply(itemsOf, cargo, []) : [];
    let files = false;
    for (let at = 0; at < items.length; at += 1) files = files || apply(webkitGetAsEntry, items[at], []) !== null;
    if (!files) return;
    apply(preventDefault, event, []);
    apply(stopImmediatePropagation, event, []);
    report('pasted');
  });
  if (globalThis.navigation && navigation.addEventListener) {
    const web = ['http:', 'https:', 'about:', 'data:', 'blob:', 'javascript:', 'file:', 'chrome-error:'];
    navigation.addEventListener('navigate', (event) => {
      const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(event.destination.url);
      if (!scheme || web.includes(scheme[0].toLowerCase()) || !event.cancelable) return;
      event.preventDefault();
      report('program', scheme[0]);
    });
  }
})();
