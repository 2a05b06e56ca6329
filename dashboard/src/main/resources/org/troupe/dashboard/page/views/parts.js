// Small parts that several views show in the same way.

import { colourOf } from '../colour.js';
import { el, setText, styled } from '../dom.js';
import { shortMethod, shortType } from '../format.js';

/** A class with its colour. */
export function typeTag(type) {
  return el('span', { class: 'type', title: type }, styled(el('span', { class: 'swatch', 'aria-hidden': 'true' }), { background: colourOf(type) }), shortType(type));
}

/** Fills a cell with a class, unless it shows it already. */
export function paintType(cell, type) {
  if (cell.dataset.type === type) return;
  cell.dataset.type = type;
  cell.replaceChildren(typeTag(type));
}

/** A state in a word with its colour. */
export function paintState(cell, state, level) {
  let chip = cell.firstElementChild;
  if (!chip) cell.append(chip = el('span', { class: 'chip state' }));
  setText(chip, state);
  chip.dataset.state = level ?? state;
}

/** A link to a view. */
export const link = (text, view, parameters = {}) =>
  el('a', { href: '#/' + view + (Object.keys(parameters).length ? '?' + new URLSearchParams(parameters) : '') }, text);

/** Fills a cell with a link, unless it shows it already. */
export function paintLink(cell, text, view, parameters) {
  const key = text + JSON.stringify(parameters);
  if (cell.dataset.link === key) return;
  cell.dataset.link = key;
  cell.replaceChildren(text ? link(text, view, parameters) : '–');
}

/** Names and values. */
export function facts(pairs) {
  return el('dl', { class: 'facts' }, pairs.filter(([, value]) => value !== null && value !== undefined && value !== '').map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

/** Tabs whose choice is kept in the address. */
export function tabs(store, choices, show) {
  const chosen = choices.find(([id]) => id === store.get('tab')) ?? choices[0];
  const buttons = choices.map(([id, text]) => el('button', {
    type: 'button', role: 'tab', 'aria-selected': String(id === chosen[0]), tabindex: id === chosen[0] ? '0' : '-1', 'data-tab': id,
    onclick: () => select(id),
  }, text));
  const select = id => {
    for (const each of buttons) {
      each.setAttribute('aria-selected', String(each.dataset.tab === id));
      each.tabIndex = each.dataset.tab === id ? 0 : -1;
    }
    store.set('tab', id === choices[0][0] ? '' : id);
    show(id);
  };
  const list = el('div', { class: 'tabs', role: 'tablist', onkeydown: event => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const to = buttons[(buttons.indexOf(document.activeElement) + by + buttons.length) % buttons.length];
    to.focus();
    to.click();
  } }, buttons);
  return { element: list, chosen: chosen[0] };
}

/** A choice of one of a few. */
export function choice(label, options, value, onchange) {
  return el('label', { class: 'choice' }, label, el('select', { onchange: event => onchange(event.target.value) },
    options.map(([id, text]) => el('option', { value: id, selected: id === value }, text))));
}

/** What is left of a name that does not fit. */
export const cut = (text, most) => text.length <= most ? text : text.slice(0, most - 1) + '…';

export { shortMethod, shortType };
