package org.troupe.mpj.comm;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.CallSites;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.error.MessagingError.Failure;
import org.troupe.mpj.matching.LoneNetwork;
import org.troupe.mpj.matching.MessageEngine;

/** What one rank knows of the run: its engine, its communicators, and whether it has begun. */
public final class World {

  /*
   * A JVM mostly has one rank, and each of its threads belongs to it. If it has several, as in tests, a thread belongs to
   * the rank in whose main it was started: the thread of main is bound, and others inherit that.
   */
  private static final List<World> ENTERED = new CopyOnWriteArrayList<>();
  private static final InheritableThreadLocal<World> BOUND =
      new InheritableThreadLocal<>() {
        @Override
        protected World childValue(World parents) {
          parents.startsThread();
          return parents;
        }
      };
  private static volatile @Nullable World only; // if there is one in this JVM

  private static final System.Logger LOG = System.getLogger("org.troupe.mpj");

  static final int WORLD_CONTEXT = 0;
  private static final int SELF_CONTEXT = 2;
  private static final int FIRST_FREE_CONTEXT = 4;

  private final MessageEngine engine;
  private final RunControl control;
  private final BufferedSends buffered;
  private final Communicator all;
  private final Communicator self;
  private final ConcurrentHashMap<Integer, Communicator> byContext = new ConcurrentHashMap<>();
  private final Map<Integer, String> earlyOffers =
      new HashMap<>(); // of boards, by context; guarded by itself
  private volatile Phase phase = Phase.BEFORE;
  private volatile @Nullable Thread mainThread;
  private volatile boolean hasOtherThreads; // that may send or receive

  // Guarded by this
  private int nextContext = FIRST_FREE_CONTEXT;
  private final Set<Integer> usedContexts = new HashSet<>();

  private enum Phase {
    BEFORE,
    BETWEEN,
    AFTER
  }

  /** What a rank tells whoever has started the run. */
  public interface RunControl {

    /** All ranks have finished message passing. */
    void finalized();

    /** Ends all ranks, and the run with this code. */
    void abort(int code);
  }

  /** Makes the world of a rank. */
  public World(MessageEngine engine, RunControl control) {
    this.engine = engine;
    this.control = control;
    this.buffered = new BufferedSends(engine);
    var ranks = new RankGroup(IntStream.range(0, engine.network().size()).toArray());
    this.all = new Communicator(this, WORLD_CONTEXT, ranks, null, null);
    this.self = new Communicator(this, SELF_CONTEXT, new RankGroup(engine.rank()), null, null);
    engine.onNotice(this::noticed);
    engine.onThreads(this::isAlone);
  }

  // Threads

  private void startsThread() {
    if (!hasOtherThreads && CallSites.isCalledByProgram()) {
      hasOtherThreads = true;
    }
  }

  /** Returns whether no thread of this rank but the main one can send, as far as is known. */
  private boolean isAlone() {
    var common = ForkJoinPool.commonPool();
    return !hasOtherThreads && common.getActiveThreadCount() == 0 && !common.hasQueuedSubmissions();
  }

  // The thread's world

  /** Binds the current thread, and those that it starts, to this world. */
  public void enter() {
    BOUND.set(this);
    synchronized (ENTERED) {
      ENTERED.add(this);
      only = ENTERED.size() == 1 ? this : null;
    }
  }

  /** Ends the binding. */
  public void leave() {
    BOUND.remove();
    synchronized (ENTERED) {
      ENTERED.remove(this);
      only = ENTERED.size() == 1 ? ENTERED.getFirst() : null;
    }
  }

  private static @Nullable World known() {
    var one = only;
    return one != null ? one : BOUND.get();
  }

  /** Returns the world of the current thread, if message passing has begun. */
  public static World current() {
    var known = known();
    if (known == null || known.phase != Phase.BETWEEN) {
      throw MessagingError.of(
          ErrorClass.OTHER,
          known == null || known.phase == Phase.BEFORE
              ? "message passing has not begun; call Init first"
              : "message passing is over since Finalize; call Init again before other calls");
    }
    if (Thread.currentThread() != known.mainThread && !known.hasOtherThreads) {
      known.hasOtherThreads = true;
    }
    return known;
  }

  /** Returns whether message passing has begun. */
  public static boolean isInitialized() {
    var known = known();
    return known != null && known.phase != Phase.BEFORE;
  }

  /**
   * Begins message passing. A program that was not started as ranks is one, and is told how to get
   * more.
   */
  public static World begin() {
    var known = known();
    if (known == null) {
      if (!ENTERED.isEmpty()) {
        throw MessagingError.of(
            ErrorClass.OTHER,
            "this thread belongs to none of the ranks of this JVM; call Init on a thread that main has"
                + " started");
      }
      known = lone();
    }
    if (known.phase == Phase.BETWEEN) {
      throw MessagingError.of(
          ErrorClass.OTHER, "message passing has begun already; call Init once before Finalize");
    }
    known.mainThread = Thread.currentThread();
    known.phase = Phase.BETWEEN;
    known.all.board().offer();
    return known;
  }

  @SuppressWarnings(
      "SystemOut") // the program's user sees no log, and wonders about the missing ranks
  private static World lone() {
    System.err.println(
        "troupe: this program was not started as ranks, so there is one rank; for more start it by"
            + " './troupe run --model mpj --ranks N --class-path PATH --main CLASS'");
    var made =
        new World(
            new MessageEngine(0, new LoneNetwork()),
            new RunControl() {
              @Override
              public void finalized() {
                // There is no other rank to tell.
              }

              @Override
              public void abort(int code) {
                Runtime.getRuntime().halt(code);
              }
            });
    made.enter();
    return made;
  }

  /** Ends message passing, when all ranks do. */
  public void end() {
    buffered.detach();
    all.collectives().barrier();
    var left = engine.unexpected();
    if (left > 0) {
      LOG.log(
          Level.WARNING,
          () ->
              engine.network().describe(engine.rank())
                  + " ends with "
                  + left
                  + " messages that it has not received; receive or cancel all that is sent");
    }
    control.finalized();
    phase = Phase.AFTER;
  }

  /** Ends all ranks. */
  public void abort(int code) {
    control.abort(code);
  }

  /** Returns whether message passing has never begun. */
  public boolean isNew() {
    return phase == Phase.BEFORE;
  }

  /** Returns whether message passing has begun and not ended. */
  public boolean isOpen() {
    return phase == Phase.BETWEEN;
  }

  /** Returns whether the current thread has begun message passing. */
  public boolean isMainThread() {
    return Thread.currentThread() == mainThread;
  }

  /** Tells all other ranks that this one is gone without having ended message passing. */
  public void tellOfDeath(String why) {
    for (var i = 0; i < engine.network().size(); i++) {
      if (i != engine.rank()) {
        engine.notify(i, "gone", why);
      }
    }
  }

  /** Returns the engine. */
  public MessageEngine engine() {
    return engine;
  }

  /** Returns the communicator of all ranks. */
  public Communicator all() {
    return all;
  }

  /** Returns the communicator of this rank alone. */
  public Communicator self() {
    return self;
  }

  BufferedSends buffered() {
    return buffered;
  }

  /** Attaches a buffer for buffered sends. */
  public void attachBuffer(@Nullable Object buffer, int bytes) {
    buffered.attach(buffer, bytes);
  }

  /** Detaches the buffer when its messages have been sent; {@code null} if there was none. */
  public @Nullable Object detachBuffer() {
    return buffered.detach();
  }

  // Contexts

  /** Opens a communicator for notices and losses. */
  void opened(Communicator made, int[] ranks) {
    engine.open(made.context(), ranks);
    String offer;
    synchronized (earlyOffers) {
      byContext.put(made.context(), made);
      offer = earlyOffers.remove(made.context());
    }
    if (offer != null) {
      made.board().received(made.ofRun(0), offer);
    }
  }

  private void boardOffered(int from, int context, String words) {
    Communicator concerned;
    synchronized (earlyOffers) {
      concerned = byContext.get(context);
      if (concerned == null && context >= nextUnopened()) {
        earlyOffers.put(context, words);
      }
    }
    if (concerned != null) {
      concerned.board().received(from, words);
    }
  }

  /** Returns a context from which on communicators of this rank may be still to be opened. */
  private synchronized int nextUnopened() {
    return nextContext - 2;
  }

  void closed(Communicator freed) {
    byContext.remove(freed.context());
    engine.close(freed.context());
    synchronized (this) {
      usedContexts.remove(freed.context());
    }
  }

  /** A maximum over all ranks that agree on something. */
  @FunctionalInterface
  interface Agreement {
    int max(int own);
  }

  /** Returns a context that is free at all ranks of an agreement. */
  int newContext(Agreement agreement) {
    // The highest of all proposals, unless another thread of some rank has taken it meanwhile.
    for (; ; ) {
      int proposed;
      synchronized (this) {
        proposed = nextContext;
      }
      var agreed = agreement.max(proposed);
      boolean isTaken;
      synchronized (this) {
        nextContext = Math.max(nextContext, agreed + 2);
        isTaken = !usedContexts.add(agreed);
      }
      if (agreement.max(isTaken ? 1 : 0) == 0) {
        if (agreed >= MessageEngine.CONTEXTS) {
          throw MessagingError.of(
              ErrorClass.OTHER,
              "there have been too many communicators; free them, and make fewer");
        }
        return agreed;
      }
      if (!isTaken) {
        synchronized (this) {
          usedContexts.remove(agreed);
        }
      }
    }
  }

  // Notices

  static final String BOARD = "board";
  static final String BROKEN = "broken";
  static final String WHERE = "where";
  private static final String GONE = "gone";

  private void noticed(int from, String[] words) {
    switch (words[0]) {
      case GONE -> engine.lost(List.of(from), words[1]);
      case BROKEN -> {
        if (words.length == 4) {
          engine.breakCollectives(
              Integer.parseInt(words[1]), new Failure(ErrorClass.valueOf(words[2]), words[3]));
        }
      }
      case BOARD -> boardOffered(from, Integer.parseInt(words[1]), words[2]);
      case WHERE -> {
        var concerned = byContext.get(Integer.parseInt(words[1]));
        if (concerned != null) {
          concerned
              .collectives()
              .protocol()
              .asked(from, Integer.parseInt(words[2]), Long.parseLong(words[3]));
        }
      }
      default ->
          LOG.log(Level.WARNING, () -> "dropped an unknown notice " + Arrays.toString(words));
    }
  }

  @Override
  public String toString() {
    return Objects.toString(engine.network().describe(engine.rank()));
  }
}
