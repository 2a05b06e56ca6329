'use strict';
// The tokens are behind the #, which no server sees, and stay in this tab.
const fragment = new URLSearchParams(location.hash.slice(1));
for (const name of ['token', 'act']) {
  if (fragment.has(name)) sessionStorage.setItem(name, fragment.get(name));
}
history.replaceState(null, '', location.pathname);
addEventListener('hashchange', () => location.reload()); // the address with tokens was opened in this tab
const bearer = name => sessionStorage.getItem(name) === null ? {} : { Authorization: 'Bearer ' + sessionStorage.getItem(name) };
const $ = id => document.getElementById(id);
const MOST_ENERGIES = 4000; // more than the curve can show

async function ask(what) {
  const answer = await fetch(what, { headers: bearer('token') });
  if (answer.ok) return answer;
  const { error, remedy } = await answer.json();
  throw new Error(error + '; ' + remedy);
}
let leg = -1, frame = -1, energies = [];

for (const command of ['pause', 'resume', 'stop']) {
  $(command).onclick = () => fetch('command?do=' + command, { method: 'POST', headers: bearer('act') });
}

// Blue below 0, white, red above; grey where there is nothing: as in the pictures.
function colour(part) {
  if (Number.isNaN(part)) return [232, 232, 232];
  const full = part < 0 ? [33, 102, 172] : [178, 24, 43], strength = Math.min(1, Math.abs(part));
  return full.map(c => 255 + strength * (c - 255));
}

// Pixels on a canvas of three times their size or so.
function paint(canvas, width, height, rgb) {
  const small = new OffscreenCanvas(width, height), pen = small.getContext('2d'), image = pen.createImageData(width, height);
  for (let k = 0; k < width * height; k++) {
    const [r, g, b] = rgb(k);
    image.data.set([r, g, b, 255], 4 * k);
  }
  pen.putImageData(image, 0, 0);
  const zoom = 384 / Math.max(width, height);
  canvas.width = zoom * width;
  canvas.height = zoom * height;
  const big = canvas.getContext('2d');
  big.imageSmoothingEnabled = false;
  big.drawImage(small, 0, 0, canvas.width, canvas.height);
}

async function showFrame() {
  const bytes = await (await ask('frame')).arrayBuffer();
  if (bytes.byteLength === 0) return;
  const [step, width, height] = new Int32Array(bytes, 0, 3), largest = new Float32Array(bytes, 12, 1)[0];
  const values = new Float32Array(bytes, 16);
  paint($('slice'), width, height, k => colour(largest === 0 ? values[k] : values[k] / largest));
  $('scale').textContent = 'step ' + step + ', from ' + (-largest).toPrecision(4) + ' (blue) to ' + largest.toPrecision(4) + ' (red)';
  frame = step;
}

const hue = (node, nodes) => 360 * nodes.indexOf(node) / nodes.length;

function rgbOf(hue, light) { // hsl, as CSS has it
  const f = n => { const k = (n + hue / 30) % 12; return 255 * (light - .5 * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1))); };
  return [f(0), f(8), f(4)];
}

async function showParts(ofRanks, nodes) {
  const parts = await (await ask('parts')).json();
  if (!parts.ranks) return;
  const colours = ofRanks.map((node, rank) => rgbOf(hue(node, nodes), .55 + .25 * (rank * .382 % 1)));
  paint($('parts'), parts.width, parts.height, k => parts.ranks[k] < 0 ? [232, 232, 232] : colours[parts.ranks[k]]);
}

function showNodes(ofRanks, waits, nodes) {
  $('nodes').replaceChildren(...nodes.map(node => {
    const mine = waits.filter((_, rank) => ofRanks[rank] === node), row = document.createElement('tr');
    const swatch = document.createElement('span'), name = document.createElement('td');
    swatch.className = 'swatch';
    swatch.style.background = 'hsl(' + hue(node, nodes) + ' 50% 60%)';
    name.append(swatch, node);
    row.append(name, ...[mine.length + (mine.length === 1 ? ' sub-domain' : ' sub-domains'), (100 * mine.reduce((a, b) => a + b, 0) / mine.length).toFixed(1) + ' % halo wait']
      .map(text => { const cell = document.createElement('td'); cell.textContent = text; return cell; }));
    return row;
  }));
}

// An axis and the multiples of 1, 2 or 5 times a power of ten on it.
function ticks(low, high, most, widens) {
  const least = (high - low) / most, power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find(k => k * power >= least * (1 - 1e-9)) ?? 10);
  if (widens) { low = step * Math.floor(low / step + 1e-9); high = step * Math.ceil(high / step - 1e-9); }
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), values = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) values.push(k * step);
  return { low, high, values, label: x => x.toFixed(decimals).replace(/^-(?=[0.]+$)/, '') };
}

// A power of 1000 of a unit, so that numbers need few digits.
function scale(largest, unit) {
  const prefixes = 'yzafpnum kMGTPEZY', power = largest === 0 ? 0 : Math.floor(Math.log10(Math.abs(largest)) / 3);
  const prefix = prefixes[8 + power] ?? '10^' + 3 * power + ' ';
  return { factor: 1000 ** -power, unit: prefix.replace(/^ $/, '') + unit };
}

// Points of a curve on axes with their names, which show at least a range; marks are [x, label].
function curve(canvas, points, acrossName, upName, least, marks = []) {
  const pen = canvas.getContext('2d'), width = canvas.width, height = canvas.height;
  const left = 62, top = 12, right = width - 12, bottom = height - 34;
  pen.clearRect(0, 0, width, height);
  if (points.length === 0) return;
  const ys = points.map(p => p[1]), x0 = points[0][0];
  const across = ticks(x0, Math.max(points[points.length - 1][0], x0 + 1e-9), 8, false);
  const low = Math.min(least[0], ...ys), high = Math.max(least[1], ...ys), up = ticks(low, high > low ? high : low + 1, 5, true);
  const x = value => left + (right - left) * (value - across.low) / (across.high - across.low);
  const y = value => bottom - (bottom - top) * (value - up.low) / (up.high - up.low);
  const line = (...corners) => { pen.beginPath(); corners.forEach(c => pen.lineTo(...c)); pen.stroke(); };
  pen.font = '11px system-ui, sans-serif';
  pen.lineWidth = 1;
  pen.fillStyle = '#222';
  pen.strokeStyle = '#ddd';
  pen.textAlign = 'center';
  for (const value of across.values) {
    line([x(value), top], [x(value), bottom]);
    pen.fillText(across.label(value), x(value), bottom + 13);
  }
  pen.fillText(acrossName, (left + right) / 2, height - 5);
  pen.textAlign = 'right';
  for (const value of up.values) {
    line([left, y(value)], [right, y(value)]);
    pen.fillText(up.label(value), left - 5, y(value) + 4);
  }
  pen.save();
  pen.translate(12, (top + bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.textAlign = 'center';
  pen.fillText(upName, 0, 0);
  pen.restore();
  pen.strokeStyle = '#2166ac';
  pen.lineWidth = 1.5;
  line(...points.map(p => [x(p[0]), y(p[1])]));
  pen.strokeStyle = pen.fillStyle = '#b2182b';
  pen.lineWidth = 1;
  marks.forEach(([at, label], k) => {
    const isRight = x(at) > right - 70;
    line([x(at), top], [x(at), bottom]);
    pen.textAlign = isRight ? 'right' : 'left';
    pen.fillText(label, x(at) + (isRight ? -3 : 3), top + 10 + 12 * (k % 6));
  });
  pen.textAlign = 'left';
}

// The energy, or its change if that is small.
function showEnergy() {
  const ys = energies.map(e => e[1]), first = ys[0], low = Math.min(...ys), high = Math.max(...ys);
  if (ys.length > 1 && first !== 0 && high - low < 1e-3 * high) {
    const largest = Math.max(...ys.map(y => Math.abs(y - first) / first), 1e-15), power = Math.floor(Math.log10(largest));
    const start = scale(first, 'J');
    $('energyTitle').textContent = 'energy: change relative to the first value, ' + (first * start.factor).toPrecision(5) + ' ' + start.unit;
    curve($('energy'), energies.map(e => [e[0], (e[1] - first) / first * 10 ** -power]), 'step', 'relative change (1e' + power + ')', [-1, 1]);
  } else {
    const unit = scale(ys.length ? high : 0, 'J');
    $('energyTitle').textContent = 'energy';
    curve($('energy'), energies.map(e => [e[0], e[1] * unit.factor]), 'step', 'energy (' + unit.unit + ')', [0, 0]);
  }
}

function showSpectrum(spectrum) {
  const across = scale(spectrum.points[spectrum.points.length - 1][0] / 2, 'Hz');
  const up = scale(Math.max(...spectrum.points.map(p => p[1])), 'V/m');
  curve($('spectrum'), spectrum.points.map(p => [p[0] * across.factor, p[1] * up.factor]), 'f (' + across.unit + ')',
    'amplitude (' + up.unit + ')', [0, 0],
    spectrum.resonances.map(f => [f * across.factor, (f * across.factor).toPrecision(4) + ' ' + across.unit]));
}

async function look() {
  const since = energies.length ? energies[energies.length - 1][0] : -1;
  const state = await (await ask('state?since=' + since)).json();
  if (energies.length && state.step < since) energies = energies.filter(e => e[0] <= state.step);
  energies = energies.concat(state.energies);
  while (energies.length > MOST_ENERGIES) energies = energies.filter((each, i) => i % 2 === 0 || i === energies.length - 1);
  $('phase').textContent = state.phase;
  $('step').textContent = 'step ' + state.step + ' of ' + state.lastStep;
  $('time').textContent = 't = ' + state.nanoseconds.toPrecision(5) + ' ns';
  $('sliceTitle').textContent = state.slice;
  for (const command of ['pause', 'resume', 'stop']) $(command).disabled = state.isOver;
  $('rate').textContent = state.stepsPerSecond.toFixed(1) + ' steps/s';
  $('news').textContent = state.news.join('\n');
  showEnergy();
  if (state.spectrum.name) {
    $('spectrumTitle').hidden = $('spectrum').hidden = false;
    $('spectrumTitle').textContent = 'spectrum of ' + state.spectrum.name;
    showSpectrum(state.spectrum);
  }
  if (state.nodes) {
    const nodes = [...new Set(state.nodes)];
    showNodes(state.nodes, state.haloWaits, nodes);
    if (state.leg !== leg) { await showParts(state.nodes, nodes); leg = state.leg; frame = -1; }
    if (state.frame >= 0 && state.frame !== frame) await showFrame();
  }
  document.body.dataset.frame = frame;
  return state.isOver;
}

(async function loop() {
  try {
    if (await look()) return;
  } catch (e) {
    // fetch throws a TypeError if no server answers
    $('phase').textContent = e instanceof TypeError ? 'the run has ended, or cannot be reached' : e.message;
    return;
  }
  setTimeout(loop, 150);
})();
