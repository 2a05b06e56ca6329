// What objects did over time: a lane per object or node, with zoom.

import { ask, eachLine } from '../api.js';
import { colourOf, textOn } from '../colour.js';
import { button, download, el, fill, ink, pen, setAttribute, setText, write } from '../dom.js';
import { byName, duration, fineTime, plural, shortMethod, shortType, whole } from '../format.js';
import { gapsOf, TimeScale } from '../timescale.js';
import { choice, facts, link } from './parts.js';

const TRACE_SECONDS = 5;
const LANE = 22, GAP = 3, LEFT = 170, AXIS = 24, TICK = 70, MOST_LANES = 60;
const SPANS = [[10, '10 s'], [30, '30 s'], [60, '1 min'], [180, '3 min'], [600, '10 min']];

/*
 * Design: time and lanes.
 *
 * The picture shows an interval that follows the last round, until the reader drags, zooms or moves it; 'Follow' lets it follow again. Spans come from
 * reports and, where the stream has records of the tier 'trace', from these. A bar has lasted for as long as it is drawn; a diamond is a sample. Waits lie over the service in which the object waits, as thin bars. An arrow leads from the lane of the caller of the chosen service to the service: from the
 * time at which the request was accepted, where a trace tells it. That lane is shown in every case, be it empty. Time in which no lane that is shown has a
 * span can be collapsed, which the page remembers while it is open.
 */
let collapses = false;

export const calls = {
  about: 'What objects served and waited for. Drag to zoom; the wheel zooms, too, and arrow keys move.',
  make(context) {
    const { store } = context;
    const canvas = el('canvas', { class: 'lanes', tabindex: '0', role: 'img', 'aria-label': 'Services and waits over time. Plus and minus zoom, left and right move, up and down choose a call, which gets an arrow from its caller.' });
    const said = el('div', { class: 'chosen', role: 'status' }), note = el('p', { class: 'hint' });
    let seconds = Number(store.get('span')) || 60, end = null, picture = null, chosen = null, chosenAt = NaN, drag = null;
    const follow = button('Follow', () => {
      end = null;
      draw();
    }, { 'aria-pressed': 'true' });

    const collapse = button('Collapse gaps', () => {
      collapses = !collapses;
      collapse.setAttribute('aria-pressed', String(collapses));
      draw();
    }, { 'aria-pressed': String(collapses), title: 'Draws time without services and waits as breaks' });

    const interval = () => {
      const to = end ?? context.model.now;
      return { from: to - seconds * 1000, to };
    };
    const draw = () => {
      const { from, to } = interval();
      const spans = context.model.spans.between(from, to);
      picture = new Lanes(spans, from, to, { isByNode: store.get('lanes') === 'node', filter: store.get('find') ?? '', chosen, chosenAt, collapses, roundMillis: 1000 * (context.model.begin?.intervalSeconds ?? 1) });
      picture.draw(canvas, { chosen, chosenAt, drag });
      follow.setAttribute('aria-pressed', String(end === null));
      save.hidden = !context.model.spans.tracedMillis;
      const isExact = spans.some(span => span.isExact);
      setText(note, picture.count + picture.samples === 0 && !store.get('find') ? 'No report has seen a service or wait in this time; a recording has each call.'
        : [picture.count || !picture.samples ? plural(picture.count, 'span') : '', picture.samples ? plural(picture.samples, 'sample') : ''].filter(Boolean).join(' and ') + ' on ' + plural(picture.lanes.length, 'lane') + (picture.hidden ? ', and ' + whole(picture.hidden) + ' more lanes; find narrows them' : '') + '. '
          + 'The colour is that of the class; a thin bar is a wait, pale where it may not have begun. '
          + (picture.samples ? 'A diamond is a service or wait that only one report has seen; it may be short. ' : '')
          + (collapses ? collapsed(picture.scale.breaks) : '') + (isExact ? '' : 'From reports, at most one per ' + duration(context.model.begin?.intervalSeconds ?? 1) + '. ') + (context.model.spans.dropped ? whole(context.model.spans.dropped) + ' older ones were dropped.' : ''));
    };
    const choose = hit => {
      [chosen, chosenAt] = [hit?.span ?? null, hit?.at ?? NaN];
      describe(chosen, chosenAt);
      draw();
    };
    const describe = (span, at) => {
      fill(said, span ? [el('h3', {}, shortMethod(span.label) || 'a result'), facts([
        ['State', span.state], ['Object', link(span.object, 'waits', { object: span.object })], ['Class', span.type], ['Node', link(span.node, 'nodes', { node: span.node })], ['For', span.callerObject ? link(span.caller, 'waits', { object: span.callerObject }) : span.caller], ['Awaited', span.awaited],
        ...(span.seenAt ? [['Seen at', fineTime(Number.isFinite(at) ? at : span.seenAt.at(-1))], ['Reports that have seen one', whole(span.seenAt.length)], ['Duration', 'not known']]
          : span.isExact ? [['From', fineTime(span.from)], ['To', fineTime(span.to)], ['Took', duration((span.to - span.from) / 1000)]]
            : [['Began not before', fineTime(span.notBefore)], ['First seen at', fineTime(span.from)], ['Last seen at', fineTime(span.to)], ['Took at least', duration((span.to - span.from) / 1000)]]), ['In the queue before', Number.isFinite(span.queuedSeconds) ? duration(Math.max(0, span.queuedSeconds)) : ''], ['Outcome', span.hasFailed ? 'an exception' : '']])] : el('p', { class: 'soft' }, 'Choose a span to see its call.'));
    };
    // Shows each call of some seconds, as the tier 'trace' records it.
    const record = async () => {
      trace.disabled = true;
      setText(traced, 'Recording for ' + TRACE_SECONDS + ' s.');
      controller = new AbortController();
      let begin = 0, count = 0;
      try {
        await eachLine(await ask('trace', { run: context.run, seconds: TRACE_SECONDS }, controller.signal), line => {
          const row = JSON.parse(line);
          if (row.record === 'begin') begin = row.timeMillis;
          else if (context.model.spans.addTraced(row, begin)) count++;
          else if (row.record === 'end') setText(traced, plural(count, 'call') + ' and waits recorded' + (row.dropped > 0 ? ', ' + whole(row.dropped) + ' overwritten before they were read' : '') + (row.isFull ? '; there were more' : '') + '.');
        });
        context.model.spans.tracedMillis = begin;
        seconds = TRACE_SECONDS;
        end = begin + TRACE_SECONDS * 1000;
        draw();
      } catch (error) {
        if (error.name !== 'AbortError') setText(traced, error.message);
      }
      trace.disabled = false;
    };
    let controller = null;
    const trace = button('Record ' + TRACE_SECONDS + ' s', record, { title: 'Records each call and wait of the run for some seconds' }), traced = el('span', { class: 'info', role: 'status' });
    const save = button('Save for Perfetto', async () => {
      try {
        const { spans } = context.model, began = spans.tracedMillis, ended = began + 1000 * TRACE_SECONDS;
        const [file, { packetsOf }] = await Promise.all([ask('trace.pftrace', { began }), import('../perfetto.js')]);
        download('troupe.pftrace', 'application/octet-stream', await file.arrayBuffer(), packetsOf(spans.between(began, ended), began, ended));
      } catch (error) {
        setText(traced, error.message);
      }
    }, { title: 'Saves the last recording of each call as a file, which ui.perfetto.dev opens. What reports have seen meanwhile is in it on tracks that are marked as sampled.', hidden: true });
    const zoom = (factor, around) => {
      const { from, to } = interval(), centre = around ?? to;
      const next = Math.max(0.001, Math.min(3600, seconds * factor));
      end = end === null && around === undefined ? null : centre + (to - centre) * next / seconds;
      seconds = next;
      if (from) draw();
    };
    const tell = title => {
      if (canvas.title !== title) setAttribute(canvas, 'title', title);
    };
    canvas.addEventListener('wheel', event => {
      zoom(event.deltaY > 0 ? 1.25 : 0.8, picture?.timeAt(event.offsetX));
      event.preventDefault();
    }, { passive: false });
    canvas.addEventListener('pointerdown', event => {
      drag = { from: event.offsetX, to: event.offsetX };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', event => {
      if (!drag) return tell(titleOf(picture?.at(event.offsetX, event.offsetY)));
      drag.to = event.offsetX;
      draw();
    });
    canvas.addEventListener('pointerup', event => {
      const range = drag && Math.abs(drag.to - drag.from) > 5 ? [picture.timeAt(Math.min(drag.from, drag.to)), picture.timeAt(Math.max(drag.from, drag.to))] : null;
      drag = null;
      if (range) {
        [, end] = range;
        seconds = Math.max(0.001, (range[1] - range[0]) / 1000);
        draw();
      } else choose(picture?.at(event.offsetX, event.offsetY) ?? null);
    });
    canvas.addEventListener('keydown', event => {
      const { to } = interval();
      const list = picture?.drawn ?? [];
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (event.key === '+' || event.key === '=') zoom(0.5);
      else if (event.key === '-') zoom(2);
      else if (event.key === 'ArrowLeft') { end = to - seconds * 200; draw(); }
      else if (event.key === 'ArrowRight') { end = to + seconds * 200; if (end >= context.model.now) end = null; draw(); }
      else if (step && list.length) choose(list[(list.findIndex(each => each.span === chosen && Object.is(each.at, chosenAt)) + step + list.length) % list.length]);
      else return;
      event.preventDefault();
    });
    describe(null);
    return {
      element: el('div', {},
        el('div', { class: 'bar' },
          choice('Last', SPANS.map(([value, text]) => [String(value), text]), String(seconds), value => {
            seconds = Number(value);
            end = null;
            store.set('span', value);
            draw();
          }),
          choice('Lane per', [['object', 'object'], ['node', 'node']], store.get('lanes') ?? 'object', value => {
            store.set('lanes', value === 'object' ? '' : value);
            draw();
          }),
          el('input', { type: 'search', class: 'find', placeholder: 'Find', 'aria-label': 'Find in lanes', value: store.get('find') ?? '', oninput: event => {
            store.set('find', event.target.value);
            draw();
          } }),
          button('+', () => zoom(0.5), { 'aria-label': 'Zoom in' }), button('−', () => zoom(2), { 'aria-label': 'Zoom out' }), follow, collapse, context.recording ? null : trace, save, traced),
        el('div', { class: 'lanesBox' }, el('div', { class: 'panel' }, canvas, note), el('aside', { class: 'panel', 'aria-label': 'Chosen call' }, said))),
      update: draw,
      close: () => controller?.abort(),
    };
  },
};

class Lanes {
  constructor(spans, from, to, { isByNode, filter, chosen, chosenAt, collapses, roundMillis }) {
    Object.assign(this, { from, to, collapses });
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean), lanes = new Map();
    const matches = span => {
      const text = [span.object, span.type, span.label, span.node, span.caller].join(' ').toLowerCase();
      return words.every(word => text.includes(word));
    };
    const keyOf = span => isByNode ? span.node : span.object;
    const samples = span => span.seenAt.filter(time => time >= from && time <= to);
    const shown = spans.includes(chosen) ? chosen : null; // with its lane and that of its caller, whatever is looked for
    this.called = shown?.state !== 'serving' || !shown.callerNode ? null : shown.seenAt ? { ...shown, from: Number.isFinite(chosenAt) ? chosenAt : shown.to } : shown;
    this.calledLane = shown ? keyOf(shown) : null;
    this.callerLane = this.called ? isByNode ? shown.callerNode : shown.callerObject || shown.callerNode : null;
    for (const span of spans) {
      const key = keyOf(span);
      if (key !== this.callerLane && key !== this.calledLane && !matches(span)) continue;
      let lane = lanes.get(key);
      if (!lane) lanes.set(key, lane = { key, title: isByNode ? span.node : shortType(span.type) + ' ' + span.object, spans: [], busy: 0 });
      lane.spans.push(span);
      lane.busy += span.seenAt ? samples(span).length * roundMillis : Math.min(span.to, to) - Math.max(span.from, from); // a sample stands for its round
    }
    if (this.called && !lanes.has(this.callerLane)) lanes.set(this.callerLane, { key: this.callerLane, title: this.callerLane, spans: [], busy: 0 });
    const shownSpans = [...lanes.values()].flatMap(lane => lane.spans);
    this.count = shownSpans.filter(span => !span.seenAt).length;
    this.samples = shownSpans.reduce((sum, span) => sum + (span.seenAt ? samples(span).length : 0), 0);
    const all = [...lanes.values()].sort((a, b) => byName(a.title, b.title));
    this.hidden = Math.max(0, all.length - MOST_LANES);
    const isOfArrow = lane => lane.key === this.callerLane || lane.key === this.calledLane;
    this.lanes = this.hidden ? all.sort((a, b) => isOfArrow(b) - isOfArrow(a) || b.busy - a.busy).slice(0, MOST_LANES) : all;
    this.drawn = [];
  }

  x(time) { return this.scale.x(time); }
  timeAt(x) { return this.scale.timeAt(Math.max(LEFT, x)); }

  get #gaps() {
    const sent = this.called ? [{ from: sentAt(this.called), to: this.called.from }] : []; // where the arrow begins
    return gapsOf([...this.lanes.flatMap(lane => lane.spans), ...sent], this.from, this.to);
  }

  draw(canvas, { chosen, chosenAt, drag }) {
    this.width = Math.max(280, canvas.parentElement.clientWidth - 32);
    this.scale = new TimeScale(this.from, this.to, LEFT, this.width, this.collapses ? this.#gaps : []);
    const height = AXIS + Math.max(3, this.lanes.length) * (LANE + GAP);
    const context = pen(canvas, this.width, height);
    const text = ink('--text'), soft = ink('--soft'), line = ink('--line'), wait = ink('--wait'), bg = ink('--cell');
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    this.#axis(context, height, soft, line);
    this.drawn = [];
    this.lanes.forEach((lane, i) => {
      const y = AXIS + i * (LANE + GAP);
      context.fillStyle = bg;
      context.fillRect(LEFT, y, this.width - LEFT, LANE);
      context.fillStyle = text;
      write(context, lane.title.length > 27 ? lane.title.slice(0, 26) + '…' : lane.title, 0, y + LANE / 2, LEFT - 8);
      lane.spans.sort((a, b) => (a.state === 'waiting') - (b.state === 'waiting') || a.from - b.from);
      for (const span of lane.spans) this.#span(context, span, y, { wait, text, isChosen: span === chosen, chosenAt });
    });
    for (const gap of this.scale.breaks) this.#break(context, gap, height, soft);
    if (this.called) this.#arrow(context);
    if (drag) {
      context.fillStyle = ink('--accent') + '33';
      context.fillRect(Math.min(drag.from, drag.to), AXIS, Math.abs(drag.to - drag.from), height - AXIS);
    }
  }

  #axis(context, height, soft, line) {
    const ticks = Math.max(1, Math.min(6, (this.width - LEFT) / TICK));
    const raw = this.scale.millisPerPixel * (this.width - LEFT) / ticks / 1000, power = 10 ** Math.floor(Math.log10(raw));
    const step = (raw >= 60 ? 60 * Math.ceil(raw / 60) : [1, 2, 5, 10].find(each => each * power >= raw) * power) * 1000;
    let labelled = LEFT + 24 - TICK;
    const tick = (at, text) => {
      const x = this.x(at);
      context.fillStyle = line;
      context.fillRect(Math.round(x), AXIS - 6, 1, height - AXIS + 6);
      context.fillStyle = soft;
      if (x - labelled < TICK - 1 || x > this.width - 24) return; // no space for the text
      write(context, text, x, 8);
      labelled = x;
    };
    context.textAlign = 'center';
    for (const { from, to, isBreak } of this.scale.pieces) {
      if (isBreak) continue;
      const first = Math.ceil(from / step) * step;
      if (first > to) tick(from, fineTime(from)); // a piece between breaks that is shorter than a step
      for (let at = first; at <= to; at += step) tick(at, step < 1000 ? fineTime(at) : fineTime(at).slice(0, 8));
    }
    context.textAlign = 'left';
  }

  // A gap that is collapsed: nothing but its duration between two torn edges.
  #break(context, { from, to, left, right }, height, soft) {
    context.fillStyle = ink('--panel');
    context.fillRect(left + 2, AXIS, right - left - 4, height - AXIS); // a short span reaches a little into the gap
    context.strokeStyle = soft;
    context.lineWidth = 1;
    for (const x of [left + 4, right - 4]) {
      context.beginPath();
      for (let y = AXIS, side = -2; y <= height; y += 6, side = -side) context.lineTo(x + side, y);
      context.stroke();
    }
    context.fillStyle = soft;
    context.textAlign = 'center';
    write(context, duration((to - from) / 1000), (left + right) / 2, AXIS + LANE / 2, right - left - 14);
    context.textAlign = 'left';
  }

  #span(context, span, y, { wait, text, isChosen, chosenAt }) {
    if (span.seenAt) return this.#samples(context, span, y, { wait, text, at: isChosen ? chosenAt : NaN });
    const left = Math.max(LEFT, this.x(span.from)), right = Math.min(this.width, Math.max(this.x(span.to), left + 1.5));
    if (right < LEFT || left > this.width) return;
    const isWait = span.state === 'waiting', top = y + (isWait ? LANE - 7 : 2), height = isWait ? 5 : LANE - 4;
    context.fillStyle = isWait ? wait : colourOf(span.type);
    if (isWait && span.notBefore < span.from) this.#perhaps(context, span, top, height);
    context.beginPath();
    context.roundRect(left, top, right - left, height, Math.min(3, (right - left) / 2));
    context.fill();
    if (isChosen) {
      context.strokeStyle = text;
      context.lineWidth = 2;
      context.stroke();
    }
    if (!isWait && right - left > 46) {
      context.save();
      context.beginPath();
      context.rect(left, y, right - left - 4, LANE);
      context.clip();
      context.fillStyle = textOn(context.fillStyle);
      write(context, shortMethod(span.label), left + 6, y + LANE / 2 - 1);
      context.restore();
    }
    this.drawn.push({ span, at: NaN, left, right, top: y, bottom: y + LANE, isWait });
  }

  // The time before a wait was seen, in which it may have begun.
  #perhaps(context, span, top, height) {
    const left = Math.max(LEFT, this.x(Math.max(this.from, span.notBefore))), right = this.x(Math.max(this.from, span.from));
    context.globalAlpha = 0.35;
    context.fillRect(left, top + 1, right - left, height - 2);
    context.globalAlpha = 1;
  }

  // A diamond for each report that has seen a service or wait of a kind.
  #samples(context, span, y, { wait, text, at: chosenAt }) {
    const isWait = span.state === 'waiting', size = isWait ? 3.5 : 6, middle = y + (isWait ? LANE - 4.5 : LANE / 2);
    context.fillStyle = isWait ? wait : colourOf(span.type);
    for (const at of span.seenAt) {
      if (at < this.from || at > this.to) continue;
      const x = this.x(at);
      context.beginPath();
      context.moveTo(x - size, middle);
      context.lineTo(x, middle - size);
      context.lineTo(x + size, middle);
      context.lineTo(x, middle + size);
      context.closePath();
      context.fill();
      if (at === chosenAt) {
        context.strokeStyle = text;
        context.lineWidth = 1.5;
        context.stroke();
      }
      this.drawn.push({ span, at, left: x - size, right: x + size, top: y, bottom: y + LANE, isWait });
    }
  }

  // From the lane of the caller to the chosen service.
  #arrow(context) {
    const { called } = this, from = this.lanes.findIndex(lane => lane.key === this.callerLane), to = this.lanes.findIndex(lane => lane.key === this.calledLane);
    if (from === to) return; // an object that calls itself, or objects of one node
    const isDown = from < to, top = lane => AXIS + lane * (LANE + GAP), limit = x => Math.max(LEFT, Math.min(this.width, x));
    const sent = limit(this.x(sentAt(called))), began = limit(this.x(called.from));
    const y = top(from) + LANE / 2, end = isDown ? top(to) : top(to) + LANE, back = isDown ? -7 : 7;
    context.strokeStyle = context.fillStyle = ink('--accent');
    context.lineWidth = 2;
    context.beginPath();
    context.arc(sent, y, 3.5, 0, 2 * Math.PI);
    context.fill();
    context.beginPath();
    context.moveTo(sent, y);
    context.lineTo(began, end + back);
    context.stroke();
    context.beginPath();
    context.moveTo(began, end);
    context.lineTo(began - 4.5, end + back);
    context.lineTo(began + 4.5, end + back);
    context.fill();
  }

  at(x, y) {
    const under = this.drawn.filter(each => x >= each.left - 1 && x <= each.right + 1 && y >= each.top && y <= each.bottom);
    const low = under.find(each => each.isWait && y >= each.bottom - 8);
    return low ?? under.findLast(each => !each.isWait) ?? under[0] ?? null;
  }
}

// What the pointer is at, in one line.
function titleOf(hit) {
  if (!hit) return '';
  const { span, at } = hit, what = (span.state === 'waiting' ? 'waits for ' : '') + (shortMethod(span.label) || 'a result');
  return what + (span.seenAt ? ', seen at ' + fineTime(at) : span.isExact ? ', ' + duration((span.to - span.from) / 1000) : ', seen from ' + fineTime(span.from) + ' to ' + fineTime(span.to));
}

function collapsed(breaks) {
  if (breaks.length === 0) return 'No gap is long enough to be collapsed. ';
  const all = duration(breaks.reduce((sum, gap) => sum + gap.to - gap.from, 0) / 1000);
  return breaks.length === 1 ? `1 gap of ${all} is collapsed. ` : `${plural(breaks.length, 'gap')} of ${all} in all are collapsed. `;
}

// When the request of a service was accepted, where that is known.
const sentAt = span => Number.isFinite(span.queuedSeconds) ? span.from - 1000 * Math.max(0, span.queuedSeconds) : span.from;
