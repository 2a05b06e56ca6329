package org.troupe.activeobjects.internal.observe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.troupe.activeobjects.hosting.NodeEvent;

/** The last events of a node. Thread-safe. */
public final class NodeEvents {

  /*
   * Design: events are fetched
   *
   * A report has the number of the last event only; a reader that sees a higher number than before asks for the events since.
   * So texts of any length fit, and a node on which nothing happens sends one byte. The last MOST_EVENTS are kept, in
   * MOST_CHARACTERS of text.
   */
  static final int MOST_EVENTS = 200;

  private static final int MOST_CHARACTERS = 200_000;

  private final LongSupplier millis;

  // guarded by this
  private final Deque<NodeEvent> events = new ArrayDeque<>();
  private int characters;
  private volatile long last; // written under this

  /**
   * Creates a log without events.
   *
   * @param millis the clock
   */
  public NodeEvents(LongSupplier millis) {
    this.millis = millis;
  }

  /** Adds an event that happens now. */
  public synchronized void add(NodeEvent.Kind kind, String text) {
    var cut = FailureGroups.cut(text, NodeEvent.LONGEST_TEXT);
    last++;
    events.addLast(new NodeEvent(last, millis.getAsLong(), kind, cut));
    characters += cut.length();
    while (events.size() > MOST_EVENTS || characters > MOST_CHARACTERS) {
      characters -= events.removeFirst().text().length();
    }
  }

  /** Returns the number of the last event; 0 if there was none. */
  public long last() {
    return last;
  }

  /** Returns the events behind a number that are still known, the oldest first. */
  public synchronized List<NodeEvent> behind(long number) {
    List<NodeEvent> found = new ArrayList<>();
    for (var each : events) {
      if (each.number() > number) {
        found.add(each);
      }
    }
    return found;
  }
}
