// Where the time of the processors goes: samples of all JVMs as a flame graph, and by method.

import { ask, eachLine } from '../api.js';
import { colourOf, textOn } from '../colour.js';
import { button, download, el, fill, ink, notice, pen, setText, write } from '../dom.js';
import { byName, percent, plural, shortFrame, shortType } from '../format.js';
import { Table } from '../table.js';
import { choice, cut } from './parts.js';

const SECONDS = 10;
const ROW = 19, LEAST_WIDTH = 0.7, LETTER = 6.4;

/*
 * Design: the graph.
 *
 * A stack has the node and the class of the active object in front of its frames, or 'threads' if its thread serves none. Equal beginnings of stacks are one frame, as wide
 * as the samples in it; the frames that it calls lie below it. The chosen frame is told in words; Enter or a click gives it the whole width, below its callers. The last profile of a run is
 * kept for the next look at this view.
 */
let last = null; // {run, stacks, said}

export const profile = {
  id: 'profile', title: 'Profile', key: 'p', isIndependent: true, about: 'Where the time of the processors goes: the stacks of running threads of all JVMs, below the class of the active object that they serve.',
  make(context) {
    const { store } = context;
    const canvas = el('canvas', { class: 'flame', tabindex: '0', role: 'img', 'aria-label': 'Flame graph; the table below has its methods. Arrow keys choose a frame, Enter gives it the whole width, Escape shows all.' });
    const info = el('span', { class: 'info', role: 'status' }), told = el('p', { class: 'answer', role: 'status' }), found = el('span', { class: 'info' });
    const graph = el('div', { class: 'panel' }, told, canvas), place = el('div', {});
    const table = new Table({ name: 'profile', caption: 'Methods by their own time', columns: COLUMNS, key: row => row.name, sort: 'own' });
    let flame = null, controller = null, width = 0;

    const draw = () => {
      if (!flame) return;
      width = graph.clientWidth;
      flame.draw(canvas, Math.max(320, width - 32), store.get('find') ?? '');
      const { chosen, root } = flame, part = flame.partOf(store.get('find') ?? '');
      setText(told, chosen ? chosen.title + ': ' + plural(chosen.samples, 'sample') + ', ' + percent(chosen.samples / root.samples) + ' of all.' : 'Point at a frame, or choose one with the arrow keys.');
      setText(found, store.get('find') ? percent(part) + ' of the samples' : '');
    };
    const show = () => {
      const isKnown = last?.run === context.run && last.stacks.length > 0;
      flame = isKnown ? new Flame(last.stacks, store.get('by') !== 'class', context.model) : null;
      save.disabled = !isKnown;
      setText(info, last?.run === context.run ? last.said : '');
      if (!isKnown) return fill(place, notice(last?.run === context.run ? 'No thread was running at a sample.' : 'No profile was taken yet.', 'A profile takes some ' + SECONDS + ' s, and costs the JVMs a percent or two meanwhile.'));
      fill(place, graph, el('div', { class: 'panel' }, table.element));
      table.update(methods(last.stacks));
      draw();
    };
    const take = async () => {
      sample.disabled = true;
      controller = new AbortController();
      setText(info, 'Taking samples for ' + SECONDS + ' s, and reading them.');
      const { run } = context, stacks = [];
      let said = 'The profile ended early, as when the program has ended.', isWhole = false;
      try {
        await eachLine(await ask('profile', { run, seconds: SECONDS }, controller.signal), line => {
          const row = JSON.parse(line);
          if (row.record === 'stack') stacks.push({ frames: row.stack.split(';'), samples: row.samples });
          else if (row.record === 'failed') said = row.error;
          else if (row.record === 'end') {
            said = summary(row);
            isWhole = true;
          }
        });
        if (isWhole) {
          last = { run, stacks, said };
          show();
        } else setText(info, said);
      } catch (error) {
        if (error.name !== 'AbortError') setText(info, error.message);
      }
      sample.disabled = false;
    };
    const sample = button('Sample ' + SECONDS + ' s', take, { class: 'main', disabled: context.recording !== null });
    const save = button('Save', () => download('troupe.folded', 'text/plain', last.stacks.map(each => each.frames.join(';') + ' ' + each.samples + '\n').join('')), { class: 'quiet', title: 'Save as folded stacks, which other tools draw, too' });

    const choose = frame => {
      flame.chosen = frame;
      draw();
    };
    const zoom = frame => {
      flame.focus = frame;
      choose(frame);
    };
    canvas.addEventListener('pointermove', event => {
      const frame = flame?.at(event.offsetX, event.offsetY) ?? null;
      canvas.classList.toggle('pointing', frame !== null);
      if (frame && frame !== flame.chosen) choose(frame);
    });
    canvas.addEventListener('click', event => {
      const frame = flame?.at(event.offsetX, event.offsetY);
      if (frame) zoom(frame);
    });
    canvas.addEventListener('keydown', event => {
      const { chosen } = flame, next = chosen ? NEIGHBOURS[event.key]?.(chosen) : event.key in NEIGHBOURS ? flame.focus : null;
      if (event.key === 'Enter' && chosen) zoom(chosen);
      else if (event.key === 'Escape') zoom(flame.root);
      else if (next) choose(next);
      else if (!(event.key in NEIGHBOURS)) return;
      event.preventDefault();
    });
    show();
    return {
      element: el('div', {}, el('div', { class: 'bar' }, sample, choice('Below', [['node', 'node and class'], ['class', 'class']], store.get('by') ?? 'node', value => {
        store.set('by', value === 'node' ? '' : value);
        show();
      }), el('input', { type: 'search', class: 'find', placeholder: 'Find', 'aria-label': 'Find in frames', value: store.get('find') ?? '', oninput: event => {
        store.set('find', event.target.value);
        draw();
      } }), found, el('span', { class: 'grow' }), info, save), place),
      update() {
        if (graph.clientWidth !== width) draw();
      },
      close() {
        controller?.abort();
        table.close();
      },
    };
  },
};

const COLUMNS = [
  { id: 'name', title: 'Method', kind: 'code', value: row => row.name, show: row => shortFrame(row.name), full: row => row.name },
  { id: 'own', title: 'Own time', isNumber: true, help: 'The part of the samples in which the method itself was running', value: row => row.own, show: row => percent(row.own) },
  { id: 'all', title: 'With its calls', isNumber: true, help: 'The part of the samples in which the method, or what it has called, was running', value: row => row.all, show: row => percent(row.all) },
];

// The frames that an arrow key leads to.
const NEIGHBOURS = {
  ArrowUp: frame => frame.parent,
  ArrowDown: frame => frame.sorted.reduce((most, each) => most && most.samples >= each.samples ? most : each, null),
  ArrowLeft: frame => sibling(frame, -1),
  ArrowRight: frame => sibling(frame, 1),
};

function sibling(frame, step) {
  const all = frame.parent?.sorted ?? [frame];
  return all[all.indexOf(frame) + step] ?? null;
}

function summary(end) {
  return plural(end.samples, 'sample') + ' of ' + plural(end.nodes, 'JVM') + (end.isFull ? '; these were enough, and other JVMs are left out' : '') + (end.dropped > 0 ? '; rare stacks with ' + plural(end.dropped, 'sample') + ' are left out' : '')
    + (end.missing?.length ? '; none of ' + end.missing.slice(0, 5).join(', ') + (end.missing.length > 5 ? ' and ' + plural(end.missing.length - 5, 'more JVM') : '') : '') + '.';
}

// The frames are behind the node and the class. A method that calls itself counts once per stack.
function methods(stacks) {
  const rows = new Map(), sum = stacks.reduce((all, stack) => all + stack.samples, 0);
  for (const { frames, samples } of stacks) {
    for (const name of new Set(frames.slice(2))) {
      let row = rows.get(name);
      if (!row) rows.set(name, row = { name, own: 0, all: 0 });
      row.all += samples / sum;
      if (name === frames[frames.length - 1]) row.own += samples / sum;
    }
  }
  return [...rows.values()];
}

/** A frame below its callers, with the samples in it. */
class Frame {
  constructor(name, parent, type) {
    this.name = name;
    this.parent = parent;
    this.type = type; // of the active object; empty if there is none
    this.depth = parent ? parent.depth + 1 : 0;
    this.samples = 0;
    this.children = new Map();
  }

  get title() { return shortFrame(this.name); }

  get sorted() {
    return this.order ??= [...this.children.values()].sort((a, b) => byName(a.name, b.name));
  }
}

class Flame {
  constructor(stacks, isByNode, model) {
    const types = new Map([...model.types.keys()].map(type => [shortType(type), type])), first = isByNode ? 0 : 1;
    this.root = new Frame('all', null, '');
    this.levels = 1;
    for (const { frames, samples } of stacks) {
      let at = this.root;
      at.samples += samples;
      for (let i = first; i < frames.length; i++) {
        let next = at.children.get(frames[i]);
        if (!next) at.children.set(frames[i], next = new Frame(frames[i], at, i === 0 || frames[1] === 'threads' ? '' : types.get(shortType(frames[1])) ?? frames[1]));
        at = next;
        at.samples += samples;
      }
      this.levels = Math.max(this.levels, at.depth + 1);
    }
    this.focus = this.root;
    this.chosen = null;
    this.boxes = [];
  }

  /** The part of the samples with a frame whose name contains a text. */
  partOf(text) {
    const wanted = text.toLowerCase();
    const sum = frame => frame.name.toLowerCase().includes(wanted) ? frame.samples : frame.sorted.reduce((all, each) => all + sum(each), 0);
    return wanted ? this.root.sorted.reduce((all, each) => all + sum(each), 0) / this.root.samples : 0;
  }

  draw(canvas, width, text) {
    const context = pen(canvas, width, this.levels * ROW), wanted = text.toLowerCase();
    const idle = ink('--idle'), line = ink('--text'), soft = ink('--cell');
    this.#place(width);
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    for (const { frame, x, width: wide } of this.boxes) {
      const y = frame.depth * ROW, colour = frame.type ? colourOf(frame.type) : idle, isFound = !wanted || frame.name.toLowerCase().includes(wanted);
      context.fillStyle = isFound ? colour : soft;
      context.globalAlpha = isFound ? frame.depth % 2 ? 1 : 0.86 : 1;
      context.fillRect(x, y, Math.max(LEAST_WIDTH, wide - 1), ROW - 1);
      context.globalAlpha = 1;
      if (frame === this.chosen) {
        context.strokeStyle = line;
        context.lineWidth = 2;
        context.strokeRect(x + 1, y + 1, Math.max(1, wide - 3), ROW - 3);
      }
      if (wide < 30) continue;
      context.fillStyle = isFound && frame.type ? textOn(colour) : line;
      write(context, cut(frame.title, Math.floor((wide - 8) / LETTER)), x + 4, y + ROW / 2);
    }
  }

  // The focus and its callers have the whole width.
  #place(width) {
    this.boxes = [];
    for (let frame = this.focus; frame; frame = frame.parent) this.boxes.push({ frame, x: 0, width });
    const below = (parent, left) => {
      let x = left;
      for (const frame of parent.sorted) {
        const wide = frame.samples / this.focus.samples * width;
        if (wide >= LEAST_WIDTH) {
          this.boxes.push({ frame, x, width: wide });
          below(frame, x);
        }
        x += wide;
      }
    };
    below(this.focus, 0);
  }

  at(x, y) {
    const depth = Math.floor(y / ROW);
    return this.boxes.find(box => box.frame.depth === depth && x >= box.x && x < box.x + box.width)?.frame ?? null;
  }
}
