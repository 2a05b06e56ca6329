// What nodes print, in one stream.

import { ask, eachLine } from '../api.js';
import { button, download, el, notice, setText, styled } from '../dom.js';
import { byName, fineTime, whole } from '../format.js';
import { choice } from './parts.js';

const MOST_LINES = 20_000;
const HEIGHT = 20; // of a line, as in the style sheet
const LEVELS = [['', 'all'], ['info', 'info and above'], ['warning', 'warning and above'], ['error', 'error']];
const RANKS = { debug: 0, trace: 0, stdout: 1, info: 1, stderr: 2, warning: 2, error: 3 };

/*
 * Design: a window over a ring.
 *
 * The last 20,000 lines are kept; only those that can be seen are elements. Lines are in the order of their times as far as they come within the
 * reading of one piece; a late line of another node is put in at its place. At the end of the list the window follows it.
 */
export const logs = {
  id: 'logs', title: 'Logs', key: 'l', isIndependent: true, about: 'The output of all nodes by time, without that of the program itself. At the end of the list it follows.',
  make(context) {
    const { store } = context;
    const lines = [];
    let shown = [], dropped = 0, isDue = false, isFollowing = true, controller = null, isClosed = false;
    const inner = el('div', { class: 'logLines' }), space = el('div', { class: 'logSpace' }, inner);
    const box = el('div', { class: 'log', tabindex: '0', role: 'log', 'aria-label': 'Lines', 'aria-live': 'off' }, space);
    const info = el('span', { class: 'info' }, 'Asking for lines.');
    const nodes = new Set();
    const nodeInput = el('input', { class: 'find', type: 'search', list: 'logNodes', placeholder: 'All nodes', 'aria-label': 'Node', value: store.get('node') ?? '', onchange: event => {
      store.set('node', event.target.value);
      refilter();
    } });
    const list = el('datalist', { id: 'logNodes' });
    const text = el('input', { class: 'find', type: 'search', placeholder: 'Find', 'aria-label': 'Find in lines', value: store.get('find') ?? '', oninput: event => {
      store.set('find', event.target.value);
      refilter();
    } });
    const follow = button('Follow', () => {
      isFollowing = true;
      show();
    }, { 'aria-pressed': 'true' });

    const matches = line => {
      const node = store.get('node'), level = store.get('level'), find = store.get('find')?.toLowerCase();
      return (!node || line.node === node) && (!level || (RANKS[line.level] ?? 1) >= RANKS[level]) && (!find || line.text.toLowerCase().includes(find) || line.node.toLowerCase().includes(find));
    };
    const refilter = () => {
      shown = lines.filter(matches);
      show();
    };
    const add = line => {
      let at = lines.length;
      while (at > 0 && lines.length - at < 200 && lines[at - 1].timeMillis > line.timeMillis) at--;
      lines.splice(at, 0, line);
      if (lines.length > MOST_LINES) {
        lines.splice(0, MOST_LINES / 10);
        dropped += MOST_LINES / 10;
        shown = lines.filter(matches);
      } else if (at < lines.length - 1) isStale = true;
      else if (matches(line)) shown.push(line);
      if (!nodes.has(line.node) && nodes.size < 200) {
        nodes.add(line.node);
        list.insertBefore(el('option', { value: line.node }), [...list.children].find(each => byName(each.value, line.node) > 0) ?? null);
      }
      if (!isDue) {
        isDue = true;
        requestAnimationFrame(() => {
          isDue = false;
          if (isStale) shown = lines.filter(matches);
          isStale = false;
          show();
        });
      }
    };
    let isStale = false;

    const show = () => {
      styled(space, { height: shown.length * HEIGHT + 'px' });
      if (isFollowing) box.scrollTop = box.scrollHeight;
      const first = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - 10), last = Math.min(shown.length, first + Math.ceil((box.clientHeight || 600) / HEIGHT) + 20);
      styled(inner, { transform: `translateY(${first * HEIGHT}px)` });
      inner.replaceChildren(...shown.slice(first, last).map(row));
      setText(info, whole(shown.length) + (shown.length === lines.length ? '' : ' of ' + whole(lines.length)) + ' lines' + (dropped ? '; ' + whole(dropped) + ' older ones dropped' : ''));
      follow.setAttribute('aria-pressed', String(isFollowing));
    };
    box.addEventListener('scroll', () => {
      const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 2 * HEIGHT;
      if (isAtEnd !== isFollowing) isFollowing = isAtEnd;
      show();
    });

    const read = async () => {
      controller = new AbortController();
      try {
        const answer = await ask('logs', { run: context.run, node: undefined, follow: '' }, controller.signal);
        setText(info, 'No line yet.');
        await eachLine(answer, line => {
          const record = parsed(line);
          if (record) add(record);
        });
        if (!isClosed) setText(info, info.textContent + '; the stream has ended');
      } catch (error) {
        if (!isClosed) box.before(notice('The lines cannot be read', error.message));
      }
    };
    if (context.recording) {
      setText(info, 'The recording has no lines.');
      context.recording.logs.forEach(add);
    } else read();
    return {
      element: el('div', {}, el('div', { class: 'bar' }, nodeInput, list, choice('Level', LEVELS, store.get('level') ?? '', level => {
        store.set('level', level);
        refilter();
      }), text, el('span', { class: 'grow' }), info, follow,
      button('Save', () => download('troupe-logs.txt', 'text/plain', shown.map(line => fineTime(line.timeMillis) + ' ' + line.node + ' ' + line.level + ' ' + line.text).join('\n') + '\n'), { class: 'quiet' })), box),
      update() {},
      close() {
        isClosed = true;
        controller?.abort();
      },
    };
  },
};

function row(line) {
  return el('div', { class: 'logLine', 'data-level': line.level, title: line.text.length > 140 ? line.text : false },
    el('time', {}, fineTime(line.timeMillis)), el('span', { class: 'logNode' }, line.node), el('span', { class: 'logLevel' }, line.level), el('span', { class: 'logText' }, line.text));
}

function parsed(text) {
  try {
    const line = JSON.parse(text);
    return { node: String(line.node ?? ''), timeMillis: Number(line.timeMillis) || 0, level: String(line.level ?? ''), text: String(line.text ?? '') };
  } catch {
    return null;
  }
}
