package org.troupe.activeobjects.internal.replay;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one origin to one object, as the object accounts for them: each number is taken once
 * and in order, and an answer is kept until the origin needs it no more. Not thread-safe.
 *
 * @param <C> encoded calls
 * @param <V> encoded outcomes
 */
public class ReceivedCalls<C, V> {

  private final TreeMap<Long, NumberedCall<C>> early = new TreeMap<>();
  private final TreeMap<Long, V> answers = new TreeMap<>(); // that the origin may need
  private final TreeMap<Long, Long> skipped = new TreeMap<>(); // ranges without a caller
  private final Set<Long> asked = new HashSet<>(); // of those that are held
  private final Set<Long> unneeded = new HashSet<>(); // of those that were not given again yet
  private final Set<Long> stillWanted = new HashSet<>(); // of those that are settled
  private long highest; // taken
  private long reported; // to the origin as taken
  private long heldUpTo; // answers to be sent only if the origin asks for them
  private long settledUpTo; // answers not needed, but for those still wanted

  /**
   * The account as it can be stored.
   *
   * @param highest the number up to which all calls are taken
   * @param answers by the numbers of their calls
   */
  public record State<V>(long highest, Map<Long, V> answers) {

    public State {
      answers = Map.copyOf(answers);
    }
  }

  /** Creates the account of an origin that has not called yet. */
  public ReceivedCalls() {}

  /** Restores the account from an image. */
  void restore(State<V> state) {
    highest = state.highest();
    answers.putAll(state.answers());
  }

  State<V> state() {
    return new State<>(highest, answers);
  }

  /** Records a call that the log has. */
  void takenBefore(long number) {
    highest = number;
  }

  /**
   * Ends the recovery of the account. The origin may have the answers to all calls up to now, so
   * none of them is sent unless it asks for it.
   */
  void recovered() {
    heldUpTo = highest;
  }

  /** Returns whether a call was taken before. */
  public boolean isDuplicate(long number) {
    return number <= highest;
  }

  /**
   * Accepts a call that is no duplicate.
   *
   * @return the calls to take now, in order; none if earlier ones have not arrived
   */
  public List<NumberedCall<C>> accept(NumberedCall<C> call) {
    if (early.isEmpty() && mayTake(call)) { // as almost always
      take(call);
      return List.of(call);
    }
    early.put(call.number(), call);
    List<NumberedCall<C>> next = new ArrayList<>();
    while (!early.isEmpty() && mayTake(early.firstEntry().getValue())) {
      var taken = early.pollFirstEntry().getValue();
      take(taken);
      next.add(taken);
    }
    return next;
  }

  private void take(NumberedCall<C> call) {
    var before = highest;
    highest = call.number();
    if (call.after() < before) { // the origin does not know the calls in between any more
      skipped.put(call.after() + 1, before);
      answers.subMap(call.after() + 1, highest).clear();
    }
  }

  /** Returns whether a call is the next one. */
  boolean mayTake(NumberedCall<C> call) {
    return call.after() <= highest;
  }

  /**
   * Keeps an answer.
   *
   * @return whether it is to be sent now
   */
  public boolean answered(long number, V outcome) {
    if (unneeded.remove(number)
        || number <= settledUpTo && !stillWanted.contains(number)
        || isSkipped(number)) {
      return false;
    }
    answers.put(number, outcome);
    return number > heldUpTo || asked.contains(number);
  }

  private boolean isSkipped(long number) {
    var range = skipped.floorEntry(number);
    return range != null && number <= range.getValue();
  }

  /**
   * Handles a duplicate, which shows that the origin does not know that the call was taken.
   *
   * @return the answer; {@code null} if it was not given yet, or is not needed
   */
  public @Nullable V repeated(long number) {
    reported = Math.min(reported, number - 1);
    if (number <= heldUpTo) {
      asked.add(number);
    }
    return answers.get(number);
  }

  /** Forgets the answers up to a number, which the origin has or does not need. */
  public void settled(long upTo) {
    if (upTo > settledUpTo) {
      resumed(new Resumption<>(upTo, List.of(), Set.of()));
    }
  }

  /** Returns the number behind the highest one that was taken. */
  long next() {
    return highest + 1;
  }

  /** Returns whether all calls up to a number are taken. */
  boolean isNext(long after) {
    return after <= highest;
  }

  /** Returns the answer of a call; {@code null} if it was not given yet, or is not needed. */
  @Nullable V answer(long number) {
    return answers.get(number);
  }

  /** Forgets an answer that the origin has. */
  public void acknowledged(long number) {
    if (answers.remove(number) == null && number <= heldUpTo) {
      unneeded.add(number); // the answer of a former embodiment; this one may be yet to give it
    }
    asked.remove(number);
    stillWanted.remove(number);
  }

  /**
   * Handles the part of a resumption that concerns answers.
   *
   * @return the answers to send again, by the numbers of their calls
   */
  public Map<Long, V> resumed(Resumption<?> resumption) {
    var made = resumption.made();
    var wanted = resumption.wanted();
    settledUpTo = Math.max(settledUpTo, made);
    stillWanted.removeIf(each -> each <= made);
    stillWanted.addAll(wanted);
    unneeded.removeIf(each -> each <= made);
    asked.removeIf(each -> each <= made);
    asked.addAll(wanted);
    answers.keySet().removeIf(each -> each <= made && !wanted.contains(each));
    var again = new TreeMap<>(answers);
    again.keySet().retainAll(wanted);
    return again;
  }

  /** Returns whether calls were taken that the origin was not told of. */
  public boolean hasReport() {
    return highest > reported;
  }

  /** Returns the number up to which all calls are taken, which is about to be reported. */
  public long report() {
    reported = highest;
    return highest;
  }

  /** Returns whether a call is the last one that was taken, and none waits. */
  boolean endsWith(long last) {
    return highest == last && early.isEmpty();
  }

  /** Returns whether no call waits and no answer is kept. */
  public boolean isSettled() {
    return early.isEmpty() && answers.isEmpty();
  }
}
