// Who waits for whom and since when, down to the root.

import { colourOf } from '../colour.js';
import { button, el, fill, panel, setText, styled, svg } from '../dom.js';
import { duration, plural, shortMethod, shortType, time } from '../format.js';
import { Table } from '../table.js';
import { forWhat, nameOf, ranks, WaitGraph } from '../waitgraph.js';
import { objectDetail } from './object.js';
import { cut, link, paintType } from './parts.js';

const SECONDS = 'waitingSeconds';
const BOX = { width: 208, height: 52 }, LEAST_GAP = 46, LETTER = 6.5;
const MOST_BOXES = 12;

const COLUMNS = [
  { id: 'object', title: 'Object', kind: 'code', value: row => row.id },
  { id: 'type', title: 'Class', value: row => row.type, paint: (cell, row) => paintType(cell, row.type) },
  { id: 'node', title: 'Node', value: row => row.node },
  { id: 'since', title: 'Waited', isNumber: true, value: row => row.wait[SECONDS], show: row => duration(row.wait[SECONDS]) },
  { id: 'in', title: 'In', kind: 'code', value: row => row.wait.serving, show: row => shortMethod(row.wait.serving) || '–' },
  { id: 'for', title: 'For', kind: 'wide', value: row => forWhat(row.wait).replace(/^for /, '') },
  { id: 'kind', title: 'Kind', value: row => row.wait.kind ?? '', show: row => row.wait.kind || '–' },
  { id: 'behind', title: 'Chain', isNumber: true, help: 'The number of objects from here to the root', value: row => row.length },
  { id: 'waiters', title: 'Waited for by', isNumber: true, help: 'The number of objects that wait for this one', value: row => row.waiters.length },
  { id: 'line', title: 'Line', kind: 'code', value: row => row.wait.line ?? '', show: row => row.wait.line || '–' },
];

export const waits = {
  about: 'Every object that waits, for what and since when. Choose one to see its chain and what would end the wait.',
  make(context) {
    const { store } = context;
    let graph = null;
    const proved = el('div', {}), suspected = el('div', {}), groups = el('div', {}), answer = el('p', { class: 'answer', role: 'status' }), picture = el('div', { class: 'chain' });
    const title = el('h3', {}, 'Why is it waiting?');
    const asked = el('div', {}), ask = button('Ask this object', () => {
      detail?.close();
      detail = objectDetail(context, store.get('object'));
      fill(asked, detail.element);
    });
    const shown = { cycles: '', picture: '', groups: '' };
    let detail = null;
    const table = new Table({
      name: 'waits', caption: 'Objects that wait', columns: COLUMNS, key: row => row.id, sort: 'since', store, empty: 'No object waits.',
      open: row => choose(row.id), search: row => [row.id, row.type, row.node, row.wait.serving, row.wait.awaited, row.wait.kind, row.wait.line].join(' '),
    });
    const choose = id => {
      store.set('object', id);
      fill(asked);
      update();
      title.scrollIntoView({ block: 'nearest' });
    };

    const update = () => {
      graph = new WaitGraph(context.model);
      const waiting = graph.waiting;
      for (const vertex of waiting) vertex.length = graph.chain(vertex).length;
      table.update(waiting);
      showProved(proved, context.model, shown);
      showSuspected();
      showGroups(groups, context.model, shown);
      showChain();
    };

    const showSuspected = () => {
      fill(suspected, graph.cycles.map(cycle => el('div', { class: 'alarm' },
        el('strong', {}, 'Suspected cycle of ' + plural(cycle.length, 'object')), el('p', {}, [...cycle, cycle[0]].map(nameOf).join(' → ')),
        el('p', { class: 'soft' }, 'The reports are not of one moment. If it is real, it ends with an error that has the lines of the program.'))));
    };

    const showChain = () => {
      const wanted = store.get('object');
      const longest = graph.longestChain;
      const vertex = (wanted && graph.vertices.get(wanted)) ?? longest[0] ?? graph.waiting[0];
      ask.hidden = !wanted;
      setText(title, wanted ? 'Why is ' + (vertex ? nameOf(vertex) : wanted) + ' waiting?' : longest.length > 1 ? 'The longest chain' : 'The longest wait');
      if (!vertex || (wanted && vertex.id !== wanted)) {
        setText(answer, wanted ? wanted + ' is in no report of this round: it neither waits nor has requests.' : 'Nothing waits.');
        fill(picture);
        shown.picture = '';
        return;
      }
      setText(answer, graph.why(vertex));
      const chain = graph.chain(vertex), key = JSON.stringify(chain.map(each => [each.id, each.queued, each.wait?.[SECONDS], each.serving]));
      if (key === shown.picture) return;
      shown.picture = key;
      fill(picture, draw(chain, graph.cycleOf(vertex), choose));
    };

    return {
      element: el('div', {}, proved, suspected,
        el('section', { class: 'panel' }, el('header', {}, title), answer, picture, ask, asked), groups, el('section', { class: 'panel', 'aria-label': 'All waits' }, table.element)),
      update,
      close: () => {
        table.close();
        detail?.close();
      },
    };
  },
};

function showProved(box, model, shown) {
  const cycles = [...model.cycles.values()].sort((a, b) => b.timeMillis - a.timeMillis);
  const key = cycles.map(cycle => cycle.node + cycle.number).join();
  if (key === shown.cycles) return;
  shown.cycles = key;
  fill(box, cycles.slice(0, 5).map(cycle => el('div', { class: 'alarm', role: 'alert' },
    el('strong', {}, 'Deadlock: objects waited for each other in a circle'), el('span', { class: 'soft' }, ' found by ' + cycle.node + ' at ' + time(cycle.timeMillis)),
    el('pre', { class: 'text' }, cycle.text))));
}

function showGroups(box, model, shown) {
  const rows = [...model.collectives.values()].sort((a, b) => b[SECONDS] - a[SECONDS]).slice(0, 8);
  const key = JSON.stringify(rows);
  if (key === shown.groups) return;
  shown.groups = key;
  fill(box, rows.length === 0 ? null : panel('Groups whose members wait', 'Collective operations that some members have not entered.', el('ul', { class: 'attention' }, rows.map(row =>
    el('li', { 'data-level': row.missing?.length ? 'attention' : 'note' }, el('div', { class: 'what' }, shortType(row.type) + ' group: ' + row.operation),
      el('div', { class: 'why' }, plural(row.arrived?.length ?? 0, 'member') + ' of ' + row.size + ' arrived, the first ' + duration(row[SECONDS]) + ' ago; '
        + (row.missing?.length ? 'missing: ' + ranks(row.missing, row.size) + '.' : 'no report names the missing ones.')), link('All groups', 'groups', { find: row.group }))))));
}

// A chain as boxes from left to right, with the wait on each arrow; a cycle is red and leads back.
function draw(chain, cycle, choose) {
  const boxes = chain.slice(0, MOST_BOXES), left = chain.length - boxes.length;
  const missing = boxes[boxes.length - 1].wait && !boxes[boxes.length - 1].next ? boxes[boxes.length - 1].wait : null;
  const gap = Math.max(LEAST_GAP, ...boxes.map(vertex => waited(vertex.wait).length * LETTER + 12));
  const perRow = gap > LEAST_GAP ? 3 : 4, slots = boxes.length + (missing ? 1 : 0), rowHeight = BOX.height + 46;
  const rows = Math.ceil(slots / perRow), columns = Math.min(perRow, slots);
  const width = columns * (BOX.width + gap) - gap + 20, height = rows * rowHeight - (cycle ? 4 : 22);
  const place = i => ({ x: 4 + i % perRow * (BOX.width + gap), y: 22 + Math.floor(i / perRow) * rowHeight });
  const isRed = vertex => cycle?.includes(vertex) ?? false;
  const parts = [svg('defs', {}, ['arrow', 'arrowRed'].map(id => svg('marker', { id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' }, svg('path', { d: 'M0 0 8 4 0 8z', class: id }))))];
  for (let i = 0; i < slots - 1; i++) parts.push(arrow(place(i), place(i + 1), boxes[i].wait, isRed(boxes[i]) && isRed(boxes[i + 1])));
  if (cycle && boxes.length === chain.length) {
    const from = place(boxes.length - 1), to = place(chain.indexOf(chain[chain.length - 1].next));
    parts.push(svg('path', { class: 'edge bad', d: `M${from.x + BOX.width / 2} ${from.y + BOX.height} v14 H${to.x + BOX.width / 2} V${to.y + BOX.height + 2}`, 'marker-end': 'url(#arrowRed)' }));
  }
  boxes.forEach((vertex, i) => parts.push(boxOf(vertex, place(i), isRed(vertex), choose)));
  if (missing) parts.push(endOf(missing, place(boxes.length)));
  return [svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'group', 'aria-label': 'Chain of ' + plural(chain.length, 'object') }, parts), left ? el('p', { class: 'soft' }, 'and ' + plural(left, 'more object')) : null];
}

const waited = wait => wait ? duration(wait[SECONDS]) : '';

function arrow(from, to, wait, isBad) {
  const y = from.y + BOX.height / 2;
  const path = to.y === from.y ? `M${from.x + BOX.width} ${y} H${to.x - 2}` : `M${from.x + BOX.width / 2} ${from.y + BOX.height} v16 H${to.x + BOX.width / 2} V${to.y - 2}`;
  return svg('g', {}, svg('path', { class: 'edge' + (isBad ? ' bad' : ''), d: path, 'marker-end': isBad ? 'url(#arrowRed)' : 'url(#arrow)' }),
    to.y === from.y ? svg('text', { class: 'edgeText', x: (from.x + BOX.width + to.x) / 2 - 3, y: y - 7, 'text-anchor': 'middle' }, waited(wait)) : null);
}

function boxOf(vertex, { x, y }, isBad, choose) {
  const method = shortMethod(vertex.wait?.serving || vertex.serving) || (vertex.queued ? plural(vertex.queued, 'request') + ' queued' : 'idle, or not in a report');
  return svg('g', {
    class: 'vertex' + (isBad ? ' bad' : '') + (vertex.wait ? '' : ' root'), tabindex: '0', role: 'button', 'aria-label': 'Why does ' + nameOf(vertex) + ' wait?',
    onclick: () => choose(vertex.id), onkeydown: event => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(vertex.id); } },
  }, svg('title', {}, [vertex.type, vertex.id + ' on ' + vertex.node, vertex.wait?.line].filter(Boolean).join('\n')),
  svg('rect', { x, y, width: BOX.width, height: BOX.height, rx: 8 }), styled(svg('rect', { class: 'stripe', x, y: y + 8, width: 4, height: BOX.height - 16, rx: 2 }), { fill: colourOf(vertex.type) }),
  svg('text', { x: x + 14, y: y + 21, class: 'name' }, cut(nameOf(vertex), 27)), svg('text', { x: x + 14, y: y + 39, class: 'method' }, cut(method, 29)));
}

function endOf(wait, { x, y }) {
  const lines = wait.missing?.length ? [ranks(wait.missing, wait.size), 'not arrived in ' + wait.awaited] : [shortMethod(wait.awaited), wait.kind === 'queue' ? 'full queue' : wait.kind === 'credit' ? 'full link' : wait.awaitedNode ? 'on node ' + wait.awaitedNode : ''];
  return svg('g', { class: 'vertex end' }, svg('rect', { x, y, width: BOX.width, height: BOX.height, rx: 8 }),
    svg('text', { x: x + 14, y: y + 21, class: 'name' }, cut(lines[0] || 'a result', 27)), svg('text', { x: x + 14, y: y + 39, class: 'method' }, cut(lines[1], 29)));
}

