// What a script's value looks like as text, made in the page's own world. Reads the value; changes nothing.
function (limit) {
  const MOST = 20000; // parts of a value that are looked at
  let parts = 0;
  const seen = new Set();
  const node = (value) => {
    if (value.nodeType !== 1) return `${value.nodeName}${value.nodeType === 3 ? ` ${JSON.stringify(value.data.slice(0, 200))}` : ''}`;
    const names = ['id', 'name', 'class', 'type', 'href', 'role'];
    const attributes = names.filter((name) => value.hasAttribute(name))
      .map((name) => ` ${name}="${value.getAttribute(name).slice(0, 100)}"`).join('');
    const text = (value.textContent || '').trim().replace(/\s+/g, ' ').slice(0, 200);
    return `<${value.localName}${attributes}>${text}`;
  };
  const plain = (value, depth) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function') return `function ${value.name || '(anonymous)'}`;
    if (typeof value === 'symbol') return String(value);
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (typeof value === 'string') return value.length > limit ? value.slice(0, limit) : value;
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Node) return node(value);
    if (value === window) return 'window';
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (value instanceof Date || value instanceof RegExp || value instanceof URL) return String(value);
    if (seen.has(value)) return '(circular)';
    if (depth > 8 || parts > MOST) return '(more)';
    seen.add(value);
    try {
      const list = (items) => {
        const out = [];
        for (const item of items) {
          if (++parts > MOST) { out.push('(more)'); break; }
          out.push(plain(item, depth + 1));
        }
        return out;
      };
      const isList = Array.isArray(value) || ArrayBuffer.isView(value) || value instanceof NodeList
        || value instanceof HTMLCollection || value instanceof Set;
      if (isList && typeof value[Symbol.iterator] === 'function') return list(value);
      const entries = value instanceof Map ? value.entries() : null;
      const out = {};
      const put = (key, read) => {
        let shown;
        try { shown = plain(read(), depth + 1); } catch (error) { shown = `(threw ${error})`; }
        if (shown !== undefined) out[key] = shown;
      };
      if (entries) {
        for (const [key, item] of entries) {
          if (++parts > MOST) { out['(more)'] = ''; break; }
          put(String(key), () => item);
        }
        return out;
      }
      if (typeof value.toJSON === 'function') return plain(value.toJSON(), depth + 1);
      for (const key of Object.keys(value)) {
        if (++parts > MOST) { out['(more)'] = ''; break; }
        put(key, () => value[key]);
      }
      return out;
    } finally {
      seen.delete(value);
    }
  };
  const shown = plain(this, 0);
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  return [text.slice(0, limit), text.length];
}
