package org.troupe.activeobjects.internal.observe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.TraceEntry;
import org.troupe.activeobjects.hosting.TracePart;

/**
 * The last requests that the objects of a node have served, one by one, and their waits.
 * Thread-safe.
 */
public final class CallTrace {

  /*
   * Design: a ring of fixed records
   *
   * A serving thread takes the next number by one atomic operation, which assigns it a slot, claims the slot, and writes eight
   * words. The first word has the number and the state of the slot; a reader that does not find its number as written, before and
   * after it has read the rest, counts the record as dropped.
   *
   *   WRITTEN --claim--> WRITING --publish--> WRITTEN
   *   WRITING --claim of a later number--> LOST --publish of the former--> DROPPED --claim--> WRITING
   *
   * A writer that is overtaken by a whole round of the ring, as its thread was preempted, thus keeps the slot: the later
   * record is lost, and no record mixes the words of two. The number of a slot never decreases. A reader therefore waits only
   * for a slot whose writer is still to come or to publish.
   *
   * Texts are numbered, since a slot holds numbers only. A ring takes 4 MiB.
   */
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int SLOTS = 1 << 16;
  private static final int WORDS = 8;
  private static final int STATE_BITS = 2;
  private static final long STATE = (1 << STATE_BITS) - 1;
  private static final long WRITTEN = 0;
  private static final long WRITING = 1;
  private static final long LOST = 2; // while an earlier number is being written
  private static final long DROPPED = 3;
  private static final int MOST_TEXTS = 10_000;
  private static final int MOST_AWAITED = MOST_TEXTS / 2; // texts that may name objects
  private static final String OTHER = "other";
  private static final int NAME_BITS = 16; // of the number of a text; there are four of them
  private static final int FLAG_BITS = 3; // below the id of the call
  private static final int RECENT = 64; // a power of two
  private static final long FAILED = 1;
  private static final long ONE_WAY = 2;
  private static final long WAIT = 4;

  private final long[] words = new long[SLOTS * WORDS];
  private final AtomicLong taken = new AtomicLong();
  private final Map<Object, Integer> numbers = new ConcurrentHashMap<>();
  private final List<String> texts = new CopyOnWriteArrayList<>(List.of(OTHER));
  private final @Nullable CallNames[] recent = new CallNames[RECENT]; // by hash; races are harmless

  /** The numbers of the texts of a call, which are looked up once as long as such calls repeat. */
  private record CallNames(
      String type, Object method, String callerType, String callerNode, long numbers) {

    @SuppressWarnings("ReferenceEquality") // equal texts are looked up again
    boolean areOf(String type, Object method, String callerType, String callerNode) {
      return this.method == method
          && this.type == type
          && this.callerType == callerType
          && this.callerNode == callerNode;
    }
  }

  /**
   * Records a request that was served.
   *
   * @param callId the id by which the caller's node knows the call; 0 if it has none
   * @param type the name of the class of the object
   * @param method the method, whose text is made once
   * @param callerType the name of the class of the calling object, or an empty text
   * @param callerNode the name of the node, or an empty text
   */
  public void add(
      long callId,
      String type,
      Object method,
      long object,
      long caller,
      String callerType,
      String callerNode,
      long acceptedNanos,
      long beganNanos,
      long endedNanos,
      boolean hasFailed,
      boolean isOneWay) {
    var flags = (hasFailed ? FAILED : 0) | (isOneWay ? ONE_WAY : 0);
    write(
        acceptedNanos,
        beganNanos,
        endedNanos,
        object,
        caller,
        callNames(type, method, callerType, callerNode),
        callId << FLAG_BITS | flags);
  }

  /**
   * Records a wait within a request.
   *
   * @param type the name of the class of the object
   * @param awaited a description of the awaited result or event
   */
  public void addWait(String type, String awaited, long object, long beganNanos, long endedNanos) {
    var text = number(awaited, MOST_AWAITED); // the rest is for classes, methods and nodes
    var names = (names(type) << NAME_BITS | text) << 2 * NAME_BITS;
    write(beganNanos, beganNanos, endedNanos, object, 0, names, WAIT);
  }

  private void write(
      long acceptedNanos,
      long beganNanos,
      long endedNanos,
      long object,
      long caller,
      long names,
      long idAndFlags) {
    var number = begin();
    if (number == 0) {
      return;
    }
    var at = at(number);
    WORD.setOpaque(words, at + 1, acceptedNanos);
    WORD.setOpaque(words, at + 2, beganNanos);
    WORD.setOpaque(words, at + 3, endedNanos);
    WORD.setOpaque(words, at + 4, object);
    WORD.setOpaque(words, at + 5, caller);
    WORD.setOpaque(words, at + 6, names);
    WORD.setOpaque(words, at + 7, idAndFlags);
    publish(number);
  }

  /** Takes a number, whose slot the caller writes and publishes; returns 0 if that is lost. */
  long begin() {
    var number = taken.incrementAndGet();
    return claims(number) ? number : 0;
  }

  /** Claims the slot of a number; returns false if another writer has it, or a later number. */
  private boolean claims(long number) {
    var at = at(number);
    while (true) {
      var known = (long) WORD.getOpaque(words, at);
      if (known >>> STATE_BITS > number) {
        return false;
      }
      var state = known & STATE;
      var isFree = state == WRITTEN || state == DROPPED;
      if (WORD.compareAndSet(words, at, known, word(number, isFree ? WRITING : LOST))) {
        VarHandle.storeStoreFence(); // before the words of the record
        return isFree;
      }
    }
  }

  /** Publishes the words of a slot, unless a later number has been lost meanwhile. */
  void publish(long number) {
    var at = at(number);
    if (WORD.compareAndSet(words, at, word(number, WRITING), word(number, WRITTEN))) {
      return;
    }
    long lost;
    do {
      lost = (long) WORD.getOpaque(words, at);
    } while (!WORD.compareAndSet(words, at, lost, word(lost >>> STATE_BITS, DROPPED)));
  }

  private static int at(long number) {
    return (int) (number % SLOTS) * WORDS;
  }

  private static long word(long number, long state) {
    return number << STATE_BITS | state;
  }

  private long callNames(String type, Object method, String callerType, String callerNode) {
    var place = (method.hashCode() ^ callerType.hashCode() ^ callerNode.hashCode()) & RECENT - 1;
    var known = recent[place];
    if (known != null && known.areOf(type, method, callerType, callerNode)) {
      return known.numbers;
    }
    var numbers = names(type, method, callerType, callerNode);
    recent[place] = new CallNames(type, method, callerType, callerNode, numbers);
    return numbers;
  }

  private long names(Object... named) {
    var names = 0L;
    for (var each : named) {
      names = names << NAME_BITS | number(each, MOST_TEXTS);
    }
    return names;
  }

  private String name(long names, int place) {
    return texts.get((int) (names >>> place * NAME_BITS & (1 << NAME_BITS) - 1));
  }

  private int number(Object named, int mostTexts) {
    var known = numbers.get(named);
    if (known != null) {
      return known;
    }
    return texts.size() >= mostTexts ? 0 : numbers.computeIfAbsent(named, this::newNumber);
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
   * Returns the first entries from a number on that the ring still has.
   *
   * @param from the number of the first one, as {@link TracePart#next} returned it; 1 for the
   *     oldest
   */
  public TracePart from(long from, int most) {
    var end = next();
    var oldest = Math.max(1, end - SLOTS);
    var number = Math.max(Math.max(1, from), oldest);
    var dropped = number - Math.max(1, Math.min(from, number));
    List<TraceEntry> entries = new ArrayList<>();
    for (; number < end && entries.size() < most; number++) {
      var at = at(number);
      var before = (long) WORD.getAcquire(words, at);
      if (before == word(number, WRITING) || before >>> STATE_BITS < number) {
        break; // it is being written, or is about to be
      }
      var entry = entry(number, at);
      VarHandle.loadLoadFence();
      if (before == word(number, WRITTEN) && (long) WORD.getOpaque(words, at) == before) {
        entries.add(entry);
      } else {
        dropped++;
      }
    }
    return new TracePart(entries, dropped, number);
  }

  private TraceEntry entry(long number, int at) {
    var accepted = (long) WORD.getOpaque(words, at + 1);
    var began = (long) WORD.getOpaque(words, at + 2);
    var ended = (long) WORD.getOpaque(words, at + 3);
    var object = (long) WORD.getOpaque(words, at + 4);
    var caller = (long) WORD.getOpaque(words, at + 5);
    var names = (long) WORD.getOpaque(words, at + 6);
    var idAndFlags = (long) WORD.getOpaque(words, at + 7);
    return (idAndFlags & WAIT) != 0
        ? new TraceEntry.Wait(number, name(names, 3), name(names, 2), object, began, ended)
        : new TraceEntry.Service(
            number,
            idAndFlags >> FLAG_BITS,
            name(names, 3),
            name(names, 2),
            object,
            caller,
            name(names, 1),
            name(names, 0),
            accepted,
            began,
            ended,
            (idAndFlags & FAILED) != 0,
            (idAndFlags & ONE_WAY) != 0);
  }
}
