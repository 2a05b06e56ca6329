// The threads of dumps, equal ones together.

import { el } from './dom.js';
import { whole } from './format.js';

/** Shows the threads of a group. */
export function element(group) {
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
