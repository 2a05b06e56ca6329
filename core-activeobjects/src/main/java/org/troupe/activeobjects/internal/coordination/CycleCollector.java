package org.troupe.activeobjects.internal.coordination;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.listing.CycleSearch;
import org.troupe.activeobjects.internal.listing.ObjectName;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.ObjectTrials;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.service.NodeServiceClient;
import org.troupe.activeobjects.internal.service.NodeServices;
import org.troupe.activeobjects.internal.service.ThreadedTask;

/** Leads the collection of cycles over the nodes of a grid, on its coordinator. */
public final class CycleCollector {

  /*
   * Design: rounds
   *
   * A round asks all members for suspects. If there are candidates among them, their hosts prepare them, and put them on
   * trial when all have answered. Then the members report until nothing is left on trial, or the time of the trial is
   * over. Garbage is freed. At last all other objects return, and when all members have answered that, the round is over.
   *
   * A member that is lost takes its objects along, and is left out from then on. If a member fails to answer for any other
   * reason, nothing is freed any more, since its objects may name others.
   *
   * Threads: one round at a time, on a virtual thread, since it waits for answers.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int ROUNDS_PER_IDLE_TIME = 4;

  /** The time for the news of dropped references, which are told once a second. */
  private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long REPORT_MILLIS = 100;

  private final NodeObjects node;
  private final MemberTable members;
  private final Object grid;
  private final NodeServices services;
  private final CycleSearch search = new CycleSearch();
  private final AtomicBoolean isRunning = new AtomicBoolean();
  private volatile @Nullable Future<?> schedule;

  /** Makes the collector of a grid, which is identified by the role of its coordinator. */
  public CycleCollector(NodeObjects node, MemberTable members, Object grid, NodeServices services) {
    this.node = node;
    this.members = members;
    this.grid = grid;
    this.services = services;
  }

  private ObjectTrials trials() {
    return node.trials();
  }

  /** Begins to search for cycles, if this node is to. */
  public void start() {
    if (node.exports().findsCycles()) {
      var pause = Math.max(1, trials().idleNanos() / ROUNDS_PER_IDLE_TIME);
      schedule =
          node.timer()
              .scheduleWithFixedDelay(
                  () -> Thread.startVirtualThread(this::tryRound),
                  pause,
                  pause,
                  TimeUnit.NANOSECONDS);
    }
  }

  public void stop() {
    var known = schedule;
    if (known != null) {
      known.cancel(false);
    }
  }

  private void tryRound() {
    try {
      round();
    } catch (RuntimeException failure) {
      LOG.log(Level.DEBUG, "the search for cycles of objects has failed", failure);
    }
  }

  /** Searches for cycles, unless that is under way; waits until all members have taken part. */
  public void round() {
    if (!isRunning.compareAndSet(false, true)) {
      return;
    }
    try {
      new Round().run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      isRunning.set(false);
    }
  }

  /** Lets the objects of this node return, which leaves the grid. */
  public void abort() {
    stop();
    Thread.startVirtualThread(() -> trials().abort(grid));
  }

  /** One round. */
  private final class Round {

    private final Map<Long, NodeDescription> nodes = new LinkedHashMap<>();
    private boolean hasFailed;

    void run() throws InterruptedException {
      members.list().forEach(each -> nodes.put(each.id().incarnation(), each));
      var suspects =
          ask(
              each -> true,
              ObjectTrials::suspects,
              service -> service.suspects().thenApply(List::of));
      var others = search.otherHolders(suspects);
      ask(
          others::contains,
          trials -> {
            trials.collectForOthers();
            return true;
          },
          NodeServiceClient::collectForOthers);
      var candidates = search.candidates(suspects);
      if (candidates.isEmpty() || hasFailed) {
        return;
      }
      try {
        tryAll(candidates);
      } finally {
        ask(each -> true, this::finishHere, NodeServiceClient::finishTrials);
        ask(each -> true, this::overHere, NodeServiceClient::trialsOver);
      }
    }

    private void tryAll(Map<Long, Set<Long>> candidates) throws InterruptedException {
      Set<ObjectName> participants = new HashSet<>();
      ask(
              candidates::containsKey,
              trials -> trials.prepare(grid, candidates.getOrDefault(ownIncarnation(), Set.of())),
              (host, service) ->
                  service
                      .prepareTrials(array(candidates.getOrDefault(host, Set.of())))
                      .thenApply(CycleCollector::set))
          .forEach(
              (host, numbers) ->
                  numbers.forEach(each -> participants.add(new ObjectName(host, each))));
      if (hasFailed || participants.isEmpty()) {
        return;
      }
      ask(
          each -> true,
          trials -> beginHere(trials, participants),
          service -> service.beginTrials(participants.toArray(ObjectName[]::new)));
      var ends = System.nanoTime() + TRIAL_NANOS; // all JVMs have collected
      while (!hasFailed && System.nanoTime() - ends < 0) {
        var reports =
            ask(each -> true, trials -> trials.report(grid), NodeServiceClient::trialReport);
        if (reports.values().stream().allMatch(each -> each.objects().isEmpty())) {
          return;
        }
        var garbage = hasFailed ? Map.<Long, Set<Long>>of() : search.garbage(reports);
        if (!garbage.isEmpty()) {
          free(garbage);
        }
        TimeUnit.MILLISECONDS.sleep(REPORT_MILLIS);
      }
    }

    private void free(Map<Long, Set<Long>> garbage) {
      ask(
          garbage::containsKey,
          trials -> {
            trials.free(grid, garbage.getOrDefault(ownIncarnation(), Set.of()));
            return true;
          },
          (host, service) -> service.free(array(garbage.getOrDefault(host, Set.of()))));
    }

    private boolean beginHere(ObjectTrials trials, Set<ObjectName> participants) {
      trials.begin(grid, participants);
      return true;
    }

    private boolean finishHere(ObjectTrials trials) {
      finish(trials, grid, node);
      return true;
    }

    private boolean overHere(ObjectTrials trials) {
      trials.over(grid);
      return true;
    }

    private <T> Map<Long, T> ask(
        LongPredicate which,
        Function<ObjectTrials, T> here,
        Function<NodeServiceClient, CompletableFuture<T>> there) {
      return ask(which, here, (_, service) -> there.apply(service));
    }

    /** Asks all members at once, and returns their answers. */
    private <T> Map<Long, T> ask(
        LongPredicate which,
        Function<ObjectTrials, T> here,
        BiFunction<Long, NodeServiceClient, CompletableFuture<T>> there) {
      Map<Long, CompletableFuture<T>> asked = new LinkedHashMap<>();
      nodes.forEach(
          (host, member) -> {
            if (which.test(host)) {
              asked.put(
                  host,
                  host == ownIncarnation()
                      ? ThreadedTask.start(() -> here.apply(trials()))
                      : asked(member, service -> there.apply(host, service)));
            }
          });
      Map<Long, T> answers = new HashMap<>();
      asked.forEach(
          (host, answer) -> {
            try {
              answers.put(host, answer.join());
            } catch (CompletionException failure) {
              if (failure.getCause() instanceof NodeLostException) {
                nodes.remove(host);
              } else {
                hasFailed = true;
                LOG.log(Level.DEBUG, "a member takes no part in a trial", failure);
              }
            }
          });
      return answers;
    }

    private <T> CompletableFuture<T> asked(
        NodeDescription member, Function<NodeServiceClient, CompletableFuture<T>> call) {
      try {
        return call.apply(services.of(member));
      } catch (RuntimeException failure) {
        return CompletableFuture.failedFuture(failure);
      }
    }
  }

  private long ownIncarnation() {
    return node.id().incarnation();
  }

  /** Lets all objects of a node return; waits until other nodes know of their references. */
  public static void finish(ObjectTrials trials, Object grid, NodeObjects node) {
    List<CompletableFuture<Boolean>> acknowledged = new ArrayList<>();
    for (var each : trials.finish(grid)) {
      acknowledged.add(new NodeServiceClient(node, each).acknowledge());
    }
    for (var each : acknowledged) {
      try {
        each.join();
      } catch (CompletionException | NodeLostException e) {
        // The host is lost with its objects.
      }
    }
  }

  public static long[] array(Set<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).toArray();
  }

  private static Set<Long> set(long[] numbers) {
    Set<Long> all = new HashSet<>();
    for (var each : numbers) {
      all.add(each);
    }
    return all;
  }
}
