// Failures in groups of one cause and place.

import { el, fill, notice } from '../dom.js';
import { byName, count, shortFrame, shortMethod, shortType, time, whole } from '../format.js';
import { CAUSES } from '../health.js';
import { Table } from '../table.js';
import { facts, link, paintState } from './parts.js';

const COLUMNS = [
  { id: 'cause', title: 'Cause', value: row => row.cause, paint: (cell, row) => paintState(cell, CAUSES[row.cause]?.[0] ?? row.cause, row.cause === 'reset' ? 'starting' : 'ended') },
  { id: 'call', title: 'Call', kind: 'code folds', isName: true, value: row => row.call, show: row => shortMethod(row.call) || '–', full: row => row.call },
  { id: 'exception', title: 'Exception', kind: 'code folds', isName: true, value: row => row.exception, show: row => row.exception ? shortType(row.exception) : '–', full: row => row.exception },
  { id: 'frame', title: 'At', kind: 'code folds', isName: true, value: row => row.frame, show: row => shortFrame(row.frame) || '–', full: row => row.frame },
  { id: 'count', title: 'Count', isNumber: true, value: row => row.count, show: row => whole(row.count) },
  { id: 'nodes', title: 'JVMs', isNumber: true, value: row => row.rows.length, show: row => count(row.rows.length) },
  { id: 'first', title: 'First', isNumber: true, value: row => row.firstMillis, show: row => time(row.firstMillis) },
  { id: 'last', title: 'Last', isNumber: true, value: row => row.lastMillis, show: row => time(row.lastMillis) },
  { id: 'example', title: 'Example', kind: 'wide', value: row => row.example },
];

export const failures = {
  id: 'failures', title: 'Failures', key: 'f', about: 'Failures that no caller has seen, refused classes, broken connections and lost nodes: grouped by cause, call, exception and first line of the program.',
  make(context) {
    const table = new Table({
      name: 'failures', caption: 'Failures', columns: COLUMNS, key: row => row.key, sort: 'last', store: context.store, detail,
      search: row => [row.cause, CAUSES[row.cause]?.[0], row.call, row.exception, row.frame, row.example, ...row.rows.map(each => each.node)].join(' '),
      empty: 'No failure has gone unseen.',
    });
    return { element: table.element, update: () => table.update(grouped(context.model)), close: () => table.close() };
  },
};

function grouped(model) {
  const groups = new Map();
  for (const row of model.failures.values()) {
    const key = [row.cause, row.call, row.exception, row.frame].join('\t');
    const group = groups.get(key);
    if (!group) groups.set(key, { ...row, key, rows: [row] });
    else {
      group.rows.push(row);
      group.count += row.count;
      group.firstMillis = Math.min(group.firstMillis, row.firstMillis);
      if (row.lastMillis >= group.lastMillis) Object.assign(group, { lastMillis: row.lastMillis, example: row.example });
    }
  }
  return [...groups.values()];
}

function detail() {
  const box = el('div', {});
  return {
    element: box,
    update(row) {
      const [noun, remedy] = CAUSES[row.cause] ?? [row.cause, ''];
      fill(box,
        facts([['Cause', noun], ['Call', row.call], ['Exception', row.exception], ['First line of the program', row.frame], ['First', time(row.firstMillis, true)], ['Last', time(row.lastMillis, true)]]),
        remedy ? notice('What to do', remedy) : null,
        el('pre', { class: 'text' }, row.example || '(no message)'),
        el('p', {}, 'On ', [...row.rows].sort((a, b) => byName(a.node, b.node)).slice(0, 20).flatMap((each, i) => [i ? ', ' : '', link(each.node, 'nodes', { node: each.node }), ' (' + whole(each.count) + ')']), row.rows.length > 20 ? ' and more' : ''));
    },
  };
}
