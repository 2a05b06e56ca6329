// What watching costs now, what the reports leave out, and records this page has no view for.

import { askJson } from '../api.js';
import { button, download, el, fill, notice, panel } from '../dom.js';
import { anything, bytes, capital, count, duration, plural, whole, words } from '../format.js';
import { facts } from './parts.js';

const MOST_ROWS = 50;
const KEYS = [['g and a letter', 'open a view; its letter is in the tip of its link'], ['/', 'find in the table'], ['space', 'pause or continue the display'], ['up and down, home, end', 'move between the rows of a table'], ['enter', 'open a row']];

export const about = {
  id: 'about', title: 'About this page', key: 'a', isIndependent: true, about: 'What watching costs right now, what reports leave out, and how to use the keys.',
  make(context) {
    const costs = el('div', {}), left = el('div', {}), server = el('div', {}), others = el('div', {});
    if (!context.recording) {
      askJson('about').then(answer => fill(server, panel('The server of this page', '', facts(Object.entries(answer).map(measured)))),
        error => fill(server, panel('The server of this page', '', notice('It gives no account', error.message))));
    }
    return {
      element: el('div', { class: 'twoColumns' }, costs, left, server, panel('Keys', '', facts(KEYS)), others),
      update() {
        const { model, stream, costs: own } = context;
        const { round } = model;
        fill(costs, panel('What watching costs', '', facts([
          ['Last round took', round ? duration(round.tookSeconds) : '–'], ['A round each', model.begin ? duration(model.begin.intervalSeconds) : '–'],
          ['JVMs asked', round ? whole(round.nodes) : '–'], ['Rows kept by the program', round ? whole(round.rows) : '–'],
          ['Received by this page', stream ? bytes(stream.bytes) + ' in ' + plural(stream.records, 'record') : 'nothing; it is a recording'],
          ['Reading a round', own.rounds ? duration(own.applyMillis / own.rounds / 1000) : '–'], ['Drawing the view', own.drawMillis ? duration(own.drawMillis / 1000) : '–'],
        ])));
        let unvisited = 0, leftOut = 0;
        for (const node of model.nodes.values()) {
          unvisited += node.load?.unvisited ?? 0;
          leftOut += node.load?.leftOut ?? 0;
        }
        fill(left, panel('What is left out', 'Nothing grows without bound; what is dropped is counted.', facts([
          ['Objects not looked at in the last round', whole(unvisited)], ['Rows that did not fit into reports', whole(leftOut)], ['Rows dropped by the program', round ? whole(round.dropped) : '–'],
          ['JVMs that did not answer', round ? whole(round.silent) : '–'], ['Old events, failures, groups and records dropped by this page', whole(Object.values(model.dropped).reduce((sum, each) => sum + each, 0))], ['Old spans dropped by this page', whole(model.spans.dropped)],
        ])));
        fill(others, [...model.others].map(([kind, rows]) => panel('Records of kind ' + kind, 'This page has no view for them.', generic([...rows.values()]),
          button('Save as JSON', () => download('troupe-' + kind + '.json', 'application/json', JSON.stringify([...rows.values()], null, 1)), { class: 'quiet' }))));
      },
    };
  },
};

// A value of the server, whose name ends with its unit.
function measured([name, value]) {
  const [, what, unit] = /^(.*?)(Seconds|Bytes)?$/.exec(name);
  return [capital(words(what)), unit === 'Seconds' ? duration(value) : unit === 'Bytes' ? bytes(value) : anything(value)];
}

function generic(rows) {
  const names = [...new Set(rows.slice(0, MOST_ROWS).flatMap(Object.keys))].filter(name => name !== 'record');
  return el('div', { class: 'scroll' }, el('table', { class: 'data' }, el('thead', {}, el('tr', {}, names.map(name => el('th', { scope: 'col' }, words(name))))),
    el('tbody', {}, rows.slice(0, MOST_ROWS).map(row => el('tr', {}, names.map(name => el('td', {}, anything(row[name]).slice(0, 200))))))),
  rows.length > MOST_ROWS ? el('p', { class: 'soft' }, 'The first ' + MOST_ROWS + ' of ' + count(rows.length) + '.') : null);
}
