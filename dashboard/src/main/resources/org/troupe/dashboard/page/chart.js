// Charts of values over time: small lines of our own, and large ones by uPlot.

import { el, ink, pen, setText, styled } from './dom.js';
import { onScheme } from './colour.js';
import { time } from './format.js';

/** Loads uPlot when the first large chart is shown. */
const uPlot = async () => (await import('./vendor/uPlot.esm.js')).default;

/** Draws a small line without axes; the largest value decides the height. */
export function sparkline(canvas, values, colour) {
  const width = canvas.clientWidth || 120, height = canvas.clientHeight || 28;
  const context = pen(canvas, width, height);
  const known = values.filter(Number.isFinite);
  if (known.length < 2) return;
  const most = Math.max(...known, 1e-9) * 1.25;
  const x = i => i / (values.length - 1) * width, y = value => height - 1.5 - value / most * (height - 4);
  context.beginPath();
  let first = -1, last = -1;
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    if (first < 0) context.moveTo(x(first = i), y(value));
    else context.lineTo(x(i), y(value));
    last = i;
  });
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  context.stroke();
  context.lineTo(x(last), height);
  context.lineTo(x(first), height);
  context.globalAlpha = 0.14;
  context.fillStyle = colour;
  context.fill();
  context.globalAlpha = 1;
}

/**
 * A chart of a few series over time: {name, colour, values}. With `across`, which formats it, the horizontal axis is another one,
 * and the vertical one need not begin at 0.
 */
export class TimeChart {
  constructor(title, format, { height = 130, across = null } = {}) {
    this.format = format;
    this.height = height;
    this.across = across;
    this.caption = el('figcaption', {}, title);
    this.box = el('div', { class: 'plot' });
    this.element = el('figure', { class: 'chart' }, this.caption, this.box);
    this.plot = null;
    this.isDrawing = false;
    this.isClosed = false;
    this.forget = onScheme(() => this.#drop());
  }

  /** Changes the title. */
  rename(title) {
    setText(this.caption, title);
  }

  /** Shows values at times, in seconds since 1970, or at other numbers in ascending order. */
  async update(seconds, series) {
    if (this.isClosed || seconds.length === 0) return;
    this.element.dataset.points = seconds.length;
    const data = [seconds, ...series.map(each => each.values.map(value => Number.isFinite(value) ? value : null))];
    if (this.plot) {
      this.plot.setData(data);
      return;
    }
    if (this.isDrawing) return;
    this.isDrawing = true;
    try {
      const Plot = await uPlot();
      if (!this.isClosed) this.plot = new Plot(this.#options(series), data, this.box);
    } catch (error) {
      setText(this.box, 'The chart cannot be drawn: ' + error.message);
    } finally {
      this.isDrawing = false;
    }
  }

  #options(series) {
    const grid = { stroke: ink('--line'), width: 1 }, axis = { stroke: ink('--soft'), grid, ticks: { show: false }, font: '11px system-ui, sans-serif' };
    return {
      width: Math.max(200, this.box.clientWidth || 320), height: this.height,
      cursor: { y: false, points: { size: 6 } },
      legend: { show: series.length > 1, live: true },
      scales: { x: { time: !this.across }, y: { range: (plot, least, most) => this.across ? widened(least, most) : [0, most > 0 ? most * 1.1 : 1] } },
      axes: [{ ...axis, size: 26, space: 80, values: (plot, ticks) => ticks.map(tick => this.across ? this.across(tick) : time(tick * 1000)) }, { ...axis, size: 62, space: 28, values: (plot, ticks) => ticks.map(this.format) }],
      series: [{}, ...series.map(each => ({
        label: each.name, stroke: each.colour, width: 1.5, fill: series.length === 1 ? each.colour + '22' : undefined,
        points: { show: false }, value: (plot, value) => value === null ? '–' : this.format(value),
      }))],
    };
  }

  #drop() {
    this.plot?.destroy();
    this.plot = null;
  }

  close() {
    this.isClosed = true;
    this.forget();
    this.#drop();
  }
}

// A range with some space above and below the values.
function widened(least, most) {
  if (!Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
  const space = (most - least) * 0.08 || Math.abs(most) * 0.5 || 1;
  return [least - space, most + space];
}

/** Makes a bar of a part of 1, whose text says the same. */
export function meter(cell, part, text, level = '') {
  let box = cell.firstElementChild;
  if (!box) {
    box = el('span', { class: 'meter' }, el('span', { class: 'fill' }), el('span', { class: 'says' }));
    cell.replaceChildren(box);
  }
  styled(box.firstElementChild, { width: (Number.isFinite(part) ? Math.max(0, Math.min(1, part)) * 100 : 0).toFixed(1) + '%' });
  box.dataset.level = level;
  setText(box.lastElementChild, text);
}

