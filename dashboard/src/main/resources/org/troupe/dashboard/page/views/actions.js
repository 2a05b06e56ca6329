// What a reader with the token to act may do to the run and its nodes.

import { act } from '../api.js';
import { button, el, fill, notice, panel, setText } from '../dom.js';
import { byName } from '../format.js';
import { choice } from './parts.js';

const MOST_NAMES = 300;
const TRACE_SECONDS = 60, LEVEL_SECONDS = 600;
const TIERS = ['off', 'counts', 'times', 'trace'];
const LEVELS = ['ALL', 'TRACE', 'DEBUG', 'INFO', 'WARNING', 'ERROR', 'OFF'];
const ENDED = 'The program and all its nodes end as with Ctrl-C.';
const STANDS_STILL = ' The JVM stands still meanwhile.';

const same = names => names.map(name => [name, name]);

export const actions = {
  id: 'actions', title: 'Actions', key: 'x', about: 'What can be changed while the run goes on. All but the tier are events of the run. Those on one node are in its row of the nodes.',
  make(context) {
    if (!context.mayAct) {
      const why = context.recording ? 'This is a recording of a run that has ended.' : 'This address is for looking only. Open the whole address that was printed, with its part \u2018act=\u2019.';
      return { element: notice('Nothing can be changed here.', why), update() {} };
    }
    const nodes = names('actionNodes'), virtualNodes = names('actionVirtualNodes');
    return {
      element: el('div', { class: 'twoColumns' }, tier(context), logLevel(context, nodes), request(context, virtualNodes), end(context)),
      update() {
        const all = [...context.model.nodes.values()];
        offer(nodes, all.map(node => node.name));
        offer(virtualNodes, [...new Set(all.flatMap(node => node.row.virtualNodes ?? []))]);
      },
    };
  },
};

/** The buttons of a node. */
export function nodeActions(context, node) {
  if (!context.mayAct) return [];
  const { name } = node;
  const asked = (title, text, path, attributes) => button(title, () => context.confirm({ title, text, name, path, parameters: { run: context.run, node: name } }), attributes);
  return [
    node.isProgram ? null : asked('Release node', 'The node gets no new objects, serves what it has, and leaves the grid. Objects on it that cannot move end with it.', 'release', { class: 'danger' }),
    asked('Collect garbage', 'The JVM collects all garbage of its heap.' + STANDS_STILL, 'collect'),
    asked('Dump heap', 'All live objects are written to a file on ' + (node.row.host || 'the host of the node') + ', with all data of the program. Only its user can read the file, and it stays there.' + STANDS_STILL, 'heap-dump'),
  ];
}

function tier(context) {
  const said = el('p', { class: 'said', role: 'status' });
  let chosen = [...context.model.nodes.values()].find(node => node.load)?.load.observed ?? TIERS[0];
  return panel('What nodes record', 'A higher tier tells more and costs more; a trace ends by itself after a minute.', el('div', { class: 'buttons' },
    choice('Tier', same(TIERS), chosen, value => { chosen = value; }),
    button('Record this', async () => {
      try {
        setText(said, 'Asking the nodes.');
        setText(said, await act('observe', { run: context.run, tier: chosen, seconds: chosen === 'trace' ? TRACE_SECONDS : 0 }));
      } catch (error) {
        setText(said, error.message);
      }
    })), said);
}

function logLevel(context, nodes) {
  const node = field('Node', 'Node, or all', nodes), logger = field('Logger', 'Logger, such as org.acme');
  let level = 'DEBUG';
  return panel('Log level', 'A logger of java.util.logging logs from this level on for 10 minutes, on the nodes that are there now.', el('div', { class: 'buttons' },
    node, nodes, logger, choice('Level', same(LEVELS), level, value => { level = value; }),
    button('Change level', () => {
      const where = node.value ? 'on ' + node.value : 'in the program and on all nodes';
      context.confirm({
        title: 'Change level', text: (logger.value ? 'The logger ' + logger.value : 'Each logger without a level of its own') + ' logs from ' + level + ' on ' + where + '. A low level may slow the run.',
        name: node.value || context.run, path: 'log-level', parameters: { run: context.run, node: node.value, logger: logger.value, level, seconds: LEVEL_SECONDS },
      });
    })));
}

function request(context, virtualNodes) {
  const of = field('Virtual node', 'Virtual node, or any', virtualNodes);
  const many = el('input', { type: 'number', min: '1', max: '1000', value: '1', 'aria-label': 'How many nodes' });
  return panel('Request nodes', 'More nodes are started as the descriptor says. A batch system gets one more job, and may give whole machines only.', el('div', { class: 'buttons' },
    many, of, virtualNodes,
    button('Request nodes', () => context.confirm({
      title: 'Request nodes', text: many.value + ' more of ' + (of.value || 'any virtual node') + '. The program uses them if it is made for nodes that join later.',
      name: context.run, path: 'request', parameters: { run: context.run, virtualNode: of.value, nodes: many.value },
    }))));
}

function end(context) {
  return panel('End the run', ENDED, el('div', { class: 'buttons' },
    button('Cancel the run', () => context.confirm({ title: 'Cancel the run', text: ENDED, name: context.run, path: 'cancel', parameters: { run: context.run } }), { class: 'danger' })));
}

// Names that a field offers.

const names = id => el('datalist', { id });

const field = (label, placeholder, list) => el('input', { class: 'find', type: 'search', placeholder, 'aria-label': label, list: list?.id });

function offer(list, all) {
  const offered = [...all].sort(byName).slice(0, MOST_NAMES), written = offered.join('\t');
  if (list.dataset.names === written) return;
  list.dataset.names = written;
  fill(list, offered.map(value => el('option', { value })));
}
