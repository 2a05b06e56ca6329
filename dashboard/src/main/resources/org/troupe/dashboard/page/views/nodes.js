// The nodes: one row each, with charts behind it.

import { meter, TimeChart } from '../chart.js';
import { ink, el, fill, notice } from '../dom.js';
import { byteRate, bytes, count, duration, percent, rate } from '../format.js';
import { Table } from '../table.js';
import { nodeActions } from './actions.js';
import { facts, link, paintState } from './parts.js';

const number = (id, title, value, show, more = {}) => ({ id, title, value, show: row => show(value(row)), isNumber: true, ...more });

const optionsOf = (context, node) => context.model.jvmOptions.get(node.row.element) ?? '';

const clockOf = load => load?.clockErrorSeconds > 0 ? duration(Math.abs(load.clockOffsetSeconds)) + (load.clockOffsetSeconds < 0 ? ' behind' : ' ahead') + ', ± ' + duration(load.clockErrorSeconds) : '';

const columns = context => [
  { id: 'node', title: 'Node', value: node => node.name, show: node => node.name },
  { id: 'state', title: 'State', value: node => node.isProgram ? 'program' : node.state, paint: (cell, node) => paintState(cell, node.isProgram ? 'program' : node.state, node.state) },
  { id: 'host', title: 'Host', value: node => node.row.host },
  { id: 'cluster', title: 'Cluster', value: node => node.row.cluster },
  { id: 'virtual', title: 'Virtual nodes', value: node => (node.row.virtualNodes ?? []).join(', ') },
  number('cpu', 'Cores', node => node.cpu, value => Number.isFinite(value) ? value.toFixed(2) : '–', { help: 'Processors in use' }),
  number('cpuTime', 'CPU time', node => node.load?.cpuSeconds ?? NaN, duration, { help: 'Processor time since the start', isExtra: true }),
  { id: 'heap', title: 'Heap', help: 'Heap used, of its limit', isNumber: true, value: node => node.load?.heapUsedBytes ?? NaN,
    paint: (cell, node) => meter(cell, node.heapPart, bytes(node.load?.heapUsedBytes), node.heapPart > 0.9 ? 'warn' : '') },
  number('kept', 'After GC', node => node.load?.heapKeptBytes || NaN, bytes, { help: 'Heap in use after the last collection', isExtra: true }),
  number('gc', 'GC', node => node.collecting, percent, { help: 'The part of the time that goes into garbage collections' }),
  number('rss', 'RSS', node => node.load?.residentBytes ?? NaN, bytes, { help: 'Resident memory of the process' }),
  number('threads', 'Threads', node => node.load?.threads ?? NaN, count),
  number('objects', 'Objects', node => node.load?.objects ?? NaN, count),
  number('calls', 'Calls', node => node.calls, rate),
  number('queued', 'Queued', node => node.load?.queued ?? NaN, count),
  number('waiting', 'Waiting', node => node.load?.waiting ?? NaN, count),
  number('in', 'In', node => node.bytesIn, byteRate),
  number('out', 'Out', node => node.bytesOut, byteRate),
  { id: 'link', title: 'Link', help: 'The driver of the link between the node and the program', isExtra: true, value: node => context.model.driverOf(node.name), show: node => context.model.driverOf(node.name) || '–' },
  { id: 'clock', title: 'Clock', help: 'Against that of the program', isNumber: true, isExtra: true, value: node => node.load?.clockOffsetSeconds ?? NaN, show: node => clockOf(node.load) || '–' },
  { id: 'options', title: 'JVM options', help: 'From the program and the descriptor', kind: 'code', isExtra: true, value: node => optionsOf(context, node), show: node => optionsOf(context, node) || '–' },
];

export const nodes = {
  id: 'nodes', title: 'Nodes', key: 'o', about: 'Every JVM of the run. A row opens its charts.',
  make(context) {
    const table = new Table({
      name: 'nodes', caption: 'Nodes', columns: columns(context), key: node => node.name, sort: 'node', isDescending: false, store: context.store,
      search: node => [node.name, node.isProgram ? 'program' : '', node.state, node.row.host, node.row.cluster, ...(node.row.virtualNodes ?? []), node.row.element].join(' '),
      detail: node => detail(node, context), empty: 'No node is known yet.',
    });
    let wanted = context.store.get('node'); // of a link; a name that is looked for may be the beginning of others
    return {
      element: table.element,
      update() {
        table.update([...context.model.nodes.values()]);
        if (context.model.nodes.has(wanted) && table.reveal(wanted)) wanted = null;
      },
      close: () => table.close(),
    };
  },
};

const CHARTS = [
  ['Processors in use', value => value.toFixed(value < 10 ? 1 : 0), [['cores', 'cpu', '--c1']]],
  ['Heap used', bytes, [['heap', 'heap', '--c1']]],
  ['Requests served', value => rate(value), [['calls', 'calls', '--c1']]],
  ['Queued and waiting', count, [['queued', 'queued', '--c2'], ['waiting', 'waiting', '--c1']]],
  ['Traffic', byteRate, [['out', 'bytesOut', '--c1'], ['in', 'bytesIn', '--c3']]],
  ['Garbage collection', percent, [['share of time', 'collecting', '--c1']]],
];

function detail(first, context) {
  const charts = CHARTS.map(([title, format, series]) => ({ chart: new TimeChart(title, format), series }));
  const said = el('div', {});
  const actions = el('div', { class: 'buttons' }, link('Stacks', 'stacks', { node: first.name }), link('Logs', 'logs', { node: first.name }), link('Events', 'events', { find: first.name }),
    nodeActions(context, first));
  return {
    element: el('div', { class: 'nodeDetail' }, said, actions, el('div', { class: 'charts' }, charts.map(each => each.chart.element))),
    update(node) {
      const { load } = node.row; // the last one of a node that has ended
      fill(said,
        node.row.detail ? notice(node.row.detail.split('\n')[0], '') : null,
        facts([
          ['Element', node.row.element || 'the program itself'], ['Process', node.row.pid ? String(node.row.pid) : ''],
          ['Up', load ? duration(load.upSeconds) : ''], ['Processor time', load ? duration(load.cpuSeconds) : ''],
          ['Served', load ? count(load.served) : ''], ['Failed', load ? count(load.failed) : ''],
          ['Heap limit', load ? bytes(load.heapMostBytes) : ''], ['Recorded', load?.observed ?? ''],
          ['Clock', clockOf(load)],
          ['Not in reports', load && (load.leftOut || load.unvisited) ? count(load.leftOut) + ' rows, ' + count(load.unvisited) + ' objects' : ''],
        ]));
      const seconds = node.history.seconds();
      for (const { chart, series } of charts) chart.update(seconds, series.map(([name, column, colour]) => ({ name, colour: ink(colour), values: node.history.column(column) })));
    },
    close() {
      for (const { chart } of charts) chart.close();
    },
  };
}
