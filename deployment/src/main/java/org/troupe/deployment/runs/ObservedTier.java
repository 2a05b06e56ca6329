package org.troupe.deployment.runs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.ObservationTier;

/** The tier in which all JVMs of a grid record requests. Thread-safe. */
final class ObservedTier {

  /*
   * Design: the present tier is derived, never remembered and restored
   *
   * Three independent facts decide on the present tier: how many traces are being recorded, the tier that was asked for a limited
   * time and whose end has not come, and the tier that was asked for good. The first of them that says something wins. Each event
   * changes its own fact only, so the order in which requests and traces end does not matter.
   *
   * The requests to the nodes are sent under the lock, so each node gets them in the order of the changes. The answers are awaited
   * without it.
   *
   * A limited tier holds this object until it ends, is replaced, or the grid is closed, so a timer of a day keeps no closed grid.
   *
   * Limit: a JVM has one tier. Two grids of one program each derive the tier of the program from their own facts, and the change
   * that is sent last wins there: the end of a limit or trace of one grid also changes what the program records for the other. The nodes of
   * the grids are not concerned.
   */
  private final GridMember host;
  private final Function<Duration, Executor> after;

  // guarded by this
  private int traces;
  private @Nullable Limited limited;
  private @Nullable ObservationTier lasting; // null: each node begins with its property
  private @Nullable ObservationTier sent; // null before the first change
  private boolean isClosed;

  /** A tier that ends by itself; each request is another one. */
  private static final class Limited {
    private final ObservationTier tier;
    private volatile @Nullable ObservedTier owner; // null when it counts no more

    Limited(ObservationTier tier, ObservedTier owner) {
      this.tier = tier;
      this.owner = owner;
    }

    void end() {
      var its = owner;
      if (its != null) {
        its.end(this);
      }
    }
  }

  /**
   * The result of a change.
   *
   * @param isInForce whether the wanted tier is the present one; otherwise it will be after a trace
   * @param silent the names of the nodes that have not answered
   */
  record Change(boolean isInForce, List<String> silent) {}

  ObservedTier(GridMember host) {
    this(
        host,
        within ->
            CompletableFuture.delayedExecutor(
                within.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread));
  }

  /** Creates one with other timers, for tests. */
  ObservedTier(GridMember host, Function<Duration, Executor> after) {
    this.host = host;
    this.after = after;
  }

  /** Sets the tier of a node that has joined. */
  synchronized void joined(Node node) {
    if (traces > 0 || limited != null || lasting != null) {
      host.observe(node, present()); // if it fails, the node is lost
    }
  }

  private ObservationTier present() {
    if (traces > 0) {
      return ObservationTier.TRACE;
    }
    return limited == null
        ? Objects.requireNonNullElse(lasting, ObservationTier.ofProperty())
        : limited.tier;
  }

  /**
   * Changes the tier of the program and all nodes; while a trace is recorded, it changes at the end
   * of that.
   *
   * @param within for how long; zero for good
   * @throws RefusedRequestException if the grid is closed
   */
  Change set(ObservationTier tier, Duration within) {
    Map<String, CompletableFuture<Boolean>> answers;
    boolean isInForce;
    synchronized (this) {
      if (isClosed) {
        throw RefusedRequestException.ofRun("the run is ending, and keeps its tier", null);
      }
      forgetLimited();
      if (within.isZero()) {
        lasting = tier;
      } else {
        var begun = new Limited(tier, this);
        limited = begun;
        after.apply(within).execute(begun::end);
      }
      isInForce = present() == tier;
      answers = sendAlways();
    }
    return new Change(isInForce, silent(answers));
  }

  private synchronized void end(Limited its) {
    if (limited == its) {
      forgetLimited();
      sendIfChanged();
    }
  }

  private synchronized void forgetLimited() {
    if (limited != null) {
      limited.owner = null;
      limited = null;
    }
  }

  /** Ends a tier for some time in this program, as its grid is closed; the nodes end anyway. */
  synchronized void close() {
    isClosed = true;
    var before = limited;
    forgetLimited();
    if (before != null && present() != sent) {
      sent = present();
      host.observe(host.self(), present());
    }
  }

  /** Begins a trace: the tier is that of traces until the last one ends. */
  void beginTrace() {
    Map<String, CompletableFuture<Boolean>> answers;
    synchronized (this) {
      traces++;
      answers = sendIfChanged();
    }
    silent(answers); // what a silent node serves is missing at first
  }

  /** Ends a trace; returns when the nodes have the tier behind it. */
  void endTrace() {
    Map<String, CompletableFuture<Boolean>> answers;
    synchronized (this) {
      traces--;
      answers = sendIfChanged();
    }
    silent(answers);
  }

  private Map<String, CompletableFuture<Boolean>> sendIfChanged() {
    return present() == sent ? Map.of() : sendAlways();
  }

  /** Sends the present tier to the program and all nodes. */
  private Map<String, CompletableFuture<Boolean>> sendAlways() {
    var tier = present();
    sent = tier;
    Map<String, CompletableFuture<Boolean>> answers = new LinkedHashMap<>();
    answers.put(host.self().name(), host.observe(host.self(), tier));
    host.nodes("").list().forEach(node -> answers.put(node.name(), host.observe(node, tier)));
    return answers;
  }

  /** Awaits answers for some time; returns the nodes that did not answer. */
  private static List<String> silent(Map<String, CompletableFuture<Boolean>> answers) {
    var deadline = System.nanoTime() + GridController.PATIENCE.toNanos();
    List<String> silent = new ArrayList<>();
    answers.forEach(
        (name, answer) -> {
          try {
            GridController.awaited(answer, deadline);
          } catch (ExecutionException | TimeoutException e) {
            silent.add(name);
          }
        });
    return silent;
  }
}
