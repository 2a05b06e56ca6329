package org.troupe.activeobjects.internal.flight;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/** The nodes of this JVM, which are asked for their state once per second of a recording. */
public final class FlightSources {

  private static final Set<Source> SOURCES = Collections.newSetFromMap(new WeakHashMap<>());

  /** A node. Its methods are called by a thread of the recorder. */
  public interface Source {

    /** Returns the queues of its objects, by class. */
    List<QueueState> queues();

    /** Returns its traffic with other nodes. */
    List<LinkState> links();
  }

  /**
   * The queues of the objects of a class.
   *
   * @param objects how many there are, among those that were looked at
   * @param queued requests in all queues
   * @param longest the length of the longest queue
   * @param longestObject the number of its object
   */
  public record QueueState(
      String node, String type, long objects, long queued, long longest, long longestObject) {}

  /**
   * The traffic from a node to another.
   *
   * @param driver the mechanism that carries frames; empty if it is not known
   * @param resets how often the connection was replaced
   * @param roundTripNanos 0 if it was not measured
   */
  public record LinkState(
      String node,
      String peer,
      String driver,
      long messages,
      long bytes,
      long resets,
      long roundTripNanos) {}

  private FlightSources() {}

  /** Adds a node, until it is collected. */
  public static void add(Source source) {
    synchronized (SOURCES) {
      SOURCES.add(source);
    }
  }

  /** Removes a node. */
  public static void remove(Source source) {
    synchronized (SOURCES) {
      SOURCES.remove(source);
    }
  }

  private static List<Source> all() {
    synchronized (SOURCES) {
      return new ArrayList<>(SOURCES);
    }
  }

  static void emitQueues() {
    for (var source : all()) {
      for (var state : source.queues()) {
        var event = new FlightEventTypes.Queue();
        event.node = state.node();
        event.objectClass = state.type();
        event.objects = state.objects();
        event.queued = state.queued();
        event.longest = state.longest();
        event.longestObject = state.longestObject();
        event.commit();
      }
    }
  }

  static void emitLinks() {
    for (var source : all()) {
      for (var state : source.links()) {
        var event = new FlightEventTypes.Link();
        event.node = state.node();
        event.peer = state.peer();
        event.driver = state.driver();
        event.messages = state.messages();
        event.bytes = state.bytes();
        event.resets = state.resets();
        event.roundTripNanos = state.roundTripNanos();
        event.commit();
      }
    }
  }
}
