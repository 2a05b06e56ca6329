// Groups: who has arrived in a collective operation, and who is missing.

import { el } from '../dom.js';
import { duration, shortType, whole } from '../format.js';
import { Table } from '../table.js';
import { ranks } from '../waitgraph.js';
import { paintState, paintType } from './parts.js';

const MOST_RANKS = 512;

const COLUMNS = [
  { id: 'group', title: 'Group', kind: 'code', value: row => row.group },
  { id: 'type', title: 'Class', value: row => row.type, paint: (cell, row) => paintType(cell, row.type) },
  { id: 'state', title: 'State', value: row => row.operation ? row.missing?.length ? 'waits for members' : 'waits' : 'goes on', paint: (cell, row) => paintState(cell, row.operation ? 'waits' : 'goes on', row.operation ? 'silent' : 'joined') },
  { id: 'size', title: 'Members', isNumber: true, value: row => row.size, show: row => whole(row.size) },
  { id: 'operation', title: 'Operation', kind: 'code', value: row => row.operation, show: row => row.operation || '–' },
  { id: 'arrived', title: 'Arrived', isNumber: true, value: row => row.arrived?.length ?? 0 },
  { id: 'missing', title: 'Missing', kind: 'wide', value: row => row.missing?.length ?? 0, show: row => row.missing?.length ? ranks(row.missing) : '–' },
  { id: 'since', title: 'Since', isNumber: true, value: row => row.operation ? row.waitingSeconds : NaN, show: row => row.operation ? duration(row.waitingSeconds) : '–' },
];

export const groups = {
  id: 'groups', title: 'Groups', key: 'u', about: 'Groups of which members have waited for each other, and which ranks are missing. A group whose members have never waited for a second is not in a report.',
  make(context) {
    const table = new Table({ name: 'groups', caption: 'Groups', columns: COLUMNS, key: row => String(row.group), sort: 'since', store: context.store, detail, empty: 'No member of a group has waited for others.' });
    return { element: table.element, update: () => table.update([...context.model.groups.values()]), close: () => table.close() };
  },
};

function detail() {
  const box = el('div', {});
  let shown = '';
  return {
    element: box,
    update(row) {
      const key = JSON.stringify(row);
      if (key === shown) return;
      shown = key;
      const arrived = new Set(row.arrived), missing = new Set(row.missing), size = Math.min(row.size, MOST_RANKS);
      box.replaceChildren(el('p', {}, shortType(row.type) + ' group of ' + whole(row.size) + ': ' + (row.missing?.length ? 'missing ' + ranks(row.missing, row.size) : 'no member is known to be missing') + '.'),
        el('ol', { class: 'ranks', 'aria-label': 'Members by rank' }, Array.from({ length: size }, (_, rank) => {
          const state = missing.has(rank) ? 'missing' : arrived.has(rank) ? 'arrived' : 'unknown';
          return el('li', { class: state, title: 'rank ' + rank + ': ' + state }, String(rank), el('span', { class: 'unseen' }, ' ' + state));
        })), row.size > size ? el('p', { class: 'soft' }, 'The first ' + size + ' ranks.') : '');
    },
  };
}
