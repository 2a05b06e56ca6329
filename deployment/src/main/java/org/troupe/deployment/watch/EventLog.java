package org.troupe.deployment.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last events of a grid. Thread-safe. */
public final class EventLog {

  private static final int MOST = 1_000;

  private final Deque<WatchRecord.Event> events = new ArrayDeque<>();
  private long last;

  /**
   * Adds an event that happens now.
   *
   * @param event as {@link WatchRecord.Event} lists them
   * @param text the reason, or an empty text
   */
  public synchronized void add(String event, String node, String text) {
    events.addLast(new WatchRecord.Event(++last, System.currentTimeMillis(), event, node, text));
    if (events.size() > MOST) {
      events.removeFirst();
    }
  }

  /** Returns the events from a number on, the oldest first. */
  public synchronized List<WatchRecord.Event> from(long number) {
    return events.stream().filter(each -> each.number() >= number).toList();
  }
}
