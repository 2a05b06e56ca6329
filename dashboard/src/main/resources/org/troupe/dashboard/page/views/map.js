// The grid as a picture: clusters, hosts and JVMs as boxes, with a square per object or a tile per class.

import { colourOf } from '../colour.js';
import { button, el, ink, pen, setAttribute, setText, shown, write } from '../dom.js';
import { byName, byteRate, count, duration, plural, rate, shortType, time, whole } from '../format.js';
import { Moment } from '../moments.js';
import { choice } from './parts.js';

const MOST_SQUARES = 5000;
const PAD = 8, HEAD = 20;
const FEW_SQUARES = 1200; // are drawn larger
const TILE = { width: 74, height: 20 };
const LETTER = 7, LONGEST_TITLE = 140;
const MOST_ARCS = 40, WIDEST_ARC = 7;
const ARCS = [['bytes', 'bytes per second', byteRate], ['messages', 'messages per second', rate]];
const STATES = [['idle', '--idle', 'idle'], ['serving', '--serve', 'serving'], ['queued', '--queue', 'with requests'], ['waiting', '--wait', 'waiting']];

/*
 * Design: layout.
 *
 * Boxes flow from left to right and wrap; a box of a JVM is as large as its objects need. What objects do is known of those that reports
 * name and as sums of each class, so squares have no identity: first come the waiting ones, then those that serve, then the idle ones. The layout is
 * made anew only if counts have changed; a click or Enter leads to the node. Arcs are the pairs of JVMs with most traffic, or those of the chosen JVM: each bends to
 * the right of its direction, so that the two directions of a pair lie apart. On a live page a slider leads to the rounds that the page has kept; the page of a
 * recording has one for all its views.
 */
export const map = {
  about: 'Clusters, hosts and JVMs with their active objects.',
  make(context) {
    const { store } = context;
    const canvas = el('canvas', { class: 'map', tabindex: '0', role: 'img', 'aria-label': 'Map of the grid; the nodes and the traffic views have the same as tables. Arrow keys choose a JVM, Enter opens it.' });
    const said = el('p', { class: 'answer', role: 'status' }, 'Point at a JVM, or choose one with the arrow keys.');
    const legend = el('ul', { class: 'legend' }), traffic = el('p', { class: 'about arcs' });
    const slider = el('input', { type: 'range', min: '0', step: '1', oninput: () => {
      const { moments } = context.past, at = Number(slider.value);
      go(at < moments.length - 1 ? moments[at] : null);
    } });
    const told = el('span', { class: 'info' }), back = button('Back to now', () => {
      go(null);
      slider.focus();
    });
    const frame = el('div', { class: 'panel mapBox' }, said, traffic, canvas);
    let boxes = [], chosen = null, shownLegend = '', past = null; // the moment that is shown, unless it is now

    const go = moment => {
      past = moment;
      draw();
      if (chosen) choose(boxes.find(box => box.name === chosen));
    };
    const tellTime = () => {
      const { moments } = context.past;
      slider.max = String(moments.length - 1);
      slider.value = String(past ? Math.max(0, moments.indexOf(past)) : moments.length - 1);
      setAttribute(slider, 'aria-valuetext', past ? time(past.time) + ', in the past' : 'now');
      setText(told, past ? `The map shows the past: ${time(past.time)}, ${duration((context.model.now - past.time) / 1000)} ago.` : 'now');
      back.disabled = !past;
      frame.classList.toggle('past', past !== null);
    };
    const draw = () => {
      const isByClass = store.get('colour') === 'class', moment = past ?? new Moment(context.model);
      if (!context.recording) tellTime();
      const grid = new GridLayout(moment, Math.max(320, canvas.parentElement.clientWidth - 2 * 16));
      boxes = grid.boxes;
      const metric = ARCS.find(([id]) => id === (store.get('arcs') ?? 'bytes')), arcs = new Arcs(moment, metric?.[0], boxes, chosen);
      grid.draw(canvas, isByClass, chosen, arcs);
      setText(traffic, metric ? arcs.describe(metric) : '');
      const entries = isByClass ? [...context.model.types.keys()].slice(0, 14).map(type => [shortType(type), colourOf(type)]) : STATES.map(([, colour, name]) => [name, ink(colour)]);
      const key = JSON.stringify(entries) + grid.isTiled;
      if (key !== shownLegend) {
        shownLegend = key;
        legend.replaceChildren(...entries.map(([name, colour]) => el('li', {}, el('span', { class: 'swatch', style: { background: colour } }), name)), el('li', { class: 'soft' }, grid.isSmall ? 'one square per JVM: larger with more objects, stronger with more load' : grid.isTiled ? 'one tile per class, with the number of its objects' : 'one square per object'));
      }
    };
    const choose = box => {
      chosen = box?.name ?? null;
      if (box) setText(said, describe(box));
      draw();
    };
    const open = () => { if (chosen) location.hash = '#/nodes?node=' + encodeURIComponent(chosen); };
    const at = event => boxes.find(box => event.offsetX >= box.x && event.offsetX <= box.x + box.width && event.offsetY >= box.y && event.offsetY <= box.y + box.height);
    canvas.addEventListener('pointermove', event => {
      const box = at(event);
      canvas.classList.toggle('pointing', Boolean(box));
      if (box && box.name !== chosen) choose(box);
    });
    canvas.addEventListener('pointerleave', () => { if (chosen) choose(null); });
    canvas.addEventListener('click', event => { if (at(event)) open(); });
    canvas.addEventListener('keydown', event => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (event.key === 'Enter') open();
      if (event.key === 'Escape' && chosen) choose(null);
      if (!step || boxes.length === 0) return;
      const now = boxes.findIndex(box => box.name === chosen);
      choose(boxes[now < 0 ? 0 : (now + step + boxes.length) % boxes.length]);
      event.preventDefault();
    });
    return {
      element: el('div', {}, el('div', { class: 'bar' }, choice('Colour by', [['state', 'state'], ['class', 'class']], store.get('colour') ?? 'state', value => {
        store.set('colour', value === 'state' ? '' : value);
        draw();
      }), choice('Arcs', [...ARCS, ['none', 'none']], store.get('arcs') ?? 'bytes', value => {
        store.set('arcs', value === 'bytes' ? '' : value);
        draw();
      }), legend),
      context.recording ? null : el('div', { class: 'bar times' }, el('label', { class: 'choice' }, 'Time', slider), told, back), frame),
      update: draw,
    };
  },
};

function describe(node) {
  return `${node.name} on ${node.host || 'this machine'}, ${node.isProgram ? 'the program' : node.state}: ` + (node.hasReport
    ? `${plural(node.objects, 'object')}, ${whole(node.requests)} requests queued, ${whole(node.waiting)} objects waiting` : node.detail || 'no report yet') + '.';
}

const isOver = ({ state }) => state === 'ended' || state === 'released';
const titleOf = node => node.name + (isOver(node) ? ` (${node.state})` : node.isProgram ? ' (program)' : '');

class GridLayout {
  constructor(moment, width) {
    const nodes = moment.nodes.sort((a, b) => byName(a.name, b.name));
    this.isTiled = nodes.reduce((sum, each) => sum + each.objects, 0) > MOST_SQUARES;
    this.step = nodes.reduce((sum, each) => sum + each.objects, 0) > FEW_SQUARES ? 10 : 15;
    this.boxes = [];
    this.frames = [];
    this.width = width;
    const clusters = groupBy(nodes, each => each.cluster || (each.isProgram ? 'program' : isOver(each) ? 'ended' : 'not joined'));
    const isSmall = this.isSmall = nodes.length > 200;
    this.mostCores = Math.max(0.1, ...nodes.map(each => each.cpu || 0));
    const outer = new Flow(0, 0, width);
    for (const [cluster, inCluster] of clusters) {
      const boxes = [], frames = [], flow = new Flow(PAD, HEAD + PAD, width - PAD);
      for (const [host, onHost] of groupBy(inCluster, each => each.host || '')) {
        const sizes = onHost.map(each => this.#sizeOf(each, isSmall));
        if (!isSmall && onHost.length > 1 && host) {
          const inner = rowsOf(sizes, width - 4 * PAD), size = { width: inner.width + 2 * PAD, height: inner.height + HEAD + PAD };
          const spot = flow.place(size.width, size.height);
          frames.push({ ...spot, ...size, title: host, isHost: true });
          onHost.forEach((each, i) => boxes.push({ ...each, ...sizes[i], x: spot.x + PAD + inner.places[i].x, y: spot.y + HEAD + inner.places[i].y }));
        } else onHost.forEach((each, i) => boxes.push({ ...each, ...sizes[i], ...flow.place(sizes[i].width, sizes[i].height) }));
      }
      const title = `${cluster} · ${plural(inCluster.length, 'JVM')}`;
      const size = { width: Math.min(width, Math.max(flow.widest + PAD, title.length * 8 + 2 * PAD)), height: flow.bottom + PAD };
      const spot = outer.place(size.width, size.height);
      this.frames.push({ ...spot, ...size, title, isHost: false });
      for (const each of [...boxes, ...frames]) {
        each.x += spot.x;
        each.y += spot.y;
      }
      this.boxes.push(...boxes);
      this.frames.push(...frames);
    }
    this.height = Math.max(60, outer.bottom + 1);
  }

  #sizeOf(each, isSmall) {
    if (isSmall) {
      const side = 16 + Math.min(14, Math.round(Math.log2(1 + each.objects) * 1.2));
      return { width: side, height: side, isSmall };
    }
    const head = HEAD;
    if (this.isTiled) {
      const tiles = Math.max(1, Math.min(each.classes.length || 1, 12)), columns = Math.min(2, tiles);
      return { width: columns * (TILE.width + 3) + PAD + 3, height: head + Math.ceil(tiles / columns) * (TILE.height + 3) + 5 };
    }
    const columns = Math.max(6, Math.ceil(Math.sqrt(each.objects * 1.6)));
    return { width: Math.max(columns * this.step + PAD + 2, 84, Math.min(LONGEST_TITLE, titleOf(each).length * LETTER + 12)), height: head + Math.max(1, Math.ceil(each.objects / columns)) * this.step + 5, columns, step: this.step };
  }

  draw(canvas, isByClass, chosen, arcs) {
    const context = pen(canvas, this.width, this.height);
    const colours = Object.fromEntries(['--text', '--soft', '--line', '--bg', '--panel', '--bad', '--warn', '--accent', '--idle', '--serve', '--queue', '--wait'].map(name => [name, ink(name)]));
    context.textBaseline = 'middle';
    for (const frame of [...this.frames].sort((a, b) => a.isHost - b.isHost)) {
      context.fillStyle = frame.isHost ? colours['--panel'] : colours['--bg'];
      context.strokeStyle = colours['--line'];
      context.lineWidth = 1;
      box(context, frame, frame.isHost ? 6 : 10);
      context.fill();
      context.stroke();
      context.fillStyle = colours['--soft'];
      context.font = (frame.isHost ? '' : '600 ') + '12px system-ui, sans-serif';
      write(context, fitted(context, frame.title, frame.width - 16), frame.x + 8, frame.y + HEAD / 2 + (frame.isHost ? 0 : 3));
    }
    for (const each of this.boxes) this.#drawNode(context, each, colours, isByClass, each.name === chosen);
    arcs.draw(context, ink('--c3'));
  }

  #drawNode(context, each, colours, isByClass, isChosen) {
    const hasEnded = each.state === 'ended', busy = each.objects ? (each.serving + each.queued) / each.objects : 0;
    context.lineWidth = isChosen ? 2.5 : hasEnded || each.state === 'silent' ? 2 : 1;
    context.strokeStyle = isChosen ? colours['--accent'] : hasEnded ? colours['--bad'] : each.state === 'silent' ? colours['--warn'] : colours['--line'];
    context.setLineDash(each.state === 'starting' || each.state === 'silent' ? [4, 3] : []);
    context.fillStyle = each.isSmall ? hasEnded ? colours['--bad'] : each.waiting > each.objects / 2 && each.objects ? colours['--wait'] : busy > 0 ? colours['--serve'] : colours['--idle'] : colours['--panel'];
    if (each.isSmall && !hasEnded) context.globalAlpha = each.state === 'joined' ? 0.25 + 0.75 * (each.cpu || 0) / this.mostCores : 0.3;
    box(context, each, each.isSmall ? 4 : 6);
    context.fill();
    context.globalAlpha = 1;
    if (!each.isSmall || isChosen || hasEnded || each.state !== 'joined') context.stroke();
    context.setLineDash([]);
    if (each.isSmall) return;
    context.font = '600 11px system-ui, sans-serif';
    context.fillStyle = hasEnded ? colours['--bad'] : colours['--text'];
    write(context, fitted(context, titleOf(each), each.width - 10), each.x + 6, each.y + HEAD / 2 + 1);
    if (this.isTiled) drawTiles(context, each, colours);
    else drawSquares(context, each, colours, isByClass);
  }
}

/** The pairs of JVMs with the largest traffic, or all of the chosen one, as far as they fit. */
class Arcs {
  constructor(moment, rateName, boxes, chosen) {
    const places = new Map(boxes.map(each => [each.name, each])), all = [];
    for (const pair of rateName ? moment.pairs : []) {
      const from = places.get(pair.from), to = places.get(pair.to), value = pair[rateName];
      if (from && to && from !== to && value > 0 && (!chosen || from.name === chosen || to.name === chosen)) all.push({ from, to, value });
    }
    this.count = all.length;
    this.shown = all.sort((a, b) => b.value - a.value).slice(0, MOST_ARCS);
    this.of = chosen;
  }

  describe([, title, show]) {
    const of = this.of ? ' of ' + this.of : '';
    if (this.count === 0) return 'Arcs: no pair of JVMs' + of + ' has traffic now.';
    const [{ from, to, value }] = this.shown;
    return 'Arcs: ' + (this.shown.length < this.count ? `the ${whole(this.shown.length)} largest of ${plural(this.count, 'pair')}` : plural(this.count, 'pair')) + of
      + ', width by ' + title + '; the widest is ' + from.name + ' → ' + to.name + ' with ' + show(value) + '.';
  }

  draw(context, colour) {
    context.save();
    context.strokeStyle = context.fillStyle = colour;
    context.globalAlpha = 0.6;
    for (const { from, to, value } of [...this.shown].reverse()) {
      const a = centre(from), b = centre(to), width = 1 + (WIDEST_ARC - 1) * value / this.shown[0].value;
      const bend = 0.2, control = { x: (a.x + b.x) / 2 + bend * (a.y - b.y), y: (a.y + b.y) / 2 + bend * (b.x - a.x) };
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(a.x, a.y);
      context.quadraticCurveTo(control.x, control.y, b.x, b.y);
      context.stroke();
      arrowhead(context, { x: (a.x + 2 * control.x + b.x) / 4, y: (a.y + 2 * control.y + b.y) / 4 }, Math.atan2(b.y - a.y, b.x - a.x), 4 + width);
    }
    context.restore();
  }
}

const centre = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

// At the middle of an arc, whose direction there is that from end to end.
function arrowhead(context, { x, y }, angle, size) {
  context.beginPath();
  for (const turn of [0, 2.5, -2.5]) context.lineTo(x + size * Math.cos(angle + turn), y + size * Math.sin(angle + turn));
  context.fill();
}

function drawSquares(context, each, colours, isByClass) {
  const states = [['waiting', '--wait'], ['serving', '--serve'], ['queued', '--queue']];
  const list = isByClass && each.classes.length ? each.classes.flatMap(row => Array(row.objects).fill(colourOf(row.type)))
    : states.flatMap(([state, colour]) => Array(each[state]).fill(colours[colour]));
  for (let i = 0; i < each.objects; i++) {
    context.fillStyle = list[i] ?? colours['--idle'];
    context.beginPath();
    context.roundRect(each.x + 6 + i % each.columns * each.step, each.y + HEAD + Math.floor(i / each.columns) * each.step, each.step - 2, each.step - 2, 2);
    context.fill();
  }
}

function drawTiles(context, each, colours) {
  const classes = each.classes.length ? [...each.classes].sort((a, b) => b.objects - a.objects).slice(0, 12) : [{ type: 'objects', objects: each.objects, serving: each.serving }];
  const columns = Math.min(2, classes.length);
  context.font = '11px system-ui, sans-serif';
  classes.forEach((row, i) => {
    const x = each.x + 6 + i % columns * (TILE.width + 3), y = each.y + HEAD + Math.floor(i / columns) * (TILE.height + 3);
    context.fillStyle = colours['--bg'];
    context.beginPath();
    context.roundRect(x, y, TILE.width, TILE.height, 4);
    context.fill();
    context.fillStyle = colourOf(row.type);
    context.fillRect(x, y + 3, 4, TILE.height - 6);
    context.fillStyle = colours['--text'];
    const number = count(row.objects), space = TILE.width - 14 - context.measureText(number).width;
    write(context, fitted(context, shortType(row.type), space), x + 7, y + TILE.height / 2);
    context.textAlign = 'right';
    context.fillStyle = colours['--soft'];
    write(context, number, x + TILE.width - 4, y + TILE.height / 2);
    context.textAlign = 'left';
  });
}

function box(context, { x, y, width, height }, radius) {
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, radius);
}

function fitted(context, name, width) {
  const text = shown(name);
  if (context.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 1 && context.measureText(text.slice(0, length) + '…').width > width) length--;
  return text.slice(0, length) + '…';
}

function groupBy(list, key) {
  const groups = new Map();
  for (const each of list) {
    const name = key(each);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(each);
  }
  return [...groups].sort(([a], [b]) => byName(a, b));
}

/** Places boxes from left to right in rows. */
class Flow {
  constructor(left, top, right) {
    Object.assign(this, { left, right, x: left, y: top, bottom: top, widest: left });
  }

  place(width, height) {
    if (this.x > this.left && this.x + width > this.right) {
      this.x = this.left;
      this.y = this.bottom + 6;
    }
    const spot = { x: this.x, y: this.y };
    this.x += width + 6;
    this.widest = Math.max(this.widest, spot.x + width);
    this.bottom = Math.max(this.bottom, this.y + height);
    return spot;
  }
}

function rowsOf(sizes, most) {
  const flow = new Flow(0, 0, Math.max(most, ...sizes.map(size => size.width)));
  const places = sizes.map(size => flow.place(size.width, size.height));
  return { places, width: Math.max(...places.map((place, i) => place.x + sizes[i].width)), height: flow.bottom };
}
