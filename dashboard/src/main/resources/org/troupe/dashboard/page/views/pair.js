// What one JVM has sent to another one, asked of the sender.

import { askJson } from '../api.js';
import { el, fill, notice } from '../dom.js';

/** Makes the answer on a pair; it is asked after a delay, in milliseconds, and again at each update. */
export function pairDetail(context, from, to, delay = 0) {
  const box = el('div', { class: 'called' });
  let controller = null, last = null, isDue = false, table = null;
  const ask = async () => {
    if (!isDue || controller) return;
    controller = new AbortController();
    try {
      const answer = await askJson('pair', { run: context.run, node: from, peer: to }, controller.signal), millis = performance.now();
      table ??= await import('./pairtable.js'); // when a pair is chosen, as few visits choose one
      fill(box, table.shown(answer, last, millis));
      last = { calls: table.callsOf(answer), millis };
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
