// The start page: health in words, what needs attention, the main numbers and the last events.

import { heat } from '../colour.js';
import { sparkline } from '../chart.js';
import { el, fill, ink, panel, pen, setText, styled } from '../dom.js';
import { byName, byteRate, bytes, count, duration, percent, plural, rate, shortMethod, whole } from '../format.js';
import { longestWait, nodeCounts } from '../health.js';
import { link, typeTag } from './parts.js';
import { eventLine } from './events.js';

const EVENTS = 8;
const HOTTEST = 6;

export const now = {
  id: 'now', title: 'Now', key: 'n',
  make(context) {
    const cards = CARDS.map(card => new Card(card));
    const attention = el('ul', { class: 'attention' });
    const events = el('ol', { class: 'feed' });
    const hottest = el('div', { class: 'hottest' });
    const strip = el('canvas', { class: 'strip', role: 'img', 'aria-label': 'Processors in use by node' });
    const stripText = el('p', { class: 'about' });
    const element = el('div', { class: 'now' },
      el('div', { class: 'cards' }, cards.map(card => card.element)),
      el('div', { class: 'columns' },
        el('div', {},
          panel('Needs attention', '', attention)),
        el('div', {},
          panel('Nodes by load', '', el('div', { class: 'stripBox' }, strip), stripText),
          panel('Busiest methods', 'Requests served per second, over all nodes.', hottest),
          panel('Last events', '', events))));
    const shown = { attention: '', events: '' };
    return {
      element,
      update() {
        const { model, health } = context;
        for (const card of cards) card.update(model);
        const items = JSON.stringify(health.items);
        if (items !== shown.attention) {
          shown.attention = items;
          fill(attention, health.items.length ? health.items.map(attentionItem) : el('li', { class: 'fine' }, 'Nothing. No node is lost or silent, and no call waits long or fails unseen.'));
        }
        const last = [...model.events.values()].sort((a, b) => a.timeMillis - b.timeMillis).slice(-EVENTS).reverse();
        const key = last.map(event => event.number).join();
        if (key !== shown.events) {
          shown.events = key;
          fill(events, last.length ? last.map(event => el('li', {}, eventLine(event))) : el('li', { class: 'fine' }, 'None yet.'));
        }
        showHottest(hottest, model);
        drawStrip(strip, stripText, model);
      },
    };
  },
};

function attentionItem(item) {
  return el('li', { 'data-level': item.level },
    el('div', { class: 'what' }, el('span', { class: 'unseen' }, { trouble: 'Trouble: ', attention: 'Attention: ', note: 'Note: ' }[item.level]), el('a', { href: item.link }, item.what)),
    item.why ? el('div', { class: 'why' }, item.why) : null,
    item.remedy ? el('div', { class: 'remedy' }, item.remedy) : null);
}

const CARDS = [
  { title: 'Nodes', view: 'nodes', colour: '--accent', shares: c => [[c.joined, '--c3'], [c.starting, '--idle'], [c.silent, '--wait'], [c.ended - c.bad, '--idle'], [c.bad, '--bad']], main: model => { const c = nodeCounts(model); return whole(c.joined) + (c.joined === c.all ? '' : ' / ' + whole(c.all)); },
    more: model => { const c = nodeCounts(model); return [c.starting && c.starting + ' starting', c.silent && c.silent + ' silent', c.ended && c.ended + ' ended', c.released && c.released + ' released'].filter(Boolean).join(', ') || plural(objects(model), 'object'); } },
  { title: 'Calls', view: 'objects', colour: '--accent', series: 'calls', main: model => rate(model.totals.last('calls')), more: model => whole(countOf(model, 'served')) + ' served' },
  { title: 'Failures', view: 'failures', colour: '--bad', series: 'failed', main: model => whole(model.counted.failures), more: model => whole(countOf(model, 'failed')) + ' calls ended with an exception', level: model => model.counted.failures > 0 ? 'bad' : '' },
  { title: 'Waiting', view: 'waits', colour: '--wait', series: 'waiting', main: model => whole(model.totals.last('waiting')), more: model => { const wait = longestWait(model); return wait ? 'longest ' + duration(wait.seconds) : model.totals.last('waiting') > 0 ? 'no report names them' : 'nothing waits'; } },
  { title: 'Futures', view: 'futures', colour: '--c2', series: 'pending', main: model => count(model.totals.last('pending')), more: () => 'pending results of other nodes' },
  { title: 'Queued', view: 'objects', colour: '--queue', series: 'queued', main: model => count(model.totals.last('queued')), more: model => { const { all } = nodeCounts(model); return 'requests in ' + (all ? plural(all, 'node') + ' and ' : '') + 'the program'; } },
  { title: 'Traffic', view: 'traffic', colour: '--accent', series: 'bytes', main: model => byteRate(model.totals.last('bytes')), more: model => plural(model.pairs.size, 'pair') + ' of JVMs' },
  { title: 'Memory', view: 'nodes', colour: '--accent', series: 'heap', main: model => bytes(model.totals.last('heap')), more: model => { const most = sumOf(model, 'heapMostBytes'); return most > 0 ? percent(model.totals.last('heap') / most) + ' of the heaps' : 'heap used'; } },
  { title: 'Processors', view: 'nodes', colour: '--accent', series: 'cpu', main: model => { const cpu = model.totals.last('cpu'); return Number.isFinite(cpu) ? cpu < 10 ? cpu.toFixed(1) : whole(cpu) : '–'; }, more: () => 'cores in use' },
];

const sum = (model, value) => [...model.nodes.values()].reduce((all, node) => all + (value(node) ?? 0), 0);
const sumOf = (model, name) => sum(model, node => node.load?.[name]);
const countOf = (model, name) => sum(model, node => node.row.load?.[name]); // since the start, also of nodes that have ended

const objects = model => sumOf(model, 'objects');

class Card {
  constructor(card) {
    this.card = card;
    this.main = el('span', { class: 'main' });
    this.more = el('span', { class: 'more' });
    this.canvas = card.series ? el('canvas', { class: 'spark', 'aria-hidden': 'true' }) : null;
    this.shares = card.shares ? el('span', { class: 'shares', 'aria-hidden': 'true' }, card.shares({}).map(([, colour]) => el('span', { style: { background: `var(${colour})` } }))) : null;
    this.element = el('a', { class: 'card', href: '#/' + card.view }, el('span', { class: 'name' }, card.title), this.main, this.more, this.canvas, this.shares);
  }

  update(model) {
    setText(this.main, this.card.main(model));
    setText(this.more, this.card.more(model));
    this.element.dataset.level = this.card.level?.(model) ?? '';
    if (this.shares) this.card.shares(nodeCounts(model)).forEach(([share], i) => {
      const part = styled(this.shares.children[i], { 'flex-grow': share || 0 });
      part.hidden = !share; // else the gap beside it would look like a node that is missing
    });
    if (this.canvas) sparkline(this.canvas, model.totals.column(this.card.series).slice(-120), ink(this.card.colour));
  }
}

function showHottest(box, model) {
  const methods = [...model.methods.values()].filter(method => method.calls > 0).sort((a, b) => b.calls - a.calls).slice(0, HOTTEST);
  if (methods.length === 0) {
    const tiers = [...model.nodes.values()].map(node => node.load?.observed).filter(Boolean);
    fill(box, el('p', { class: 'fine' }, tiers.length && tiers.every(tier => tier === 'off') ? 'No requests are counted; ./troupe observe counts changes that.'
      : model.rounds < 2 ? 'Not known yet: a rate is the difference of two reports, and this is the first one.' : 'No request was served between the last two reports.'));
    return;
  }
  const most = methods[0].calls;
  fill(box, methods.map(method => {
    const bar = styled(el('span', { class: 'fill' }), { width: Math.max(1, method.calls / most * 100) + '%' });
    return el('div', { class: 'hot' }, el('span', { class: 'label' }, typeTag(method.type), el('span', { class: 'method', title: method.method }, shortMethod(method.method))),
      el('span', { class: 'bar' }, bar), el('span', { class: 'value' }, rate(method.calls)));
  }), link('All methods', 'objects', { tab: 'methods' }));
}

// One square per node, as bright as it is busy; trouble is red.
function drawStrip(canvas, text, model) {
  const nodes = [...model.nodes.values()].filter(node => !node.isProgram).sort((a, b) => byName(a.name, b.name));
  const width = canvas.parentElement.clientWidth || 400;
  const size = nodes.length <= 40 ? 26 : nodes.length <= 200 ? 16 : nodes.length <= 600 ? 11 : 8, gap = size > 10 ? 3 : 2;
  const perRow = Math.max(1, Math.floor((width + gap) / (size + gap)));
  const shown = nodes.slice(0, perRow * Math.floor(240 / (size + gap)));
  const context = pen(canvas, width, Math.max(size, Math.ceil(shown.length / perRow) * (size + gap) - gap));
  const most = Math.max(0.5, ...nodes.map(node => Number.isFinite(node.cpu) ? node.cpu : 0));
  const bad = ink('--bad'), warn = ink('--warn'), empty = ink('--line');
  shown.forEach((node, i) => {
    const x = i % perRow * (size + gap), y = Math.floor(i / perRow) * (size + gap);
    context.fillStyle = node.state === 'ended' ? bad : node.state === 'joined' ? heat(0.08 + 0.92 * (node.cpu || 0) / most) : empty;
    context.beginPath();
    context.roundRect(x, y, size, size, Math.min(4, size / 4));
    context.fill();
    if (node.state === 'silent') {
      context.strokeStyle = warn;
      context.lineWidth = 2;
      context.stroke();
    }
  });
  const busiest = nodes.filter(node => node.cpu > 0).sort((a, b) => b.cpu - a.cpu)[0];
  setText(text, nodes.length === 0 ? 'No nodes but the program itself.' : (busiest ? 'Busiest: ' + busiest.name + ' with ' + busiest.cpu.toFixed(1) + ' cores. ' : '') + 'A stronger colour is busier; red has ended, framed is silent.' + (shown.length < nodes.length ? ' The first ' + whole(shown.length) + ' of ' + whole(nodes.length) + '.' : ''));
}

