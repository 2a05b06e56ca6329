// What one object does, asked of its node.

import { askJson } from '../api.js';
import { button, el, fill, notice } from '../dom.js';
import { anything, duration, plural, shortMethod } from '../format.js';
import { forWhat } from '../waitgraph.js';
import { facts, link, typeTag } from './parts.js';

/** Makes the answer of an object; it is asked at once, and again by its button. */
export function objectDetail(context, id) {
  const box = el('div', {}), [node, number] = [id.slice(0, id.lastIndexOf('/')), id.slice(id.lastIndexOf('/') + 1)];
  let controller = null;
  const ask = async () => {
    controller?.abort();
    controller = new AbortController();
    try {
      const answer = await askJson('object', { run: context.run, node, number }, controller.signal);
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

function shown(answer) {
  return [
    facts([
      ['Class', typeTag(answer.type ?? '')], ['Is on node', answer.node ? link(answer.node, 'nodes', { find: answer.node }) : ''], ['In its queue', plural(answer.queued ?? 0, 'request')],
      ['Waits', answer.waiting ? forWhat(answer.waiting) + (answer.waiting.waitingSeconds >= 0 ? ', ' + duration(answer.waiting.waitingSeconds) : '') : 'for nothing'],
      ['Groups', (answer.groups ?? []).map(each => `rank ${each.rank} of ${each.size} in ${each.group}`).join(', ')],
      ['Names', known(answer.names)], ['Key', known(answer.key)], ['Moves', known(answer.moves)], ['Restarts', known(answer.restarts)], ['Options', known(answer.options)],
      ['Serves at once', known(answer.parallelism)], ['Threads', answer.threads],
      ['References on', answer.holders?.join(', ') || 'none that is known'],
    ]),
    requests('Serves', answer.serving ?? [], 'It serves nothing.'),
    requests('First requests in its queue', answer.queue ?? [], 'Its queue is empty.'),
  ];
}

const known = value => {
  const text = anything(value);
  return text === '–' || text === '0' || text === '{}' ? '' : text;
};

function requests(title, rows, none) {
  return el('div', { class: 'requests' }, el('h4', {}, title), rows.length === 0 ? el('p', { class: 'soft' }, none)
    : el('ol', {}, rows.map(row => el('li', {}, el('code', { title: row.method }, shortMethod(row.method)), el('span', { class: 'soft' },
      (row.caller ? ' for ' + row.caller : '') + (row.seconds >= 0 ? ', ' + duration(row.seconds) : ''))))));
}
