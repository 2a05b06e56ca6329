// Groups: what their collective operations cost, who has arrived in one, who is missing, and for whom the others have waited.

import { el, styled } from '../dom.js';
import { bytes, duration, percent, plural, shortType, whole } from '../format.js';
import { Table } from '../table.js';
import { ranks } from '../waitgraph.js';
import { paintState, paintType } from './parts.js';

const MOST_RANKS = 512;
const MOST_BARS = 16;

const COLUMNS = [
  { id: 'group', title: 'Group', kind: 'code', value: group => group.row.group },
  { id: 'type', title: 'Class', value: group => group.row.type, paint: (cell, group) => paintType(cell, group.row.type) },
  { id: 'state', title: 'State', value: ({ row }) => row.operation ? row.missing?.length ? 'waits for members' : 'waits' : 'goes on', paint: (cell, { row }) => paintState(cell, row.operation ? 'waits' : 'goes on', row.operation ? 'silent' : 'joined') },
  { id: 'size', title: 'Members', isNumber: true, value: group => group.row.size, show: group => whole(group.row.size) },
  { id: 'operation', title: 'Operation', kind: 'code', value: group => group.row.operation, show: group => group.row.operation || '–' },
  { id: 'arrived', title: 'Arrived', isNumber: true, value: group => group.row.arrived?.length ?? 0 },
  { id: 'missing', title: 'Missing', value: group => group.row.missing?.length ?? 0, show: group => group.row.missing?.length ? ranks(group.row.missing) : '–' },
  { id: 'since', title: 'Since', isNumber: true, value: ({ row }) => row.operation ? row.waitingSeconds : NaN, show: ({ row }) => row.operation ? duration(row.waitingSeconds) : '–' },
  { id: 'given', title: 'Given', isNumber: true, help: 'The size of the numbers that members have given to others in collective operations', value: group => group.bytes, show: group => group.counted.size ? bytes(group.bytes) : '–' },
  { id: 'waits', title: 'Waits', isNumber: true, help: 'How often reports have seen members wait', value: group => group.waits, show: group => whole(group.waits) },
  { id: 'waited', title: 'Waited', isNumber: true, help: 'For how long members have waited in all of these waits', value: group => group.seconds, show: group => duration(group.seconds) },
  { id: 'last', title: 'Mostly last', help: 'The rank that most often was the last to arrive', value: group => share(group, group.awaited[0]), show: group => share(group, group.awaited[0]) > 0 ? 'rank ' + group.awaited[0].rank + ' in ' + percent(share(group, group.awaited[0])) : '–' },
];

export const groups = {
  id: 'groups', title: 'Groups', key: 'u', about: 'Groups whose members have worked together in collective operations, by which algorithms, and for which ranks they have waited. Waits of less than a second are mostly not in a report.',
  make(context) {
    const table = new Table({
      name: 'groups', caption: 'Groups', columns: COLUMNS, key: group => String(group.row.group), sort: 'since', store: context.store, detail, empty: 'No group has had a collective operation, and no member of one has waited for others.',
    });
    return { element: table.element, update: () => table.update([...context.model.groups.values()].filter(group => group.row)), close: () => table.close() };
  },
};

const share = (group, rank) => rank && group.ended ? rank.lasts / group.ended : 0;

function detail() {
  const box = el('div', {});
  let shown = '';
  return {
    element: box,
    update(group) {
      const { row } = group, { transfers } = group, key = JSON.stringify([row, group.waits, group.seconds, group.members.size, transfers]);
      if (key === shown) return;
      shown = key;
      const arrived = new Set(row.arrived), missing = new Set(row.missing), size = Math.min(row.size, MOST_RANKS);
      box.replaceChildren(el('p', {}, shortType(row.type) + ' group of ' + whole(row.size) + ': ' + (row.missing?.length ? 'missing ' + ranks(row.missing, row.size) : 'no member is known to be missing') + '.'),
        el('ol', { class: 'ranks', 'aria-label': 'Members by rank' }, Array.from({ length: size }, (_, rank) => {
          const state = missing.has(rank) ? 'missing' : arrived.has(rank) ? 'arrived' : 'unknown', member = group.members.get(rank);
          return el('li', { class: state, title: 'rank ' + rank + ': ' + state + (member ? ', ' + member.object + ' on ' + member.node : '') }, String(rank), el('span', { class: 'unseen' }, ' ' + state));
        })), row.size > size ? el('p', { class: 'soft' }, 'The first ' + size + ' ranks.') : '', transferred(transfers), lasts(group));
    },
  };
}

// The algorithms that the operations have used, and the bytes that they took. Nodes report parts: one of each member in each operation. They are not
// divided by the size, since members of several clusters may use different algorithms in one operation.
function transferred(transfers) {
  if (transfers.length === 0) return '';
  return el('div', { class: 'scroll' }, el('table', { class: 'data transfers' }, el('caption', { class: 'unseen' }, 'Collective operations'),
    el('thead', {}, el('tr', {}, ['Operation', 'Algorithm', 'Parts of members', 'Bytes given', 'Bytes per part'].map((title, i) => el('th', { scope: 'col', class: i > 1 ? 'number' : null }, title)))),
    el('tbody', {}, transfers.map(each => el('tr', {}, el('th', { scope: 'row', class: 'code' }, each.operation), el('td', {}, each.algorithm || '–'),
      el('td', { class: 'number' }, whole(each.parts)), el('td', { class: 'number' }, bytes(each.bytes)), el('td', { class: 'number' }, bytes(each.parts > 0 ? each.bytes / each.parts : NaN)))))));
}

// Which ranks were the last to arrive, and for how long the others have waited for them.
function lasts(group) {
  const awaited = group.awaited, most = Math.max(...awaited.map(rank => rank.seconds), 1e-9);
  return el('div', { class: 'lasts' },
    el('p', {}, plural(group.waits, 'wait') + ' of members seen, ' + whole(group.ended) + ' of them ended: ' + [...group.operations.values()].sort((a, b) => b.seconds - a.seconds).map(each => each.name + ' ' + duration(each.seconds)).join(', ') + '.'),
    awaited.length === 0 ? el('p', { class: 'soft' }, 'No report names a rank for which they waited.') : null,
    awaited.slice(0, MOST_BARS).map(rank => el('div', { class: 'hot' }, el('span', {}, 'rank ' + rank.rank),
      el('span', { class: 'bar' }, styled(el('span', { class: 'fill' }), { width: Math.max(1, rank.seconds / most * 100) + '%' })),
      el('span', { class: 'value' }, duration(rank.seconds) + ', last in ' + percent(share(group, rank))))),
    awaited.length > MOST_BARS ? el('p', { class: 'soft' }, 'and ' + plural(awaited.length - MOST_BARS, 'more rank') + '.') : null);
}
