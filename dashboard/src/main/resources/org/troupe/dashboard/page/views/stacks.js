// Stacks of threads, equal ones together.

import { askJson } from '../api.js';
import { button, download, el, fill, notice, setText } from '../dom.js';
import { plural, whole } from '../format.js';

const MOST_SHOWN = 200;

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
      fill(list, found.slice(0, MOST_SHOWN).map(element), found.length > MOST_SHOWN ? el('p', { class: 'soft' }, 'The first ' + MOST_SHOWN + ' groups.') : null);
    };
    const take = async () => {
      controller?.abort();
      controller = new AbortController();
      fill(list, notice('Asking for stacks.', 'All nodes may take some seconds.'));
      try {
        const answer = await askJson('stacks', { run: context.run, node: node.value || undefined }, controller.signal);
        dump = answer.text ?? '';
        groups = grouped(dump);
        save.disabled = false;
        if (groups.length) show();
        else fill(list, el('pre', { class: 'text' }, dump || 'No answer.'));
      } catch (error) {
        if (error.name !== 'AbortError') fill(list, notice('No stacks', error.message));
      }
    };
    const { recording } = context;
    if (recording?.stacks) {
      dump = recording.stacks;
      groups = grouped(dump);
      save.disabled = false;
      show();
    } else if (recording) fill(list, notice('The recording has no stacks.', 'They can be taken of a running program only.'));
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

function element(group) {
  return el('details', { class: 'panel stack', open: group.threads.length > 1 || group.isOwn },
    el('summary', {}, el('span', { class: 'count' }, whole(group.threads.length) + '×'), el('span', { class: 'name' }, group.title), el('span', { class: 'soft' }, group.state)),
    el('p', { class: 'soft' }, group.threads.slice(0, 12).map(each => (each.node ? each.node + ': ' : '') + each.name).join(', ') + (group.threads.length > 12 ? ' and ' + (group.threads.length - 12) + ' more' : '')),
    el('pre', { class: 'text' }, group.frames.join('\n')));
}

/** Groups the threads of dumps as the JDK writes them: a thread begins with a number and a quoted name, its frames are indented. */
export function grouped(text) {
  const groups = new Map();
  let node = '', thread = null;
  const end = () => {
    if (thread) {
      const key = thread.state + '\n' + thread.frames.join('\n');
      const group = groups.get(key) ?? { frames: thread.frames, state: thread.state, threads: [], title: top(thread.frames) ?? thread.name, isOwn: Boolean(own(thread.frames)) };
      group.threads.push({ node, name: thread.name });
      groups.set(key, group);
    }
    thread = null;
  };
  for (const line of text.split('\n')) {
    const titled = /^== (?:node '([^']*)'|(.*))/.exec(line), begun = /^(?:#\d+ )?"(.*?)"(?: virtual)? ?(\w*)/.exec(line);
    if (titled) {
      end();
      node = titled[1] ?? 'program';
    } else if (begun) {
      end();
      thread = { name: begun[1] || 'virtual thread', state: begun[2], frames: [] };
    } else if (thread && /^\s*java\.lang\.Thread\.State:/.test(line)) thread.state = line.replace(/^.*State:\s*/, '').trim();
    else if (thread && /^\s+\S/.test(line)) thread.frames.push(line.trim().replace(/0x[0-9a-f]+/g, '0x…'));
    else if (line.trim() === '') end();
  }
  end();
  return [...groups.values()].filter(group => group.frames.length).sort((a, b) => b.isOwn - a.isOwn || b.threads.length - a.threads.length);
}

const own = frames => frames.find(frame => !frame.includes('$$TroupeStub') && /^(?:at )?(?!java\.|jdk\.|sun\.|javax\.|com\.sun\.|org\.troupe\.|app\/\/org\.troupe\.|java\.base|- |tools\.)[\w$./@]+\(/.test(frame));
const top = frames => (own(frames) ?? frames[0])?.replace(/^at /, '');
