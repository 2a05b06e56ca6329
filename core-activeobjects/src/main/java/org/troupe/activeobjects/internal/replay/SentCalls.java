package org.troupe.activeobjects.internal.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one origin to one object, as the origin accounts for them: numbers, the calls that
 * the object may have to get again, and the answers that are awaited. Not thread-safe.
 */
public final class SentCalls<C> {

  /** Stands for a call that was made before the last image, with which no replay compares. */
  private static final CallFingerprint BEFORE_IMAGE = new CallFingerprint("an earlier call", 0);

  private final Deque<NumberedCall<C>> untaken = new ArrayDeque<>();
  private final TreeMap<Long, CallFingerprint> wanted = new TreeMap<>();
  private long made; // number of the last call
  private long sent; // number of the last call that could be sent, which the next one names
  private long taken; // may exceed made during a replay
  private long behind; // the last number of a range that was reported, until all before it are
  private boolean isLost;

  /**
   * The account as it can be stored.
   *
   * @param made the number of the last call
   * @param sent the number of the last call that could be sent
   * @param taken the number up to which the object has taken the calls for good
   * @param untaken the calls behind that number that have not been answered
   * @param wanted the numbers of the calls whose answers are awaited
   */
  public record State<C>(
      long made, long sent, long taken, List<NumberedCall<C>> untaken, Set<Long> wanted) {

    public State {
      untaken = List.copyOf(untaken);
      wanted = Set.copyOf(wanted);
    }
  }

  /** Returns the account of an origin that has made no calls. */
  public SentCalls() {}

  /** Returns the account in an image. */
  SentCalls(State<C> state) {
    made = state.made();
    sent = state.sent();
    taken = state.taken();
    untaken.addAll(state.untaken());
    state.wanted().forEach(number -> wanted.put(number, BEFORE_IMAGE));
  }

  State<C> state() {
    return new State<>(made, sent, taken, List.copyOf(untaken), new TreeSet<>(wanted.keySet()));
  }

  /**
   * Accounts for a call.
   *
   * @param number of the call, higher than those of all before it
   * @param awaited what the answer is filed with; {@code null} if no answer is awaited
   * @return the call with its number
   */
  public NumberedCall<C> add(long number, C call, @Nullable CallFingerprint awaited) {
    var numbered = new NumberedCall<>(number, sent, call);
    made = number;
    sent = number;
    if (made > taken && !isLost) {
      untaken.add(numbered);
    }
    if (awaited != null) {
      wanted.put(made, awaited);
    }
    return numbered;
  }

  /**
   * Handles the news that the last call could not be sent. Its number is not given to another call.
   *
   * @param after the number of the last call that could be
   * @return whether that was unknown
   */
  boolean notSent(long number, long after) {
    if (sent != number) {
      return false;
    }
    sent = after;
    untaken.removeIf(each -> each.number() == number);
    return true;
  }

  /**
   * Handles the news that the last call has no name, so that no other process has to send it.
   *
   * @return whether the object has all calls before it
   */
  boolean unnamed(long number) {
    if (!untaken.isEmpty() && untaken.getLast().number() == number) {
      untaken.removeLast();
    }
    return untaken.isEmpty();
  }

  /** Returns the number up to which no answer is awaited. */
  long settled() {
    return wanted.isEmpty() ? made : wanted.firstKey() - 1;
  }

  /** Returns the number of the last call that could be sent; 0 if there was none. */
  long sent() {
    return sent;
  }

  /** Returns the number up to which the object has taken the calls for good. */
  long taken() {
    return taken;
  }

  /** Returns the calls that the object may lack, in order. */
  List<NumberedCall<C>> untaken() {
    return List.copyOf(untaken);
  }

  /** Returns whether the object may lack a call. */
  boolean hasUntaken() {
    return !untaken.isEmpty();
  }

  /** Returns whether the object has taken a call for good. */
  boolean isTaken(long number) {
    return number <= taken;
  }

  /** Returns the number of the last call; 0 if there was none. */
  public long made() {
    return made;
  }

  /**
   * Handles the news that the object has all calls up to a number in its log.
   *
   * @return whether that was unknown
   */
  public boolean taken(long upTo) {
    var endsRange = behind > 0 && upTo >= behind; // which no log has
    if (upTo <= taken && !endsRange) {
      return false;
    }
    if (endsRange) {
      behind = 0;
    }
    taken = Math.max(taken, upTo);
    while (!untaken.isEmpty() && untaken.getFirst().number() <= upTo) {
      untaken.removeFirst();
    }
    return true;
  }

  /** Handles the news that the object has served a range of calls, and perhaps none before it. */
  void takenBehind(long first, long last) {
    untaken.removeIf(each -> each.number() >= first && each.number() <= last);
    behind = Math.max(behind, last);
    taken = Math.max(taken, untaken.isEmpty() ? made : untaken.getFirst().number() - 1);
  }

  /**
   * Handles the answer of a call, which shows that the object has taken that call. It may have
   * passed over earlier ones.
   */
  void answered(long number) {
    if (number <= taken) {
      return;
    }
    if (!untaken.isEmpty() && untaken.getFirst().number() == number) { // as almost always
      untaken.removeFirst();
    } else if (!untaken.isEmpty() && untaken.getLast().number() == number) {
      untaken.removeLast();
    } else {
      untaken.removeIf(each -> each.number() == number);
    }
    taken = Math.max(taken, untaken.isEmpty() ? made : untaken.getFirst().number() - 1);
  }

  /**
   * Handles the end of a call.
   *
   * @return what the answer was filed with; {@code null} if it was not awaited
   */
  public @Nullable CallFingerprint ended(long number) {
    return wanted.remove(number);
  }

  /** Ends all calls of a failed request, from its first one on: no answer is awaited. */
  void abandonFrom(long first) {
    wanted.tailMap(first, true).clear();
  }

  /**
   * Adds the calls of a request that is not served again.
   *
   * @return those that the object may not have taken, in order
   */
  List<NumberedCall<C>> addSkipped(State<C> later) {
    List<NumberedCall<C>> added = new ArrayList<>();
    for (var each : later.untaken()) {
      if (each.number() > made && each.number() > taken) {
        added.add(each);
      }
    }
    untaken.addAll(added);
    made = Math.max(made, later.made());
    sent = Math.max(sent, later.sent());
    return added;
  }

  /**
   * Handles the loss of the object for good.
   *
   * @return the numbers of the calls whose answers are awaited
   */
  List<Long> lost() {
    isLost = true;
    untaken.clear();
    return List.copyOf(wanted.keySet());
  }

  /**
   * Returns what the object must know that was made again.
   *
   * @param upTo the number that the next call exceeds
   */
  public Resumption<C> resumption(long upTo) {
    return new Resumption<>(upTo, List.copyOf(untaken), new TreeSet<>(wanted.keySet()));
  }

  /** Returns whether every call was taken, and no answer is awaited. */
  public boolean isSettled() {
    return untaken.isEmpty() && wanted.isEmpty();
  }

  /** Returns whether the object is lost for good. */
  boolean isLost() {
    return isLost;
  }
}
