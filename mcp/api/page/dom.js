// Elements. What a server says goes in as text only, never as markup.

// plain spells out what would not be seen, or would turn the direction of reading: a person decides by what stands there.
export const plain = (text) => text.replace(
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
  (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

// h makes an element: properties that begin with "on" are listeners, the others attributes.
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== undefined && child !== null && child !== false && child !== "") element.append(typeof child === "string" ? plain(child) : child);
  }
  return element;
}

// fill puts children in the place of what an element holds. The focus stays on what has the same data-key.
export function fill(element, ...children) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  element.replaceChildren(...children.flat().filter(Boolean).map((child) => (typeof child === "string" ? plain(child) : child)));
  if (key) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

let ids = 0;
export const newID = () => `x${++ids}`;

// say has a screen reader say something, when it comes to it.
export function say(text) {
  document.getElementById("announce").textContent = text;
}

// alarm has it said at once.
export function alarm(text) {
  document.getElementById("alarm").textContent = text;
}

export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

// nameOf is a server's; an entry of the settings whose id cannot be has none.
export const nameOf = (server) => server.name || "An entry without an id";
