// Panels: what the program itself shows of its work.

import { act } from '../api.js';
import { TimeChart } from '../chart.js';
import { button, el, fill, ink, notice, panel, setAttribute, setText, styled } from '../dom.js';
import { LiveStream } from '../stream.js';
import { facts } from './parts.js';

const NOTHING = -32768, STRONGEST = 32767; // of a pixel
const BELOW = [0, 114, 178], ABOVE = [213, 94, 0]; // blue and orange, which most readers can tell apart
const BLUE = 210; // the hue of the first part, since red is for trouble
const SIDE = 384; // of a picture on the screen, at most
const MOST_LABELS = 40;
const PREFIXES = 'yzafpnµm kMGTPEZY';

/*
 * Design: a stream of their own.
 *
 * Pictures and curves are much larger than other rows, so the stream of the page has no panels. This view asks for them with a stream that has nothing else,
 * as long as it is open. A recording has them among its rows.
 */
export const panels = {
  about: 'What the program itself shows of its work.',
  make(context) {
    const rows = new Map(), boxes = new Map();
    const empty = notice('The program shows no panel', 'A program adds one by Grid.panel; the solver em3d does so with --live.');
    const told = el('p', { class: 'said', role: 'status', hidden: true }); // of the stream
    const element = el('div', {}, told, empty);
    const stream = context.recording ? null : new LiveStream(context.run, record => {
      if (record.record === 'begin' && record.isWhole !== false) rows.clear();
      else if (record.record === 'panel') rows.set(record.panel, record);
      if (record.record !== 'round') return false;
      context.redraw();
      return true;
    }, (state, text) => {
      setText(told, text && (state === 'ended' ? 'The run has ended.' : text) + ' What is shown is its last report.');
      told.hidden = !told.textContent;
    }, { rows: 'panels' });
    stream?.start();
    const drop = name => {
      boxes.get(name).close();
      boxes.get(name).element.remove();
      boxes.delete(name);
    };
    return {
      element,
      update() {
        const shown = stream ? rows : context.model.panels;
        for (const name of [...boxes.keys()]) if (!shown.has(name)) drop(name);
        for (const row of shown.values()) {
          if (!boxes.has(row.panel)) {
            boxes.set(row.panel, new PanelBox(context, row.panel));
            element.append(boxes.get(row.panel).element);
          }
          boxes.get(row.panel).update(row);
        }
        empty.hidden = shown.size > 0;
      },
      close() {
        stream?.stop();
        for (const name of [...boxes.keys()]) drop(name);
      },
    };
  },
};

/** A panel. Its parts are kept from round to round, so that the reader can use them. */
class PanelBox {
  constructor(context, name) {
    this.context = context;
    this.name = name;
    this.row = null;
    this.facts = el('div', {});
    this.buttons = el('div', { class: 'buttons' });
    this.said = el('p', { class: 'said', role: 'status' });
    this.late = el('p', { class: 'said', role: 'status' });
    this.items = el('div', { class: 'charts' });
    this.lines = el('pre', { class: 'text', 'aria-label': 'Lines of ' + name });
    this.pictures = new Map(); // by title and its number among equal ones
    this.curves = new Map(); // likewise
    this.element = panel(name, '', this.late, this.facts, this.buttons, this.said, this.items, this.lines);
  }

  update(row) {
    if (row === this.row) return;
    try {
      this.#draw(row);
    } catch (error) { // other panels go on
      fill(this.facts, notice('The page could not draw this panel', error.message));
    }
    this.row = row;
  }

  #draw(row) {
    setText(this.late, row.isLate ? 'The program has not filled this panel for some seconds. What is shown is out of date.' : '');
    this.late.hidden = !row.isLate;
    fill(this.facts, row.failure ? notice('The program could not fill this panel', row.failure) : facts(row.facts.map(fact => [fact.name, fact.value])));
    if (JSON.stringify(row.buttons) !== JSON.stringify(this.row?.buttons)) {
      fill(this.buttons, this.context.mayAct ? row.buttons.map(name => button(name, () => this.#press(name))) : null);
    }
    this.#show(this.pictures, row.pictures, title => new PanelPicture(title));
    this.#show(this.curves, row.curves, title => new PanelCurve(title));
    setText(this.lines, row.lines.join('\n'));
    this.lines.hidden = row.lines.length === 0;
  }

  #show(parts, rows, make) {
    const counts = new Map(), keyed = new Map();
    for (const row of rows) {
      counts.set(row.title, (counts.get(row.title) ?? 0) + 1);
      keyed.set(counts.get(row.title) + ' ' + row.title, row);
    }
    for (const key of [...parts.keys()]) if (!keyed.has(key)) this.#drop(parts, key);
    for (const [key, row] of keyed) {
      if (!parts.has(key)) {
        parts.set(key, make(row.title));
        this.items.append(parts.get(key).element);
      }
      parts.get(key).update(row);
    }
  }

  #drop(parts, key) {
    parts.get(key).close();
    parts.get(key).element.remove();
    parts.delete(key);
  }

  async #press(name) {
    try {
      await act('press', { run: this.context.run, panel: this.name, button: name });
      setText(this.said, '');
    } catch (error) {
      setText(this.said, error.message);
    }
  }

  close() {
    for (const parts of [this.pictures, this.curves]) for (const key of [...parts.keys()]) this.#drop(parts, key);
  }
}

/** A picture of numbers or of parts. */
class PanelPicture {
  constructor(title) {
    this.canvas = el('canvas', { class: 'picture', role: 'img' });
    this.legend = el('ul', { class: 'legend' });
    this.note = el('p', { class: 'hint' });
    this.element = el('figure', { class: 'chart' }, el('figcaption', {}, title), this.canvas, this.legend, this.note);
  }

  update(picture) {
    const { labels } = picture, hues = labels.map((_, i) => (BLUE + 360 * i / labels.length) % 360);
    this.#paint(picture, labels.length ? hues.map(hue => rgbOf(hue, 0.6)) : null);
    fill(this.legend, labels.slice(0, MOST_LABELS).map((label, i) => el('li', {}, styled(el('span', { class: 'swatch', 'aria-hidden': 'true' }), { background: `hsl(${hues[i]} 50% 60%)` }), label)),
      labels.length > MOST_LABELS ? el('li', {}, 'and ' + (labels.length - MOST_LABELS) + ' more') : null);
    setText(this.note, [labels.length ? '' : range(picture), picture.note].filter(Boolean).join('; '));
    setAttribute(this.canvas, 'aria-label', picture.title + ', ' + (labels.length ? 'parts: ' + labels.slice(0, MOST_LABELS).join(', ') : range(picture)));
  }

  #paint({ width, height, pixels }, parts) {
    const values = new Int16Array(Uint8Array.from(atob(pixels), character => character.charCodeAt(0)).buffer);
    const neutral = rgb(ink('--panel')), nothing = rgb(ink('--cell'));
    const image = new ImageData(width, height);
    values.forEach((value, i) => {
      const colour = value === NOTHING ? nothing : parts ? parts[value] : mixed(neutral, value < 0 ? BELOW : ABOVE, Math.abs(value) / STRONGEST);
      image.data.set([...colour, 255], 4 * i);
    });
    const small = new OffscreenCanvas(width, height), zoom = Math.max(1, Math.floor(SIDE / Math.max(width, height)));
    small.getContext('2d').putImageData(image, 0, 0);
    this.canvas.width = zoom * width;
    this.canvas.height = zoom * height;
    const pen = this.canvas.getContext('2d');
    pen.imageSmoothingEnabled = false;
    pen.drawImage(small, 0, 0, this.canvas.width, this.canvas.height);
  }

  close() {}
}

function range({ largest, unit }) {
  if (largest === 0) return 'all values are 0';
  const { factor, text } = scale([largest], unit), most = short(largest * factor);
  return `from -${most} (blue) to ${most}${text} (orange)`;
}

/** A curve. */
class PanelCurve {
  constructor(title) {
    this.chart = new TimeChart(title, short, { height: 220, across: short });
    this.element = this.chart.element;
  }

  update({ title, across, up, xs, ys }) {
    const x = scale(xs, across.unit), y = scale(ys, up.unit);
    this.chart.rename(title + (up.name === title ? '' : ': ' + up.name) + bracketed(y.text) + ' by ' + across.name + bracketed(x.text));
    this.chart.update(xs.map(value => value * x.factor), [{ name: up.name, colour: ink('--c1'), values: ys.map(value => value * y.factor) }]);
  }

  close() {
    this.chart.close();
  }
}

const bracketed = text => text.trim() ? ' (' + text.trim() + ')' : '';
const short = value => String(Number(value.toPrecision(4)));

// A unit with a power of 1000 as its prefix, so that numbers need few digits.
function scale(values, unit) {
  const largest = values.reduce((most, value) => Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most, 0);
  let power = largest === 0 ? 0 : Math.floor(Math.log10(largest) / 3);
  if (!unit && power >= -1 && power <= 1) power = 0;
  const prefix = PREFIXES[8 + power];
  const text = power === 0 ? ' ' + unit : unit && prefix ? ' ' + prefix + unit : ' 10^' + 3 * power + ' ' + unit;
  return { factor: 1000 ** -power, text: text.trimEnd() };
}

const mixed = (from, to, part) => from.map((value, i) => value + part * (to[i] - value));
const rgb = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));

// A colour of half the saturation, as CSS's hsl() has it.
function rgbOf(hue, light) {
  const at = n => {
    const k = (n + hue / 30) % 12;
    return 255 * (light - 0.5 * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [at(0), at(8), at(4)];
}
