// Classes of active objects, their methods, and the objects with the longest queues.

import { el, setText } from '../dom.js';
import { count, duration, rate, shortMethod, shortType, whole } from '../format.js';
import { Table } from '../table.js';
import { objectDetail } from './object.js';
import { link, paintLink, paintType, tabs } from './parts.js';

const number = (id, title, value, show, help) => ({ id, title, value, show: row => show(value(row)), isNumber: true, help });
const part = (times, name) => times ? times[name] : NaN;

const COUNTS = [
  number('calls', 'Calls', row => row.calls, rate, 'Requests whose service has ended, per second'),
  number('served', 'Served', row => row.served, count, 'Requests whose service has ended, since the start'),
  number('failed', 'Failed', row => row.failed, count, 'Those of them that ended with an exception'),
  number('pending', 'Pending', row => row.pending, count, 'Requests that are in a queue or being served'),
];
const TIMES = [
  number('w50', 'Queue p50', row => part(row.waits, 'median'), duration, 'Half of the requests were in the queue for less'),
  number('w99', 'Queue p99', row => part(row.waits, 'p99'), duration, '99 of 100 requests were in the queue for less, on the slowest node'),
  number('s50', 'Service p50', row => part(row.services, 'median'), duration, 'Half of the services took less'),
  number('s99', 'Service p99', row => part(row.services, 'p99'), duration, '99 of 100 services took less, on the slowest node'),
  number('most', 'Longest', row => part(row.services, 'most'), duration, 'The longest service'),
];
const TYPE = { id: 'type', title: 'Class', value: row => row.type, paint: (cell, row) => paintType(cell, row.type) };

const TYPES = [
  TYPE,
  number('objects', 'Objects', row => row.places.size ? row.objects : NaN, count),
  number('nodes', 'JVMs', row => row.nodes, count, 'JVMs that have told of the class'),
  ...COUNTS,
  number('queued', 'Queued', row => row.places.size ? row.queued : NaN, count),
  { id: 'longest', title: 'Longest queue', isNumber: true, value: row => row.longest?.longestQueue ?? (row.places.size ? 0 : NaN),
    paint: (cell, row) => row.longest ? paintLink(cell, whole(row.longest.longestQueue) + ' · ' + row.longest.longestObject, 'waits', { object: row.longest.longestObject }) : (setText(cell, row.places.size ? '0' : '–'), delete cell.dataset.link) },
  ...TIMES.slice(1, 4).filter(column => column.id !== 's50'),
];
const METHODS = [
  { id: 'method', title: 'Method', kind: 'code', value: row => row.method, show: row => shortMethod(row.method), full: row => row.method },
  TYPE, ...COUNTS, ...TIMES,
];
const QUEUES = [
  { id: 'object', title: 'Object', kind: 'code', value: row => row.object, paint: (cell, row) => paintLink(cell, row.object, 'waits', { object: row.object }) },
  TYPE,
  { id: 'node', title: 'Node', value: row => row.node },
  number('queued', 'Queued', row => row.queued, whole),
  { id: 'serving', title: 'Serves', kind: 'code', value: row => row.serving, show: row => shortMethod(row.serving) || '–' },
  number('since', 'Service so far', row => row.serving ? row.seenSeconds : NaN, seconds => seconds > 0 ? '≥ ' + duration(seconds) : '–', 'For how long reports have seen this request in service; – if only the last one has'),
  { id: 'caller', title: 'For', value: row => row.caller, show: row => row.caller || '–' },
  { id: 'waits', title: 'Waits for', kind: 'code', value: row => row.awaited, show: row => shortMethod(row.awaited) || '–' },
  number('waited', 'Waited', row => row.waitingSeconds, duration, 'For how long it has waited, at most'),
];

export const objects = {
  id: 'objects', title: 'Objects', key: 'b', about: 'Active objects by class, the methods that they serve, and the objects with the longest queues. The middleware’s own objects are left out.',
  make(context) {
    let table;
    const place = el('div', {}), hint = el('p', { class: 'hint' });
    const show = tab => {
      table?.close();
      table = made(tab, context);
      place.replaceChildren(table.element);
      table.refresh();
    };
    const choices = tabs(context.store, [['classes', 'By class'], ['methods', 'Busiest methods'], ['queues', 'Longest queues']], show);
    show(choices.chosen);
    return {
      element: el('div', {}, choices.element, hint, place),
      update() {
        table.refresh();
        const isTimed = [...context.model.nodes.values()].some(node => ['times', 'trace'].includes(node.load?.observed));
        hint.hidden = isTimed;
        setText(hint, isTimed ? '' : 'Times are not recorded now. ./troupe observe times records them, at a few percent of a very short call.');
      },
      close: () => table.close(),
    };
  },
};

function made(tab, context) {
  const { store } = context;
  if (tab === 'methods') {
    const table = new Table({ name: 'methods', caption: 'Methods', columns: METHODS, key: row => row.type + '\t' + row.method, sort: 'calls', store });
    table.refresh = () => table.update([...context.model.methods.values()]);
    return table;
  }
  if (tab === 'queues') {
    const table = new Table({ name: 'queues', caption: 'Objects with the longest queues', columns: QUEUES, key: row => row.object, sort: 'queued', store, detail: row => objectDetail(context, row.object), empty: 'No object has requests or waits.' });
    table.refresh = () => table.update(busyObjects(context.model));
    return table;
  }
  const table = new Table({
    name: 'classes', caption: 'Classes of active objects', columns: TYPES, key: row => row.type, sort: 'calls', store, detail: row => methodsOf(row, context),
    empty: 'No active object has served a request yet.',
  });
  table.refresh = () => table.update([...context.model.types.values()]);
  return table;
}

function methodsOf(type) {
  const table = new Table({ name: 'methods-of-class', caption: 'Methods of ' + shortType(type.type), columns: METHODS.filter(column => column !== TYPE), key: row => row.method, sort: 'calls', page: 10 });
  return {
    element: el('div', {}, el('p', { class: 'about' }, type.type + ' · ', link('Find in failures', 'failures', { find: type.type }), ' · ', link('Longest queues', 'objects', { tab: 'queues', find: shortType(type.type) })), table.element),
    update: row => table.update([...row.methods.values()]),
    close: () => table.close(),
  };
}

/** The objects that reports have named, each with its queue and its wait. */
export function busyObjects(model) {
  const found = new Map();
  for (const node of model.nodes.values()) {
    if (node.row.state === 'ended') continue;
    for (const row of node.queues) found.set(row.object, { awaited: '', waitingSeconds: NaN, ...row, seenSeconds: row.leastSeconds, node: node.name });
    for (const row of node.waits) found.set(row.object, { queued: 0, caller: '', seenSeconds: NaN, ...found.get(row.object), ...row, node: node.name });
  }
  return [...found.values()];
}
