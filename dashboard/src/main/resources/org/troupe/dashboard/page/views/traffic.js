// Traffic between nodes as a matrix, and the pairs as a table.

import { heat } from '../colour.js';
import { el, fill, ink, panel, pen, setText, write } from '../dom.js';
import { byName, byteRate, bytes, count, duration, plural, rate, whole } from '../format.js';
import { Table } from '../table.js';
import { pairDetail } from './pair.js';
import { choice, facts } from './parts.js';

const MOST_NODES = 64;
const POINTER_MILLIS = 300; // after which a node is asked about the cell at the pointer, which may only pass
const METRICS = {
  byteRate: { title: 'bytes per second', value: cell => cell.byteRate, show: byteRate },
  messageRate: { title: 'messages per second', value: cell => cell.messageRate, show: rate },
  bytes: { title: 'bytes in all', value: cell => cell.bytes, show: bytes },
  roundTrip: { title: 'round trip', value: cell => cell.roundTrips ? cell.roundTrip / cell.roundTrips : 0, show: duration },
};

const COLUMNS = [
  { id: 'from', title: 'From', value: pair => pair.row.node },
  { id: 'to', title: 'To', value: pair => pair.row.peer },
  { id: 'driver', title: 'Driver', value: pair => pair.row.driver, show: pair => pair.row.driver || '–' },
  { id: 'byteRate', title: 'Bytes', isNumber: true, value: pair => pair.bytes, show: pair => byteRate(pair.bytes) },
  { id: 'messageRate', title: 'Messages', isNumber: true, value: pair => pair.messages, show: pair => rate(pair.messages) },
  { id: 'bytes', title: 'Bytes in all', isNumber: true, value: pair => pair.row.bytes, show: pair => bytes(pair.row.bytes) },
  { id: 'messages', title: 'Messages in all', isNumber: true, value: pair => pair.row.messages, show: pair => count(pair.row.messages) },
  { id: 'size', title: 'Mean size', isNumber: true, value: pair => pair.row.messages ? pair.row.bytes / pair.row.messages : NaN, show: pair => pair.row.messages ? bytes(pair.row.bytes / pair.row.messages) : '–' },
  { id: 'roundTrip', title: 'Round trip', isNumber: true, value: pair => pair.row.roundTripSeconds > 0 ? pair.row.roundTripSeconds : NaN, show: pair => pair.row.roundTripSeconds > 0 ? duration(pair.row.roundTripSeconds) : '–' },
  { id: 'resets', title: 'Resets', isNumber: true, value: pair => pair.row.resets, show: pair => whole(pair.row.resets) },
];

export const traffic = {
  about: 'What the nodes and the program send to each other. A row sends, a column receives; above 64 JVMs they are clusters.',
  make(context) {
    const { store } = context;
    const canvas = el('canvas', { class: 'matrix', tabindex: '0', role: 'img', 'aria-label': 'Matrix of traffic; the table below has the same values. Arrow keys choose a cell.' });
    const caption = el('p', { class: 'answer', role: 'status' }), scale = el('p', { class: 'about' }), info = el('div', { class: 'pair' }), calls = el('div', {});
    const table = new Table({ name: 'pairs', caption: 'Pairs of JVMs', columns: COLUMNS, key: pair => pair.row.node + '\t' + pair.row.peer, sort: 'byteRate', store, detail: pair => pairDetail(context, pair.row.node, pair.row.peer), empty: 'No JVM has sent anything to another one.' });
    let matrix = null, chosen = null, asked = '', detail = null;
    const metric = () => METRICS[store.get('metric')] ?? METRICS.byteRate;

    const draw = (delay = 0) => {
      matrix = new Matrix(context.model);
      matrix.draw(canvas, metric(), chosen);
      const most = matrix.most(metric());
      setText(scale, matrix.names.length === 0 ? 'No traffic yet.' : `From ${metric().show(0)} to ${metric().show(most)}; ${plural(matrix.names.length, matrix.isByCluster ? 'cluster' : 'JVM')}. A stronger colour is more.`);
      describe();
      askPair(delay);
    };
    const describe = () => {
      const cell = chosen && matrix.cell(chosen.from, chosen.to);
      if (!chosen || !matrix.names[chosen.from] || !matrix.names[chosen.to]) return setText(caption, 'Point at a cell, or choose one with the arrow keys.');
      const names = matrix.names[chosen.from] + ' → ' + matrix.names[chosen.to];
      setText(caption, names + ': ' + (cell ? metric().show(metric().value(cell)) : 'nothing sent'));
      fill(info, cell ? facts([['Bytes', byteRate(cell.byteRate) + ', ' + bytes(cell.bytes) + ' in all'], ['Messages', rate(cell.messageRate) + ', ' + count(cell.messages) + ' in all'], ['Drivers', [...cell.drivers].join(', ')],
        ['Round trip', cell.roundTrips ? duration(cell.roundTrip / cell.roundTrips) : ''], ['Resets', whole(cell.resets)], ['Pairs of JVMs', matrix.isByCluster ? whole(cell.pairs) : '']]) : null,
      cell && matrix.isByCluster ? el('p', { class: 'soft' }, 'A pair of JVMs that is opened below tells its calls by method.') : null);
    };
    // The places of names change when JVMs join.
    const askPair = delay => {
      const isPair = chosen && !matrix.isByCluster && matrix.cell(chosen.from, chosen.to), pair = isPair ? [matrix.names[chosen.from], matrix.names[chosen.to]] : [];
      if (pair.join('\t') === asked) return;
      asked = pair.join('\t');
      detail?.close();
      detail = isPair ? pairDetail(context, ...pair, delay) : null;
      fill(calls, detail?.element);
    };
    const choose = (at, delay = 0) => {
      chosen = at;
      draw(delay);
    };
    canvas.addEventListener('pointermove', event => {
      const at = matrix?.at(event.offsetX, event.offsetY);
      if (at && (at.from !== chosen?.from || at.to !== chosen?.to)) choose(at, POINTER_MILLIS);
    });
    canvas.addEventListener('keydown', event => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!step || !matrix?.names.length) return;
      const limit = value => Math.max(0, Math.min(matrix.names.length - 1, value));
      choose(chosen ? { from: limit(chosen.from + step[0]), to: limit(chosen.to + step[1]) } : { from: 0, to: 0 });
      event.preventDefault();
    });
    return {
      element: el('div', {},
        el('div', { class: 'bar' }, choice('Show', Object.entries(METRICS).map(([id, each]) => [id, each.title]), store.get('metric') ?? 'byteRate', id => {
          store.set('metric', id === 'byteRate' ? '' : id);
          draw();
        })),
        el('div', { class: 'matrixBox' }, el('div', { class: 'panel' }, canvas, scale), el('div', { class: 'panel' }, el('h3', {}, 'Chosen pair'), caption, info, calls)),
        panel('Pairs', '', table.element)),
      update() {
        draw();
        detail?.update();
        table.update([...context.model.pairs.values()]);
      },
      close() {
        detail?.close();
        table.close();
      },
    };
  },
};

/** The cells of nodes, or of clusters if there are many nodes. */
class Matrix {
  constructor(model) {
    const used = new Set();
    for (const pair of model.pairs.values()) used.add(pair.row.node).add(pair.row.peer);
    this.isByCluster = used.size > MOST_NODES;
    const place = name => this.isByCluster ? model.nodes.get(name)?.row.cluster || 'no cluster' : name;
    this.names = [...new Set([...used].map(place))].sort(byName).slice(0, MOST_NODES);
    const index = new Map(this.names.map((name, i) => [name, i]));
    this.cells = new Map();
    for (const pair of model.pairs.values()) {
      const from = index.get(place(pair.row.node)), to = index.get(place(pair.row.peer));
      if (from === undefined || to === undefined) continue;
      const key = from * MOST_NODES + to;
      let cell = this.cells.get(key);
      if (!cell) this.cells.set(key, cell = { from, to, byteRate: 0, messageRate: 0, bytes: 0, messages: 0, roundTrip: 0, roundTrips: 0, resets: 0, pairs: 0, drivers: new Set() });
      cell.byteRate += pair.bytes || 0;
      cell.messageRate += pair.messages || 0;
      cell.bytes += pair.row.bytes;
      cell.messages += pair.row.messages;
      cell.resets += pair.row.resets;
      cell.pairs++;
      if (pair.row.roundTripSeconds > 0) {
        cell.roundTrip += pair.row.roundTripSeconds;
        cell.roundTrips++;
      }
      if (pair.row.driver) cell.drivers.add(pair.row.driver);
    }
  }

  cell(from, to) { return this.cells.get(from * MOST_NODES + to); }

  most(metric) { return Math.max(0, ...[...this.cells.values()].map(metric.value)); }

  draw(canvas, metric, chosen) {
    const count = this.names.length, width = canvas.parentElement.clientWidth - 32 || 600;
    const longest = Math.min(14, Math.max(0, ...this.names.map(name => name.length)));
    this.left = 14 + longest * 6.6;
    this.top = this.left * 0.75 + 8;
    this.size = Math.max(7, Math.min(34, Math.floor((Math.min(width, 760) - this.left) / Math.max(1, count))));
    const context = pen(canvas, this.left + this.size * count + this.top * 0.7, this.top + this.size * count + 4);
    const most = this.most(metric) || 1, gap = this.size > 12 ? 2 : 1, text = ink('--soft'), none = ink('--cell');
    context.font = '11px system-ui, sans-serif';
    for (let from = 0; from < count; from++) {
      for (let to = 0; to < count; to++) {
        const cell = this.cell(from, to), value = cell ? metric.value(cell) : 0;
        // The root of the part, or a few large pairs would hide all others.
        context.fillStyle = value > 0 ? heat(0.06 + 0.94 * Math.sqrt(value / most)) : none;
        context.beginPath();
        context.roundRect(this.left + to * this.size, this.top + from * this.size, this.size - gap, this.size - gap, this.size > 12 ? 3 : 1);
        context.fill();
      }
    }
    const every = Math.ceil(12 / this.size);
    context.fillStyle = text;
    this.names.forEach((name, i) => {
      if (i % every) return;
      const label = name.length > 14 ? name.slice(0, 13) + '…' : name;
      context.textAlign = 'right';
      context.textBaseline = 'middle';
      write(context, label, this.left - 6, this.top + (i + 0.5) * this.size - 1);
      context.save();
      context.translate(this.left + (i + 0.5) * this.size, this.top - 5);
      context.rotate(-Math.PI / 4);
      context.textAlign = 'left';
      write(context, label, 0, 0);
      context.restore();
    });
    if (chosen && chosen.from < count && chosen.to < count) {
      context.strokeStyle = ink('--text');
      context.lineWidth = 2;
      context.strokeRect(this.left + chosen.to * this.size - 1, this.top + chosen.from * this.size - 1, this.size - gap + 2, this.size - gap + 2);
    }
  }

  at(x, y) {
    const to = Math.floor((x - this.left) / this.size), from = Math.floor((y - this.top) / this.size);
    return from >= 0 && to >= 0 && from < this.names.length && to < this.names.length ? { from, to } : null;
  }
}
