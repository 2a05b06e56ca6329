package org.troupe.deployment.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The nodes and tracks of a trace: where a service or a wait is drawn. Used by one thread. */
final class TraceTracks {

  /*
   * Design: tracks whose spans nest
   *
   * Viewers draw the spans of a track as a stack, so two spans of one track must be disjoint, or one must contain the other. An
   * object that serves one request at a time, and its waits, are so; concurrent and immediate requests may overlap. They get
   * further tracks of the object, the first one on which they fit.
   *
   * The records of an object come in the order of their ends, nearly: a span that comes later contains an earlier span or begins
   * after its end, or does not fit. So a track remembers its outermost spans. Beyond KEPT of them the two oldest become one, within
   * which no span begins any more: it may then get a further track without need.
   */
  private static final int KEPT = 4_096;

  private static final int MOST_LANES = 256; // of an object

  private final Map<String, Process> processes = new HashMap<>();
  private final Map<Key, List<Track>> tracks = new HashMap<>();
  private int made;

  /** A node; its number is its place among the nodes. */
  record Process(int number, String name) {}

  private record Key(String node, long object) {}

  private record Span(long began, long ended) {}

  /** A row of a picture. */
  static final class Track {
    final Process process;
    final int number; // among all tracks
    final String name;
    private final Deque<Span> spans = new ArrayDeque<>();
    private boolean isDescribed;

    private Track(Process process, int number, String name) {
      this.process = process;
      this.number = number;
      this.name = name;
    }

    /** Returns true once: when the track is used for the first time. */
    boolean isNew() {
      var isNew = !isDescribed;
      isDescribed = true;
      return isNew;
    }

    private boolean tryAdd(long began, long ended) {
      List<Span> contained = new ArrayList<>();
      var last = spans.peekLast();
      while (last != null && last.began >= began && last.ended <= ended) {
        contained.add(spans.removeLast());
        last = spans.peekLast();
      }
      if (last != null && last.ended > began) {
        contained.reversed().forEach(spans::addLast);
        return false;
      }
      spans.addLast(new Span(began, ended));
      if (spans.size() > KEPT) {
        var oldest = spans.removeFirst();
        var second = spans.removeFirst();
        spans.addFirst(new Span(oldest.began, second.ended));
      }
      return true;
    }
  }

  /** Returns a node; makes it if it is not known. */
  Process process(String node) {
    return Objects.requireNonNull(processes.get(node), "a node that is known");
  }

  boolean knows(String node) {
    return processes.containsKey(node);
  }

  Process add(String node, String name) {
    var process = new Process(processes.size() + 1, name);
    processes.put(node, process);
    return process;
  }

  /**
   * Returns the first track of an object; of object 0, the track of callers that are no objects.
   */
  Track first(String node, long object, String type) {
    return lanes(node, object, type).getFirst();
  }

  private List<Track> lanes(String node, long object, String type) {
    return tracks.computeIfAbsent(
        new Key(node, object),
        _ -> {
          var name = object == 0 ? "callers that are no objects" : simple(type) + " " + object;
          return new ArrayList<>(List.of(newTrack(node, name)));
        });
  }

  private Track newTrack(String node, String name) {
    return new Track(process(node), ++made, name);
  }

  /** Returns the track of an object on which a span fits, and adds it there. */
  Track of(String node, long object, String type, long began, long ended) {
    var lanes = lanes(node, object, type);
    for (var each : lanes) {
      if (each.tryAdd(began, ended)) {
        return each;
      }
    }
    if (lanes.size() == MOST_LANES) {
      return lanes.getLast();
    }
    var further = newTrack(node, lanes.getFirst().name + " (" + (lanes.size() + 1) + ")");
    further.tryAdd(began, ended);
    lanes.add(further);
    return further;
  }

  /** Returns the name of a class without its package. */
  static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }
}
