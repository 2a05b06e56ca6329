// What only reports have seen, as packets of a trace in Perfetto's form.

import { shortMethod, shortType } from './format.js';

/*
 * Design: packets that follow those of the server.
 *
 * The server makes the file of a recording, of which it has all records, and knows no spans from reports. A file is a sequence of packets, so those of a second sequence can
 * follow. They have a track of their own per object and state, below one that says what they are: a sample is an instant, and what several reports have seen is a span
 * from the first to the last of them. The numbers of fields are those of PerfettoWriter, which says where they come from.
 */
const PACKET = 1, TIMESTAMP = 8, SEQUENCE = 10, TRACK_EVENT = 11, SEQUENCE_FLAGS = 13, TRACK_DESCRIPTOR = 60;
const UUID = 1, TRACK_NAME = 2, PARENT_UUID = 5; // of TrackDescriptor
const TYPE = 9, TRACK = 11, CATEGORY = 22, NAME = 23; // of TrackEvent
const SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3;
const STATE_IS_CLEARED = 1, STATE_IS_NEEDED = 2;
const OWN_SEQUENCE = 2;
const FIRST_TRACK = 2 ** 50; // those of the server are smaller

const encoder = new TextEncoder();

/** Returns the spans of reports that touch the time of a recording, in milliseconds, as packets; none if there are none. */
export function packetsOf(spans, from, to) {
  const seen = spans.filter(span => !span.isExact && span.to >= from && span.from <= to);
  const bytes = [], tracks = new Map();
  const packet = fields => bytes.push(...message(PACKET, [...fields, ...number(SEQUENCE, OWN_SEQUENCE), ...number(SEQUENCE_FLAGS, bytes.length ? STATE_IS_NEEDED : STATE_IS_CLEARED)]));
  const track = (name, ...parent) => {
    const uuid = FIRST_TRACK + tracks.size;
    tracks.set(name, uuid);
    packet(message(TRACK_DESCRIPTOR, [...number(UUID, uuid), ...text(TRACK_NAME, name), ...parent.flatMap(each => number(PARENT_UUID, each))]));
    return uuid;
  };
  const event = (time, fields) => packet([...number(TIMESTAMP, Math.round((time - from) * 1e6)), ...message(TRACK_EVENT, fields)]);
  const within = time => time >= from && time <= to;
  for (const span of seen) {
    const all = tracks.get(ALL) ?? track(ALL);
    const name = shortType(span.type) + ' ' + span.object + ', ' + span.state, uuid = tracks.get(name) ?? track(name, all);
    const named = [...number(TRACK, uuid), ...text(CATEGORY, 'sampled'), ...text(NAME, shortMethod(span.label) || 'a result')];
    if (span.seenAt) span.seenAt.filter(within).forEach(at => event(at, [...number(TYPE, INSTANT), ...named]));
    else {
      event(Math.max(from, span.from), [...number(TYPE, SLICE_BEGIN), ...named]);
      event(Math.min(to, span.to), [...number(TYPE, SLICE_END), ...number(TRACK, uuid)]);
    }
  }
  return Uint8Array.from(bytes);
}

const ALL = 'Seen by reports, one per second: samples, and spans at least as long as shown';

function varint(value) {
  const bytes = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(rest % 128 + 128);
  return [...bytes, rest];
}

const number = (field, value) => [...varint(field * 8), ...varint(value)];
const message = (field, bytes) => [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes];
const text = (field, value) => message(field, encoder.encode(value));
