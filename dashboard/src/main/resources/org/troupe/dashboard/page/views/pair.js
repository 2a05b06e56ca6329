// What one JVM has sent to another one, asked of the sender.

import { askJson } from '../api.js';
import { el, fill, notice } from '../dom.js';
import { bytes, count, plural, shortMethod, whole } from '../format.js';
import { facts, typeTag } from './parts.js';

/** Makes the answer on a pair; it is asked after a delay, in milliseconds, and again at each update. */
export function pairDetail(context, from, to, delay = 0) {
  const box = el('div', { class: 'called' });
  let controller = null, last = null, isDue = false;
  const ask = async () => {
    if (!isDue || controller) return;
    controller = new AbortController();
    try {
      const answer = await askJson('pair', { run: context.run, node: from, peer: to }, controller.signal), millis = performance.now();
      fill(box, shown(answer, last, millis));
      last = { calls: new Map(answer.methods.map(each => [keyOf(each), each.calls])), millis };
    } catch (error) {
      if (error.name !== 'AbortError') fill(box, notice('Not known now', error.message));
    }
    controller = null;
  };
  const timer = setTimeout(() => {
    isDue = !context.recording;
    ask();
  }, delay);
  if (context.recording) fill(box, notice('A recording cannot be asked.', 'A running program tells the calls of a pair by method.'));
  return {
    element: box,
    update: ask,
    close() {
      clearTimeout(timer);
      isDue = false;
      controller?.abort();
    },
  };
}

const keyOf = each => each.type + '\t' + each.method;

function shown({ methods, moreMethods, moreCalls, unacknowledged, addresses }, last, millis) {
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
