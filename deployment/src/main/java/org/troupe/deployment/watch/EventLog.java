package org.troupe.deployment.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last events of a grid. Thread-safe. */
public final class EventLog {

  private static final int MOST = 1_000;
  private static final int LONGEST_TEXT = 16_000;
  private static final int MOST_CHARACTERS = 2_000_000;

  private final Deque<WatchRecord.Event> events = new ArrayDeque<>();
  private long last;
  private int characters;

  /**
   * Adds an event that happens now.
   *
   * @param event as {@link WatchRecord.Event} lists them
   * @param text the reason, or an empty text
   */
  public void add(String event, String node, String text) {
    add(System.currentTimeMillis(), event, node, text);
  }

  /** Adds an event that has happened at another time. */
  public synchronized void add(long millis, String event, String node, String text) {
    var cut = text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 3) + "...";
    events.addLast(new WatchRecord.Event(++last, millis, event, node, cut));
    characters += cut.length();
    while (events.size() > MOST || characters > MOST_CHARACTERS) {
      characters -= events.removeFirst().text().length();
    }
  }

  /** Returns the events from a number on, the oldest first. */
  public synchronized List<WatchRecord.Event> from(long number) {
    return events.stream().filter(each -> each.number() >= number).toList();
  }
}
