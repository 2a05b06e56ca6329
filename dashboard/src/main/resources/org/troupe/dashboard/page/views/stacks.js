// Stacks of threads, equal ones together.

import { askJson } from '../api.js';
import { button, download, el, fill, notice, setText } from '../dom.js';
import { plural, whole } from '../format.js';

const MOST_SHOWN = 200;

let threads = null; // threads.js, which only a dump needs

export const stacks = {
  id: 'stacks', title: 'Stacks', key: 'k', isIndependent: true, about: 'What the threads of nodes do at one moment. Threads with equal stacks are shown once.',
  make(context) {
    const { store } = context;
    const node = el('input', { class: 'find', type: 'search', list: 'stackNodes', placeholder: 'Node, or nothing for all', 'aria-label': 'Node', value: store.get('node') ?? '', onchange: event => store.set('node', event.target.value) });
    const names = el('datalist', { id: 'stackNodes' });
    const find = el('input', { class: 'find', type: 'search', placeholder: 'Find', 'aria-label': 'Find in stacks', value: store.get('find') ?? '', oninput: event => {
      store.set('find', event.target.value);
      show();
    } });
    const said = el('span', { class: 'info', role: 'status' }), list = el('div', { class: 'stackList' });
    let groups = [], dump = '', controller = null;
    const save = button('Save', () => download('troupe-stacks.txt', 'text/plain', dump), { class: 'quiet', disabled: true });
    const show = () => {
      const wanted = (store.get('find') ?? '').toLowerCase();
      const found = wanted ? groups.filter(group => (group.title + group.frames.join('\n') + group.threads.map(each => each.node + each.name).join('\n')).toLowerCase().includes(wanted)) : groups;
      setText(said, plural(groups.reduce((sum, group) => sum + group.threads.length, 0), 'thread') + ' in ' + plural(groups.length, 'group') + (wanted ? ', ' + whole(found.length) + ' found' : ''));
      fill(list, found.slice(0, MOST_SHOWN).map(group => threads.element(group)), found.length > MOST_SHOWN ? el('p', { class: 'soft' }, 'The first ' + MOST_SHOWN + ' groups.') : null);
    };
    const read = async text => {
      threads ??= await import('../threads.js');
      dump = text;
      groups = threads.grouped(text);
      save.disabled = false;
      show();
    };
    const take = async () => {
      controller?.abort();
      controller = new AbortController();
      fill(list, notice('Asking for stacks.', 'All nodes may take some seconds.'));
      try {
        const answer = await askJson('stacks', { run: context.run, node: node.value || undefined }, controller.signal);
        await read(answer.text ?? '');
        if (!groups.length) fill(list, el('pre', { class: 'text' }, dump || 'No answer.'));
      } catch (error) {
        if (error.name !== 'AbortError') fill(list, notice('No stacks', error.message));
      }
    };
    const { recording } = context;
    if (recording?.stacks) read(recording.stacks);
    else if (recording) fill(list, notice('The recording has no stacks.', 'They can be taken of a running program only.'));
    else if (store.get('node')) take();
    else fill(list, notice('Nothing asked yet.', 'Name a node, or take the stacks of all.'));
    return {
      element: el('div', {}, el('div', { class: 'bar' }, node, names, button('Take stacks', take, { disabled: context.recording !== null, class: 'main' }), find, el('span', { class: 'grow' }), said, save), list),
      update() {
        if (names.childElementCount !== Math.min(300, context.model.nodes.size)) fill(names, [...context.model.nodes.keys()].slice(0, 300).map(name => el('option', { value: name })));
      },
      close: () => controller?.abort(),
    };
  },
};
