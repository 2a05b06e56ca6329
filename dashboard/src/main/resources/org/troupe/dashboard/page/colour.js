// Colours. A class has the same one in every view; red is left for trouble.

/*
 * The colours are told apart by the common kinds of colour blindness: those of Okabe and Ito [1] and of Tol's muted scheme [2]
 * without their reds, in an order in which neighbours differ in lightness, too.
 *
 * [1] M. Okabe and K. Ito, Color universal design, 2008. [2] P. Tol, Colour schemes, SRON/EPS/TN/09-002, 2021.
 */
const LIGHT = ['#0072b2', '#e69f00', '#009e73', '#aa4499', '#56b4e9', '#999933', '#332288', '#b8860b', '#44aa99', '#8c6bb1', '#117733', '#7f8c9b'];
const DARK = ['#4ba3e3', '#f0b93a', '#2fc195', '#d07bc4', '#8fd0f5', '#c2c25a', '#8f86e8', '#d4a94a', '#66ccbb', '#b99be0', '#52b56e', '#a3b0c0'];

const slots = new Map(); // of a class
const taken = new Uint16Array(LIGHT.length);
const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** Whether the page is dark. */
export const isDark = () => dark.matches;

/** Calls a function when the page turns dark or light; returns a function that ends that. */
export function onScheme(listener) {
  dark.addEventListener('change', listener);
  return () => dark.removeEventListener('change', listener);
}

/** Returns the colour of a class. */
export function colourOf(type) {
  let slot = slots.get(type);
  if (slot === undefined) {
    slot = freeSlot(hash(type));
    taken[slot]++;
    slots.set(type, slot);
  }
  return (isDark() ? DARK : LIGHT)[slot];
}

// A name alone decides as long as no other class has its colour.
function freeSlot(wanted) {
  const first = wanted % LIGHT.length;
  let best = first;
  for (let step = 0; step < LIGHT.length; step++) {
    const slot = (first + step) % LIGHT.length;
    if (taken[slot] < taken[best]) best = slot;
  }
  return best;
}

function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return (value ^ value >>> 15) >>> 0;
}

/** Black or white, whichever is read more easily on the colour of a class. */
export function textOn(colour) {
  if (isDark()) return '#0c1015';
  const [r, g, b] = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#10151c' : '#ffffff';
}

/** A colour between that of the panel and the accent, for a part of the largest value. */
export function heat(part) {
  const strength = Math.max(0, Math.min(1, part));
  const [from, to] = isDark() ? [[30, 37, 48], [122, 162, 255]] : [[236, 240, 247], [30, 64, 175]];
  return `rgb(${from.map((value, i) => Math.round(value + strength * (to[i] - value))).join(' ')})`;
}
