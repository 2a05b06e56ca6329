// Numbers, times and names as people read them.

const DASH = '–';
const PREFIXES = ['', ' k', ' M', ' G', ' T', ' P'];

const isKnown = value => typeof value === 'number' && Number.isFinite(value);

/** 1234567 as '1.23 M'; small whole numbers as they are. */
export function count(value) {
  if (!isKnown(value)) return DASH;
  if (Number.isInteger(value) && Math.abs(value) < 10_000) return String(value);
  return scaled(value, 1000, PREFIXES);
}

/** A count with separators between thousands. */
export const whole = value => isKnown(value) ? Math.round(value).toLocaleString('en') : DASH;

/** Bytes in binary units. */
export function bytes(value) {
  if (!isKnown(value) || value < 0) return DASH;
  return scaled(value, 1024, [' B', ' KiB', ' MiB', ' GiB', ' TiB', ' PiB']);
}

/** A rate per second. */
export const rate = value => isKnown(value) ? count(value < 100 ? Number(value.toPrecision(2)) : value) + '/s' : DASH;

/** Bytes per second. */
export const byteRate = value => isKnown(value) ? bytes(value) + '/s' : DASH;

function scaled(value, base, units) {
  let unit = 0, left = Math.abs(value);
  while (left >= base * 0.9995 && unit < units.length - 1) {
    left /= base;
    unit++;
  }
  const digits = left >= 100 || (unit === 0 && Number.isInteger(left)) ? 0 : left >= 10 ? 1 : 2;
  return (value < 0 ? '-' : '') + String(Number(left.toFixed(digits))) + units[unit];
}

/** A part of 1 in percent. */
export function percent(part) {
  if (!isKnown(part)) return DASH;
  const value = part * 100;
  return (value > 0 && value < 1 ? value.toFixed(1) : Math.round(value)) + ' %';
}

/** A duration in seconds: '1.6 µs', '41 s', '3 min 12 s', '2 h 05 min', '4 d 3 h'. */
export function duration(seconds) {
  if (!isKnown(seconds) || seconds < 0) return DASH;
  if (seconds === 0) return '0 s';
  if (seconds < 1e-6) return three(seconds * 1e9) + ' ns';
  if (seconds < 1e-3) return three(seconds * 1e6) + ' µs';
  if (seconds < 1) return three(seconds * 1e3) + ' ms';
  if (seconds < 10) return three(seconds) + ' s';
  const total = Math.round(seconds);
  if (total < 120) return total + ' s';
  if (total < 7200) return Math.floor(total / 60) + ' min ' + String(total % 60).padStart(2, '0') + ' s';
  if (total < 172_800) return Math.floor(total / 3600) + ' h ' + String(Math.floor(total % 3600 / 60)).padStart(2, '0') + ' min';
  return Math.floor(total / 86_400) + ' d ' + Math.floor(total % 86_400 / 3600) + ' h';
}

const three = value => String(Number(value.toPrecision(3)));

/** The time of the day of milliseconds since 1970, in the zone of the reader. */
export function time(millis, withDate = false) {
  if (!isKnown(millis) || millis <= 0) return DASH;
  const date = new Date(millis), two = number => String(number).padStart(2, '0');
  const clock = two(date.getHours()) + ':' + two(date.getMinutes()) + ':' + two(date.getSeconds());
  return withDate ? date.getFullYear() + '-' + two(date.getMonth() + 1) + '-' + two(date.getDate()) + ' ' + clock : clock;
}

/** The time of the day to the millisecond. */
export const fineTime = millis => isKnown(millis) ? time(millis) + '.' + String(Math.floor(millis) % 1000).padStart(3, '0') : DASH;

/** 'one node', '3 nodes'. */
export const plural = (number, noun, nouns = noun + 's') => whole(number) + ' ' + (number === 1 ? noun : nouns);

/** A class without its package: 'org.acme.Bank$Account' as 'Bank.Account'. */
export const shortType = name => String(name ?? '').replace(/^([\p{L}_$][\p{L}\p{N}_$]*\.)+/u, '').replaceAll('$', '.') || '(unknown)';

/** A method with classes of its parameters without their packages. */
export const shortMethod = name => String(name ?? '').replace(/(?:[\p{L}_$][\p{L}\p{N}_$]*\.)+(?=[\p{L}_$])/gu, '').replaceAll('$', '.');

/** A line of a program without its package: 'org.acme.Bank.pay(Bank.java:7)' as 'Bank.pay(Bank.java:7)'. */
export const shortFrame = frame => String(frame ?? '').replace(/^(?:[\p{Ll}_][\p{L}\p{N}_]*\.)+(?=\p{Lu})/u, '');

const RUN_VALUES = /^--(class-path|grid|jvms|main|model|on|ranks)$/; // options of `troupe run` with a value

/** What a command line runs: 'org.acme.Main 7' as 'Main', 'troupe run --dashboard em3d cube:33' as 'em3d'. */
export function programName(command) {
  const [first, verb, ...rest] = String(command ?? '').trim().split(/\s+/);
  let name = first;
  if (first.split('/').pop() === 'troupe' && verb === 'run') {
    const options = {};
    while (!options['--main'] && rest[0]?.startsWith('-')) { // what follows the class is the program's
      const [option, value] = rest.shift().split('=');
      if (RUN_VALUES.test(option)) options[option] = value ?? rest.shift();
    }
    name = options['--main'] ?? options['--class-path'] ?? rest[0] ?? first;
  }
  return shortFrame(name.split('/').pop());
}

/** A text with a capital at its beginning. */
export const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

/** A message as a sentence, from its capital to its full stop. */
export const sentence = text => text && capital(text) + (/[.!?]$/.test(text) ? '' : '.');

/** A field's name as words: 'roundTripSeconds' as 'round trip seconds'. */
export const words = name => String(name).replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase().replace(/\bjvm/g, 'JVM');

const inOrder = new Intl.Collator('en', { numeric: true }).compare;

/** Compares names as people do: 'n2' before 'n10', and different names never as equal. */
export const byName = (a, b) => inOrder(a, b) || (a < b ? -1 : a > b ? 1 : 0);

/** Any value of JSON as a short text. */
export function anything(value) {
  if (value === null || value === undefined || value === '') return DASH;
  if (typeof value === 'number') return Number.isInteger(value) ? value.toLocaleString('en') : three(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every(each => typeof each !== 'object')) return value.join(', ') || DASH;
  return JSON.stringify(value);
}
