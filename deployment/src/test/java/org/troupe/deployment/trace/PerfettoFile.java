package org.troupe.deployment.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A trace in Perfetto's form, as a viewer would see it: the slices of each track, with their depth,
 * and the flows. It fails on what a viewer could not show.
 */
final class PerfettoFile {

  /** A span, or an instant with the same begin and end. */
  record Slice(
      String process,
      String track,
      String category,
      String name,
      long began,
      long ended,
      int depth,
      Map<String, Object> notes) {}

  /** An event of a flow. */
  record Station(long time, String process, String track, String name, boolean isLast) {}

  private record Event(long time, ProtoFields fields, String category, String name) {}

  final List<Slice> slices = new ArrayList<>();
  final Map<Long, List<Station>> flows = new HashMap<>();
  final Map<String, List<Long>> counters = new HashMap<>();
  final Map<String, Long> clocks = new HashMap<>();

  private final Map<Long, ProtoFields> descriptors = new HashMap<>();
  private final Map<Integer, Map<Long, String>> texts = new HashMap<>();

  PerfettoFile(byte[] bytes) {
    List<Event> events = new ArrayList<>();
    var isFirst = true;
    for (var packet : new ProtoFields(bytes).messages(1)) {
      if (packet.number(13) != (isFirst ? 1 : 2)) {
        throw new IllegalStateException("flags of the sequence");
      }
      isFirst = false;
      if (packet.has(12)) {
        for (var kind : List.of(1, 2, 3, 29)) {
          for (var text : packet.message(12).messages(kind)) {
            texts.computeIfAbsent(kind, _ -> new HashMap<>()).put(text.number(1), text.text(2));
          }
        }
      }
      if (packet.has(60)) {
        var descriptor = packet.message(60);
        if (descriptors.put(descriptor.number(1), descriptor) != null) {
          throw new IllegalStateException("a track is described twice");
        }
      }
      if (packet.has(6)) {
        for (var clock : packet.message(6).messages(1)) {
          clocks.put("clock " + clock.number(1), clock.number(2));
        }
      }
      if (packet.has(11)) {
        var event = packet.message(11);
        events.add(
            new Event(
                packet.number(8),
                event,
                event.has(3) ? text(1, event.number(3)) : "",
                event.has(10) ? text(2, event.number(10)) : ""));
        if (!descriptors.containsKey(event.number(11))) {
          throw new IllegalStateException("an event precedes its track");
        }
      }
    }
    events.sort(Comparator.comparingLong(Event::time)); // stable, as in the trace processor
    show(events);
  }

  private String text(int kind, long id) {
    var text = texts.getOrDefault(kind, Map.of()).get(id);
    if (text == null) {
      throw new IllegalStateException("text " + id + " of kind " + kind + " is not known");
    }
    return text;
  }

  private void show(List<Event> events) {
    Map<Long, Deque<Event>> open = new HashMap<>();
    for (var event : events) {
      var track = event.fields.number(11);
      var stack = open.computeIfAbsent(track, _ -> new ArrayDeque<>());
      switch ((int) event.fields.number(9)) {
        case 1 -> {
          stack.push(event);
          addFlows(event);
        }
        case 2 -> {
          var begin = stack.pop(); // fails if there is none
          slices.add(slice(begin, event.time, stack.size()));
        }
        case 3 -> {
          slices.add(slice(event, event.time, stack.size()));
          addFlows(event);
        }
        case 4 ->
            counters
                .computeIfAbsent(process(track) + ": " + track(track), _ -> new ArrayList<>())
                .add(event.fields.number(30));
        default -> throw new IllegalStateException("type " + event.fields.number(9));
      }
    }
    if (open.values().stream().anyMatch(each -> !each.isEmpty())) {
      throw new IllegalStateException("a slice has no end");
    }
  }

  private Slice slice(Event begin, long ended, int depth) {
    Map<String, Object> notes = new HashMap<>();
    for (var note : begin.fields.messages(4)) {
      notes.put(
          text(3, note.number(1)),
          note.has(17)
              ? text(29, note.number(17))
              : note.has(2) ? note.number(2) == 1 : (Object) note.number(4));
    }
    var track = begin.fields.number(11);
    return new Slice(
        process(track), track(track), begin.category, begin.name, begin.time, ended, depth, notes);
  }

  private void addFlows(Event event) {
    for (var field : List.of(47, 48)) {
      for (var flow : event.fields.numbers(field)) {
        var track = event.fields.number(11);
        flows
            .computeIfAbsent(flow, _ -> new ArrayList<>())
            .add(new Station(event.time, process(track), track(track), event.name, field == 48));
      }
    }
  }

  private String track(long uuid) {
    return descriptor(uuid).text(2);
  }

  private String process(long uuid) {
    return descriptor(descriptor(uuid).number(5)).message(3).text(6);
  }

  private ProtoFields descriptor(long uuid) {
    var known = descriptors.get(uuid);
    if (known == null) {
      throw new IllegalStateException("track " + uuid + " is not described");
    }
    return known;
  }
}
