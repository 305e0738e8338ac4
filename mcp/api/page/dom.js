// Elements. What a server says goes in as text only, never as markup.

// h makes an element: properties that begin with "on" are listeners, the others attributes.
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== undefined && child !== null && child !== false && child !== "") element.append(child);
  }
  return element;
}

// fill puts children in the place of what an element holds. The focus stays on what has the same data-key.
export function fill(element, ...children) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  element.replaceChildren(...children.flat().filter(Boolean));
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
