// The state of a run in words: one sentence, and what needs attention with its remedy.

import { bytes, duration, percent, plural, shortMethod, shortType, whole } from './format.js';
import { forWhat, ranks } from './waitgraph.js';

const LONG_WAIT_SECONDS = 10;
const FULL_HEAP = 0.9;
const MUCH_COLLECTION = 0.2;
const LONG_QUEUE = 1000;
const MOST_OF_A_KIND = 5;

/** What a kind of failure means, and what to do about it. */
export const CAUSES = {
  'one-way': ['one-way call', 'A one-way call has thrown an exception, which no caller can see. Handle it in the method, install a failure handler, or ask for the result.'],
  unclaimed: ['unclaimed result', 'A call has failed and its result was discarded unused. Use the result, or install a failure handler.'],
  unserved: ['unserved request', 'The object of a request has ended, dropped it, or was lost. See the events for the end of its node.'],
  background: ['background work', 'A stage, handler or other work without a caller has failed. Handle the exception there.'],
  'refused-type': ['refused class', 'The arguments of a call have a class that is not allowed. If it is yours, allow it with -Dtroupe.serialization.allow=its.package.**'],
  reset: ['broken connection', 'A connection broke and was replaced; no call is lost. If it recurs, look at the network between the two nodes.'],
  death: ['lost node', 'A node was lost. Its exit report says how its process ended; its log has the last lines.'],
};

/** The longest wait of any object, but for some objects: {seconds, row, node}, or null. */
export function longestWait(model, without = new Set()) {
  let longest = null;
  for (const node of model.nodes.values()) {
    if (node.row.state === 'ended') continue;
    for (const row of node.waits) {
      if (row.waitingSeconds > (longest?.seconds ?? 0) && !without.has(row.object)) longest = { seconds: row.waitingSeconds, row, node: node.name };
    }
  }
  return longest;
}

/** Counts of the nodes that the program has asked for, without itself. */
export function nodeCounts(model) {
  const counts = { all: 0, joined: 0, starting: 0, ended: 0, silent: 0, bad: 0, released: 0 };
  for (const node of model.nodes.values()) {
    if (node.isProgram) continue;
    if (node.state !== 'released') counts.all++;
    if (node.state in counts) counts[node.state]++;
    if (isLost(node)) counts.bad++;
  }
  return counts;
}

/** Whether a node has ended for another reason than its release. */
export const isLost = node => node.row.state === 'ended' && /exit code [1-9]|signal|lost|killed|out of memory|no answer|stopped answering|crash/i.test(node.row.detail ?? '');

/** Returns {level, sentence, announced, items}; `announced` leaves out what changes each second; an item has level, what, why, remedy and link. */
export function health(model) {
  if (!model.begin) return { level: 'good', sentence: 'Waiting for the first report.', announced: '', items: [] };
  const items = [...cycles(model), ...lostNodes(model), ...groups(model), ...failures(model), ...silentNodes(model), ...jobs(model), ...waits(model), ...memory(model), ...queues(model)];
  const order = { trouble: 0, attention: 1, note: 2 };
  items.sort((a, b) => order[a.level] - order[b.level]);
  const level = items[0]?.level === 'trouble' ? 'trouble' : items[0]?.level === 'attention' ? 'attention' : 'good';
  return { level, ...sentence(model, items), items };
}

function sentence(model, items) {
  const counts = nodeCounts(model), parts = [];
  const released = counts.released ? ', ' + whole(counts.released) + ' released' : '';
  if (counts.all === 0) parts.push('No nodes but the program itself');
  else if (counts.joined === counts.all) parts.push((counts.all === 1 ? 'The one node is up' : 'All ' + whole(counts.all) + ' nodes are up') + released);
  else parts.push(whole(counts.joined) + ' of ' + plural(counts.all, 'node') + ' up' + (counts.starting ? ', ' + whole(counts.starting) + ' starting' : '') + (counts.silent ? ', ' + whole(counts.silent) + ' silent' : '') + (counts.ended ? ', ' + whole(counts.ended) + ' ended' : '') + released);
  const job = [...model.jobs.values()].find(each => each.state === 'queued' || each.state === 'held');
  if (job) parts.push('element ' + (job.id || job.element) + ' waits' + (job.reason ? ': ' + job.reason : ''));
  if (model.cycles.size) parts.push(plural(model.cycles.size, 'deadlock') + ' found');
  const announced = [...parts];
  const wait = longestWait(model);
  if (wait) parts.push('longest wait ' + duration(wait.seconds));
  const failed = model.counted.failures;
  if (failed > 0) parts.push(plural(failed, 'failure'));
  if (wait?.seconds >= LONG_WAIT_SECONDS) announced.push('an object waits for long');
  if (failed > 0) announced.push('calls have failed unseen');
  const end = (items.length === 0 && parts.length === 1 ? '; nothing needs attention' : '') + '.';
  return { sentence: parts.join('; ') + end, announced: announced.join('; ') + end };
}

function limited(items, rest) {
  if (items.length <= MOST_OF_A_KIND) return items;
  return [...items.slice(0, MOST_OF_A_KIND), rest(items.length - MOST_OF_A_KIND)];
}

const more = (number, what, link) => ({ level: 'note', what: 'And ' + whole(number) + ' more ' + what, why: '', remedy: '', link });

function cycles(model) {
  return [...model.cycles.values()].slice(-3).map(cycle => ({
    level: 'trouble', what: 'Objects waited for each other in a circle', why: circle(String(cycle.text)),
    remedy: 'Their calls have failed with this error. Let one of them call without waiting, such as by ref.ask(..).thenAccept(..).', link: '#/waits',
  }));
}

/** Says what one object of a circle waited for; the text of the error has a line for each. */
function circle(text) {
  const lines = text.split('\n'), waits = lines.filter(line => line.startsWith('  - ')).map(line => line.slice(4));
  if (waits.length < 2) return waits[0] ?? lines[0];
  return waits[0] + '; ' + (waits.length === 2 ? '1 more wait closes' : whole(waits.length - 1) + ' more waits close') + ' the circle.';
}

function lostNodes(model) {
  const lost = [...model.nodes.values()].filter(node => !node.isProgram && isLost(node));
  return limited(lost.map(node => ({
    level: 'trouble', what: 'Node ' + node.name + ' was lost', why: String(node.row.detail).split('\n')[0],
    remedy: 'Read its exit report and its last lines.', link: '#/events?find=' + encodeURIComponent(node.name),
  })), rest => more(rest, 'lost nodes', '#/nodes?find=ended'));
}

// Groups of which a member has waited long for others.
const waitingGroups = model => [...model.collectives.values()].filter(row => row.missing?.length && row.waitingSeconds >= LONG_WAIT_SECONDS);

function groups(model) {
  return limited(waitingGroups(model).map(row => ({
    level: 'attention', what: shortType(row.type) + ' group waits in ' + row.operation + ' for ' + ranks(row.missing, row.size),
    why: 'The first member has waited ' + duration(row.waitingSeconds) + '; ' + plural(row.arrived?.length ?? 0, 'member') + ' arrived.',
    remedy: 'See what the missing members do.', link: '#/groups',
  })), rest => more(rest, 'groups that wait', '#/groups'));
}

function failures(model) {
  const byCause = new Map();
  for (const row of model.failures.values()) {
    const group = byCause.get(row.cause) ?? { count: 0, worst: row, last: 0 };
    group.count += row.count;
    if (row.count > group.worst.count) group.worst = row;
    group.last = Math.max(group.last, row.lastMillis);
    byCause.set(row.cause, group);
  }
  byCause.delete('death'); // shown as a lost node
  return [...byCause].map(([cause, { count, worst }]) => {
    const [noun, remedy] = CAUSES[cause] ?? [cause, 'See the example.'];
    return {
      level: cause === 'reset' ? 'note' : cause === 'refused-type' || cause === 'unserved' ? 'trouble' : 'attention',
      what: plural(count, 'failure') + ': ' + noun,
      why: [worst.call && shortMethod(worst.call), worst.exception && shortType(worst.exception)].filter(Boolean).join(' threw ') + (worst.example ? ': ' + worst.example : ''),
      remedy, link: '#/failures?find=' + encodeURIComponent(cause),
    };
  });
}

function silentNodes(model) {
  const silent = [...model.nodes.values()].filter(node => node.state === 'silent');
  return limited(silent.map(node => ({
    level: 'attention', what: 'Node ' + node.name + ' does not answer', why: node.row.detail || 'Its last report is shown.',
    remedy: 'A long pause of its JVM or of the network looks the same; it is given up when it has been silent for too long. Look at its heap and its garbage collections.', link: '#/nodes?node=' + encodeURIComponent(node.name),
  })), rest => more(rest, 'silent nodes', '#/nodes?find=silent'));
}

function jobs(model) {
  return limited([...model.jobs.values()].filter(job => ['queued', 'held', 'failed', 'suspended'].includes(job.state)).map(job => ({
    level: job.state === 'failed' ? 'trouble' : 'attention',
    what: 'Element ' + (job.id || job.element) + (job.job ? ' (job ' + job.job + ')' : '') + ' is ' + job.state,
    why: job.reason || 'The batch system gives no reason.',
    remedy: job.state === 'queued' ? 'It starts when the batch system lets it; a shorter time limit or fewer nodes may start sooner.' : job.state === 'held' ? 'Release it at the batch system, or cancel the run.' : 'See its output.',
    link: '#/jobs',
  })), rest => more(rest, 'jobs', '#/jobs'));
}

// The longest wait but those of members of the groups above, whose waits are told there.
function waits(model) {
  const groups = new Set(waitingGroups(model).map(row => row.group));
  const members = [...model.nodes.values()].flatMap(node => node.waits).filter(row => groups.has(row.group)).map(row => row.object);
  const wait = longestWait(model, new Set(members));
  if (!wait || wait.seconds < LONG_WAIT_SECONDS) return [];
  return [{
    level: 'attention', what: shortType(wait.row.type) + ' ' + wait.row.object + ' has waited ' + duration(wait.seconds),
    why: 'In ' + (shortMethod(wait.row.serving) || 'its service') + ' it waits ' + forWhat(wait.row) + '.',
    remedy: 'The waits view follows the chain to its root.', link: '#/waits?object=' + encodeURIComponent(wait.row.object),
  }];
}

function memory(model) {
  const items = [];
  for (const node of model.nodes.values()) {
    if (node.row.state !== 'joined' || !node.load) continue;
    if (node.heapPart > FULL_HEAP && node.collecting > MUCH_COLLECTION) items.push({
      level: 'trouble', what: 'Node ' + node.name + ' is short of memory', why: percent(node.heapPart) + ' of its heap of ' + bytes(node.load.heapMostBytes) + ' is used, and ' + percent(node.collecting) + ' of its time goes into garbage collections.',
      remedy: 'Give it a larger heap (-Xmx in the descriptor), or put fewer objects on it.', link: '#/nodes?node=' + encodeURIComponent(node.name),
    });
    else if (node.heapPart > FULL_HEAP) items.push({
      level: 'note', what: 'The heap of node ' + node.name + ' is ' + percent(node.heapPart) + ' full', why: 'That is normal before a garbage collection.',
      remedy: 'If it stays so, give it a larger heap.', link: '#/nodes?node=' + encodeURIComponent(node.name),
    });
  }
  return limited(items, rest => more(rest, 'nodes with full heaps', '#/nodes?sort=heap&order=down'));
}

function queues(model) {
  let longest = null;
  for (const node of model.nodes.values()) {
    for (const row of node.queues) if (row.queued > (longest?.queued ?? LONG_QUEUE)) longest = row;
  }
  return longest ? [{
    level: 'attention', what: shortType(longest.type) + ' ' + longest.object + ' has ' + whole(longest.queued) + ' requests in its queue',
    why: longest.serving ? 'It serves ' + shortMethod(longest.serving) + '.' : 'Its callers send faster than it serves.',
    remedy: 'Bound its queue, so that callers wait, or spread its work over several objects.', link: '#/objects?tab=queues',
  }] : [];
}
