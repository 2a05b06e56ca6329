// The answer of an object, as elements.

import { el } from '../dom.js';
import { anything, duration, plural, shortMethod } from '../format.js';
import { forWhat } from '../waitgraph.js';
import { facts, link, typeTag } from './parts.js';

/** Returns the parts of the answer of an object. */
export function shown(answer) {
  return [
    facts([
      ['Class', typeTag(answer.type ?? '')], ['Is on node', answer.node ? link(answer.node, 'nodes', { node: answer.node }) : ''], ['In its queue', plural(answer.queued ?? 0, 'request')],
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
