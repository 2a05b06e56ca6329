package org.troupe.activeobjects.internal.observe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** The last requests that the objects of a node have served, one by one. Thread-safe. */
public final class CallTrace {

  /*
   * Design: a ring of fixed records
   *
   * A serving thread takes the next number by one atomic operation, which assigns it a slot, and writes eight words. The first word is
   * 0 while the others are written, and then the number; a reader that does not find the number it expects, before and after it
   * has read the rest, counts the record as dropped. A writer that is overtaken by a whole round of the ring could mix its
   * words with those of a later one; the slot then keeps the number of the one that finished last. At 2 M requests/s a round
   * takes 30 ms, so this needs a thread that is preempted for as long between two of its stores; a mixed record is possible then.
   * It is a record of a measurement, and nothing is derived from it but pictures.
   *
   * Texts are numbered, since a slot holds numbers only. A ring takes 4 MiB.
   */
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int SLOTS = 1 << 16;
  private static final int WORDS = 8;
  private static final int MOST_TEXTS = 10_000;
  private static final String OTHER = "other";

  private final long[] words = new long[SLOTS * WORDS];
  private final AtomicLong taken = new AtomicLong();
  private final Map<Object, Integer> numbers = new ConcurrentHashMap<>();
  private final List<String> texts = new CopyOnWriteArrayList<>(List.of(OTHER));

  /**
   * A request that was served.
   *
   * @param number its place among all requests that were traced
   * @param method the class and method
   * @param object the number of the object on its node
   * @param caller the number of the calling object on its node; 0 if no object called
   * @param callerNode the name of that node; empty if it is not known
   * @param acceptedNanos when it was accepted, in the time of {@link System#nanoTime} of this node
   * @param beganNanos when its service began
   * @param endedNanos when its method had ended
   * @param hasFailed whether it ended with an exception
   */
  public record Call(
      long number,
      String method,
      long object,
      long caller,
      String callerNode,
      long acceptedNanos,
      long beganNanos,
      long endedNanos,
      boolean hasFailed) {}

  /**
   * Some of the calls.
   *
   * @param calls in the order in which they ended
   * @param dropped how many calls before the last one were overwritten
   * @param next the number after the last one
   */
  public record Part(List<Call> calls, long dropped, long next) {}

  /**
   * Records a request.
   *
   * @param method the method, whose text is made once
   * @param callerNode the name of the node, or an empty text
   */
  public void add(
      Object method,
      long object,
      long caller,
      String callerNode,
      long acceptedNanos,
      long beganNanos,
      long endedNanos,
      boolean hasFailed) {
    var number = taken.incrementAndGet();
    var at = (int) (number % SLOTS) * WORDS;
    WORD.setOpaque(words, at, 0L);
    VarHandle.storeStoreFence();
    WORD.setOpaque(words, at + 1, acceptedNanos);
    WORD.setOpaque(words, at + 2, beganNanos);
    WORD.setOpaque(words, at + 3, endedNanos);
    WORD.setOpaque(words, at + 4, object);
    WORD.setOpaque(words, at + 5, caller);
    WORD.setOpaque(words, at + 6, (long) number(method) << 32 | number(callerNode));
    WORD.setOpaque(words, at + 7, hasFailed ? 1L : 0L);
    WORD.setRelease(words, at, number);
  }

  private int number(Object named) {
    var known = numbers.get(named);
    if (known != null) {
      return known;
    }
    return texts.size() >= MOST_TEXTS ? 0 : numbers.computeIfAbsent(named, this::newNumber);
  }

  private synchronized int newNumber(Object named) {
    texts.add(named.toString());
    return texts.size() - 1;
  }

  /** Returns the number after the last call. */
  public long next() {
    return taken.get() + 1;
  }

  /**
   * Returns the first calls from a number on that the ring still has.
   *
   * @param from the number of the first one, as {@link Part#next} returned it; 1 for the oldest
   */
  public Part from(long from, int most) {
    var end = next();
    var oldest = Math.max(1, end - SLOTS);
    var number = Math.max(Math.max(1, from), oldest);
    var dropped = number - Math.max(1, Math.min(from, number));
    List<Call> calls = new ArrayList<>();
    for (; number < end && calls.size() < most; number++) {
      var at = (int) (number % SLOTS) * WORDS;
      var before = (long) WORD.getAcquire(words, at);
      if (before == 0 || before < number) {
        break; // it is being written
      }
      var names = (long) WORD.getOpaque(words, at + 6);
      var call =
          new Call(
              number,
              texts.get((int) (names >>> 32)),
              (long) WORD.getOpaque(words, at + 4),
              (long) WORD.getOpaque(words, at + 5),
              texts.get((int) names),
              (long) WORD.getOpaque(words, at + 1),
              (long) WORD.getOpaque(words, at + 2),
              (long) WORD.getOpaque(words, at + 3),
              (long) WORD.getOpaque(words, at + 7) != 0);
      VarHandle.loadLoadFence();
      if (before == number && (long) WORD.getOpaque(words, at) == number) {
        calls.add(call);
      } else {
        dropped++;
      }
    }
    return new Part(calls, dropped, number);
  }
}
