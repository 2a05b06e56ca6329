// What one object does, asked of its node.

import { askJson } from '../api.js';
import { button, el, fill, notice } from '../dom.js';

/** Makes the answer of an object; it is asked at once, and again by its button. */
export function objectDetail(context, id) {
  const box = el('div', {}), [node, number] = [id.slice(0, id.lastIndexOf('/')), id.slice(id.lastIndexOf('/') + 1)];
  let controller = null;
  const ask = async () => {
    controller?.abort();
    controller = new AbortController();
    try {
      const answer = await askJson('object', { run: context.run, node, number }, controller.signal);
      const { shown } = await import('./objectfacts.js');
      fill(box, shown(answer), button('Ask again', ask));
    } catch (error) {
      if (error.name !== 'AbortError') fill(box, notice('The object gives no answer', error.message), button('Ask again', ask));
    }
  };
  if (context.recording) fill(box, notice('A recording cannot be asked.', 'Objects of a running program can.'));
  else {
    fill(box, notice('Asking ' + id + '.'));
    ask();
  }
  return { element: el('div', { class: 'object' }, box), close: () => controller?.abort() };
}
