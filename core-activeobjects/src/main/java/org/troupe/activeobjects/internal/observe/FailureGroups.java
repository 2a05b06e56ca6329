package org.troupe.activeobjects.internal.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.troupe.activeobjects.hosting.FailureGroup;
import org.troupe.activeobjects.hosting.FailureGroup.Kind;
import org.troupe.activeobjects.internal.flight.FlightEvents;
import org.troupe.activeobjects.internal.flight.FlightSwitch;
import org.troupe.activeobjects.spi.Observer;

/**
 * The failures of a node, in groups of the same kind, call, exception and line of the program.
 * Thread-safe.
 */
public final class FailureGroups {

  /*
   * Failures are rare, and each costs a stack trace anyway, so a monitor is enough. A program that fails in more ways than there are
   * groups is told so by the group of the others. Groups are never removed: the first failures usually explain the later ones.
   *
   * A group has the call without the names in it, of nodes and journals: one mistake on 1,000 nodes is one group, with a name only in its
   * example. Observers and flight recordings get each failure with the names.
   */
  static final int MOST_GROUPS = 200;

  private static final int LONGEST_NAME = 200;

  private static final String OTHERS = "other calls";

  private static final Pattern HOST = Pattern.compile(" on node '[^']*'");
  private static final Pattern NAME = Pattern.compile("'[^']*'");

  private final LongSupplier millis;
  private final Map<Key, FailureGroup> groups = new LinkedHashMap<>(); // guarded by this

  private record Key(Kind kind, String call, String exception, String frame) {}

  /**
   * Creates groups without failures.
   *
   * @param millis the clock
   */
  public FailureGroups(LongSupplier millis) {
    this.millis = millis;
  }

  /** Adds a failure with its exception, whose own methods may fail, too. */
  public void add(Kind kind, String call, Throwable cause) {
    var type = cause.getClass().getName();
    String message;
    String frame;
    try {
      var text = cause.getMessage();
      message = text == null ? "" : text;
      frame = frame(cause);
    } catch (Throwable again) { // of the program's own exception, or for lack of memory or stack
      message = "its text cannot be read, because of " + again.getClass().getName();
      frame = "";
    }
    add(kind, call, type, frame, message);
  }

  /** Adds a failure without exception, whose example names what has failed. */
  public void add(Kind kind, String what, String example) {
    add(kind, what, "", "", what + ": " + example);
  }

  private void add(Kind kind, String call, String exception, String frame, String example) {
    if (ObserverBinding.isBound()) {
      var failure = new Observer.Failure(exception, example);
      ObserverBinding.failed(new Observer.UnobservedFailure(kind.toString(), call, failure));
    }
    if (FlightSwitch.isOn()) {
      FlightEvents.failure(
          kind.toString(), call, exception, cut(example, FailureGroup.LONGEST_EXAMPLE));
    }
    count(kind, call, exception, frame, example);
  }

  private synchronized void count(
      Kind kind, String call, String exception, String frame, String example) {
    var exact =
        new Key(
            kind,
            cut(withoutNames(call), LONGEST_NAME),
            cut(exception, LONGEST_NAME),
            cut(frame, LONGEST_NAME));
    var key =
        groups.size() < MOST_GROUPS || groups.containsKey(exact)
            ? exact
            : new Key(kind, OTHERS, "", "");
    var now = millis.getAsLong();
    var one =
        new FailureGroup(
            kind,
            key.call(),
            key.exception(),
            key.frame(),
            1,
            now,
            now,
            cut(example, FailureGroup.LONGEST_EXAMPLE));
    groups.merge(key, one, (before, _) -> later(before, one));
  }

  /** Returns a call such as {@code Worker.step() on node 'b2'} as {@code Worker.step()}. */
  private static String withoutNames(String call) {
    return NAME.matcher(HOST.matcher(call).replaceAll("")).replaceAll("'..'");
  }

  /** Adds a failure to its group, of which it is the last, even if the clock went back. */
  private static FailureGroup later(FailureGroup before, FailureGroup one) {
    return new FailureGroup(
        before.kind(),
        before.call(),
        before.exception(),
        before.frame(),
        before.count() + 1,
        before.firstMillis(),
        one.lastMillis(),
        one.example());
  }

  /** Returns the first line of the program in a trace, of the exception or of its causes. */
  private static String frame(Throwable cause) {
    return ProgramFrames.first(
            Stream.iterate(cause, each -> each != null, Throwable::getCause)
                .limit(10) // causes may form a cycle
                .flatMap(each -> Stream.of(each.getStackTrace())))
        .orElse("");
  }

  static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most - 3) + "...";
  }

  /** Returns the groups, the last failure first. */
  public synchronized List<FailureGroup> all() {
    var all = new ArrayList<>(groups.values());
    all.sort(Comparator.comparingLong(FailureGroup::lastMillis).reversed());
    return all;
  }
}
