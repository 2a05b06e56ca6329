// A flame graph: samples of stacks, drawn on a canvas.

import { colourOf, textOn } from './colour.js';
import { ink, pen, write } from './dom.js';
import { byName, plural, shortFrame, shortType } from './format.js';
import { cut } from './views/parts.js';

const ROW = 19, LEAST_WIDTH = 0.7, LETTER = 6.4;

/*
 * Design: the graph.
 *
 * A stack has the node and the class of the active object in front of its frames, or 'threads' if its thread serves none. Equal beginnings of stacks are one frame, as wide
 * as the samples in it; the frames that it calls lie below it. The chosen frame is told in words; Enter or a click gives it the whole width, below its callers.
 */

// The frames that an arrow key leads to.
export const NEIGHBOURS = {
  ArrowUp: frame => frame.parent,
  ArrowDown: frame => frame.sorted.reduce((most, each) => most && most.samples >= each.samples ? most : each, null),
  ArrowLeft: frame => sibling(frame, -1),
  ArrowRight: frame => sibling(frame, 1),
};

function sibling(frame, step) {
  const all = frame.parent?.sorted ?? [frame];
  return all[all.indexOf(frame) + step] ?? null;
}

/** Tells what a profile has, from its last record. */
export function summary(end) {
  return plural(end.samples, 'sample') + ' of ' + plural(end.nodes, 'JVM') + (end.isFull ? '; these were enough, and other JVMs are left out' : '') + (end.dropped > 0 ? '; rare stacks with ' + plural(end.dropped, 'sample') + ' are left out' : '')
    + (end.missing?.length ? '; none of ' + end.missing.slice(0, 5).join(', ') + (end.missing.length > 5 ? ' and ' + plural(end.missing.length - 5, 'more JVM') : '') : '') + '.';
}

/** Returns a row for each method. The frames are behind the node and the class; a method that calls itself counts once per stack. */
export function methods(stacks) {
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

export class Flame {
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
