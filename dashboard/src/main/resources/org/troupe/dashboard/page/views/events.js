// Joins, leaves and deaths, each with its whole text.

import { el } from '../dom.js';
import { time } from '../format.js';
import { Table } from '../table.js';
import { choice, link, paintLink, paintState } from './parts.js';

const LEVELS = { joined: 'joined', leaving: 'silent', left: 'starting', reset: 'silent', restarted: 'silent', moved: 'starting', archive: 'starting', job: 'starting', cycle: 'ended' };

const isBad = event => event.event === 'cycle' || (event.event === 'left' && /exit code [1-9]|signal|lost|killed|out of memory|no answer|stopped answering|crash/i.test(event.text));
const levelOf = event => isBad(event) ? 'ended' : LEVELS[event.event] ?? 'starting';

const COLUMNS = [
  { id: 'number', title: 'No.', isNumber: true, value: row => row.number },
  { id: 'time', title: 'Time', isNumber: true, value: row => row.timeMillis, show: row => time(row.timeMillis, true) },
  { id: 'event', title: 'Event', value: row => row.event, paint: (cell, row) => paintState(cell, row.event, levelOf(row)) },
  { id: 'node', title: 'Node', value: row => row.node, paint: (cell, row) => paintLink(cell, row.node, 'nodes', { node: row.node }) },
  { id: 'text', title: 'Reason', kind: 'wide', value: row => row.text, show: row => firstLine(row.text) },
];

const firstLine = text => String(text ?? '').split('\n')[0] || '–';

/** An event on one line, with its link. */
export function eventLine(event) {
  return [
    el('time', {}, time(event.timeMillis)), ' ',
    el('span', { class: 'chip state', 'data-state': levelOf(event) }, event.event), ' ',
    el('a', { href: '#/events?number=' + encodeURIComponent(event.number) }, event.node || 'grid'),
    event.text ? el('span', { class: 'soft' }, ' ' + firstLine(event.text)) : null,
  ];
}

export const events = {
  id: 'events', title: 'Events', key: 'e', about: 'What has happened to the grid. A lost node has its exit report.',
  make(context) {
    const { store } = context;
    const kinds = el('span', {});
    let shownKinds = '', wanted = store.get('number');
    const table = new Table({
      name: 'events', caption: 'Events', columns: COLUMNS, key: row => String(row.number), sort: 'time', store, tools: [kinds],
      detail: row => detail(row, store), search: row => [row.event, row.node, row.text, time(row.timeMillis)].join(' '), empty: 'Nothing has happened yet.',
    });
    const update = () => {
      const all = eventsOf(context.model);
      const known = [...new Set(all.map(row => row.event))].sort();
      if (known.join() !== shownKinds) {
        shownKinds = known.join();
        kinds.replaceChildren(choice('Kind', [['', 'all'], ...known.map(kind => [kind, kind])], store.get('kind') ?? '', kind => {
          store.set('kind', kind);
          update();
        }));
      }
      const kind = store.get('kind');
      table.update(kind ? all.filter(row => row.event === kind) : all);
      if (wanted && table.reveal(wanted)) wanted = null;
    };
    return { element: table.element, update, close: () => table.close() };
  },
};

// Proved cycles are events, too, though they come as records of their own.
function eventsOf(model) {
  const cycles = [...model.cycles.values()].map(row => ({ number: row.node + '/' + row.number, timeMillis: row.timeMillis, event: 'cycle', node: row.node, text: row.text }));
  return [...model.events.values(), ...cycles];
}

function detail(row, store) {
  store.set('number', row.number);
  return {
    element: el('div', {}, el('pre', { class: 'text', tabindex: '0', 'aria-label': 'Text of event ' + row.number }, row.text || 'No reason was given.'),
      el('p', { class: 'buttons' }, row.node ? link('Logs of ' + row.node, 'logs', { node: row.node }) : null, el('a', { href: '#/events?number=' + encodeURIComponent(row.number) }, 'Link to this event'))),
    close: () => store.set('number', ''),
  };
}
