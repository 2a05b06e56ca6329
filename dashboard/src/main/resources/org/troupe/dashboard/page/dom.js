// Makes elements. Every text of a run enters the page here, as text and never as markup: in elements, attributes and canvases.

// Colours of a terminal say nothing here; marks of direction could make a text look like another one, even beyond its own end.
const COLOURS = /\u001b\[[0-9;:]*m/g, DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const NAME_PARTS = /(?<=[.,:/])(?=[^\s])|(?=[(])|(?<=[\p{Ll}\d])(?=\p{Lu})/u;
const TEXTS = new Set(['title', 'aria-label', 'aria-valuetext', 'placeholder']); // the attributes that people read

/** Returns a child as it is shown: a text without colours, and with a sign for each mark of direction. */
export function shown(child) {
  return typeof child === 'string' ? child.replace(COLOURS, '').replace(DIRECTIONS, '\ufffd') : child;
}

const shownOf = children => children.flat().filter(child => child !== null && child !== undefined && child !== false).map(shown);

/** Makes an element of HTML; attributes whose value is false, null or undefined are left out. */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Makes an element of SVG. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else if (key === 'style') styled(element, value);
    else setAttribute(element, key, value === true ? '' : value);
  }
  element.append(...shownOf(children));
  return element;
}

/** Sets an attribute; one that people read has its text as it is shown. */
export function setAttribute(element, name, value) {
  element.setAttribute(name, TEXTS.has(name) ? shown(value) : value);
}

/** Sets properties one by one: the content policy refuses a style attribute as text. */
export function styled(element, properties) {
  for (const [key, value] of Object.entries(properties)) element.style.setProperty(key, value);
  return element;
}

/** Sets the text of an element if it differs, which leaves selections and screen readers alone. */
export function setText(element, text) {
  const wanted = shown(text);
  if (element.textContent !== wanted) element.textContent = wanted;
}

/** Sets the text of an element, which breaks between the words of names, such as before a capital, if it differs. */
export function setName(element, name) {
  const wanted = shown(name);
  if (element.textContent !== wanted) element.replaceChildren(...wanted.split(NAME_PARTS).flatMap((part, i) => i ? [document.createElement('wbr'), part] : [part]));
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...shownOf(children));
  return element;
}

/** Makes a button. */
export function button(text, onclick, attributes = {}) {
  return el('button', { type: 'button', onclick, ...attributes }, text);
}

/** Makes a titled section with a sentence on what it shows. */
export function panel(title, about, ...children) {
  const heading = el('h3', {}, title);
  return el('section', { class: 'panel', 'aria-label': title },
    el('header', {}, heading, about ? el('p', { class: 'about' }, about) : null), ...children);
}

/** Makes the notice of an empty view: what is missing, and what would fill it. */
export function notice(what, why = '') {
  return el('div', { class: 'empty' }, el('strong', {}, what), why ? el('p', {}, why) : null);
}

/** Offers texts or bytes as a file. */
export function download(name, type, ...contents) {
  const url = URL.createObjectURL(new Blob(contents, { type }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Makes the pixels of a canvas those of the screen; returns its pen, scaled to CSS pixels. */
export function pen(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    styled(canvas, { width: width + 'px', height: height + 'px' });
  }
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Writes a text on a canvas, within a width if one is given. */
export function write(context, text, x, y, ...width) {
  context.fillText(shown(text), x, y, ...width);
}

/** Returns the value of a colour of the style sheet, such as '--text'. */
export function ink(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
