// The answer on a pair as facts and a table.

import { el } from '../dom.js';
import { bytes, count, plural, shortMethod, whole } from '../format.js';
import { facts, typeTag } from './parts.js';

const keyOf = each => each.type + '\t' + each.method;

/** Returns the calls of each method until now. */
export const callsOf = answer => new Map(answer.methods.map(each => [keyOf(each), each.calls]));

/** Returns the parts of the detail; the rates are those since the last answer, if there was one. */
export function shown({ methods, moreMethods, moreCalls, unacknowledged, addresses }, last, millis) {
  const perSecond = each => last?.calls.has(keyOf(each)) ? (each.calls - last.calls.get(keyOf(each))) / (millis - last.millis) * 1000 : NaN;
  const waiting = unacknowledged.messages === 0 ? 'nothing'
    : plural(unacknowledged.messages, 'message') + (unacknowledged.slices ? ' with ' + plural(unacknowledged.slices, 'array slice') : '') + ', ' + bytes(unacknowledged.bytes);
  return [
    facts([['Sent and not acknowledged', waiting], ['From address', addresses?.local], ['To address', addresses?.remote], ['File', addresses?.file]]),
    el('h4', {}, 'Calls sent, by method'),
    methods.length === 0 ? el('p', { class: 'soft' }, 'None were counted.')
      : el('table', {}, el('thead', {}, el('tr', {}, ['Class', 'Method', 'Calls', 'Per second'].map((title, i) => el('th', { scope: 'col', class: i > 1 && 'number' }, title)))),
        el('tbody', {}, methods.map(each => el('tr', {}, el('td', {}, typeTag(each.type)), el('td', { class: 'code', title: each.method }, shortMethod(each.method)),
          el('td', { class: 'number' }, whole(each.calls)), el('td', { class: 'number' }, count(perSecond(each))))))),
    moreMethods > 0 ? el('p', { class: 'soft' }, plural(moreCalls, 'call') + ' of ' + plural(moreMethods, 'more method')) : null,
  ];
}
