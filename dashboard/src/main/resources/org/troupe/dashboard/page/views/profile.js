// Where the time of the processors goes: samples of all JVMs as a flame graph, and by method.

import { ask, eachLine } from '../api.js';
import { button, download, el, fill, notice, setText } from '../dom.js';
import { percent, plural, shortFrame } from '../format.js';
import { Table } from '../table.js';
import { choice } from './parts.js';

const SECONDS = 10;

let last = null; // {run, stacks, said}, kept for the next look at this view
let graphs = null; // flame.js, which only a profile needs

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
      flame = isKnown ? new graphs.Flame(last.stacks, store.get('by') !== 'class', context.model) : null;
      save.disabled = !isKnown;
      setText(info, last?.run === context.run ? last.said : '');
      if (!isKnown) return fill(place, notice(last?.run === context.run ? 'No thread was running at a sample.' : 'No profile was taken yet.', 'A profile takes some ' + SECONDS + ' s, and costs the JVMs a percent or two meanwhile.'));
      fill(place, graph, el('div', { class: 'panel' }, table.element));
      table.update(graphs.methods(last.stacks));
      draw();
    };
    const take = async () => {
      sample.disabled = true;
      controller = new AbortController();
      setText(info, 'Taking samples for ' + SECONDS + ' s, and reading them.');
      const { run } = context, stacks = [];
      let said = 'The profile ended early, as when the program has ended.', end = null;
      try {
        await eachLine(await ask('profile', { run, seconds: SECONDS }, controller.signal), line => {
          const row = JSON.parse(line);
          if (row.record === 'stack') stacks.push({ frames: row.stack.split(';'), samples: row.samples });
          else if (row.record === 'failed') said = row.error;
          else if (row.record === 'end') end = row;
        });
        if (end) {
          graphs ??= await import('../flame.js');
          last = { run, stacks, said: graphs.summary(end) };
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
      const { NEIGHBOURS } = graphs, { chosen } = flame, next = chosen ? NEIGHBOURS[event.key]?.(chosen) : event.key in NEIGHBOURS ? flame.focus : null;
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
