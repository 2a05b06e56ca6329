package org.troupe.groups.spmd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.testing.Polling;

/** A member of the tests' groups: does what it is told, and tells what it has been through. */
public class Part {

  private static final long SECONDS = 50;

  private final List<String> log = new ArrayList<>();

  public Part() {}

  /** Something that a member does in its turn. */
  @FunctionalInterface
  interface Act<R> {
    R by(Spmd<Part> spmd) throws Exception;
  }

  /** What the member that acts has met: lambdas know only the test's own stubs. */
  static final ThreadLocal<Object> MET = new ThreadLocal<>();

  private Object met;

  public void meet(Object other) {
    met = other;
  }

  /** By a key: lambdas do not travel. */
  static final Map<String, Act<?>> ACTS = new ConcurrentHashMap<>();

  /** Does something, and returns what that gives. */
  public CompletableFuture<Object> act(String key) {
    MET.set(met);
    try {
      return CompletableFuture.completedFuture(ACTS.get(key).by(Spmd.here(Part.class)));
    } catch (Exception failure) {
      return CompletableFuture.failedFuture(failure);
    } finally {
      MET.remove();
    }
  }

  public void note(String what) {
    log.add(what);
  }

  public List<String> notes() {
    return new ArrayList<>(log);
  }

  @Immediate
  public List<String> notesNow() {
    return notes();
  }

  public int size() {
    return Spmd.here(Part.class).size();
  }

  /** What must not be done beside others. */
  @Immediate
  public CompletableFuture<Object> actAtOnce(String key) {
    return act(key);
  }

  /** A group of members that are spread over nodes as blocks. */
  static List<Part> group(LocalNodes nodes, int size) {
    return group(Part.class, nodes, size, false);
  }

  static <P extends Part> List<P> group(
      Class<P> type, LocalNodes nodes, int size, boolean isMixed) {
    List<P> members = new ArrayList<>();
    List<Node> places = new ArrayList<>();
    var count = nodes.list().size();
    for (var rank = 0; rank < size; rank++) {
      var node = nodes.get(isMixed ? rank % count : rank * count / size);
      places.add(node);
      members.add(ActiveObjects.on(node).create(type));
    }
    new CommunicatorFactory().enrol(members, places);
    return members;
  }

  /** Lets all members do something; returns what they return, by rank. */
  @SuppressWarnings("unchecked") // the test knows what its act returns
  static <R> List<R> all(List<? extends Part> members, Act<R> act) {
    return begun(members, act).stream().map(each -> (R) valueOf(each)).toList();
  }

  static <R> List<CompletableFuture<Object>> begun(List<? extends Part> members, Act<R> act) {
    var key = "act " + System.identityHashCode(act) + " " + act;
    ACTS.put(key, act);
    return members.stream().map(each -> each.act(key)).toList();
  }

  static Object valueOf(CompletableFuture<Object> result) {
    try {
      return result.get(SECONDS, TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (Exception e) {
      throw new AssertionError("no answer", e);
    }
  }

  /** Returns the report of a node, within bounds. */
  static NodeReport report(LocalNodes nodes, int node, Duration visit) {
    try {
      return GridMember.of(nodes)
          .report(nodes.get(node), visit)
          .get(TimeUnit.SECONDS.toNanos(SECONDS));
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("no report", e);
    }
  }

  /** Waits for what comes by another way than the answers so far. */
  public static void until(BooleanSupplier condition) {
    Polling.until("what others send has come", condition::getAsBoolean);
  }

  static Throwable failureOf(CompletableFuture<Object> result) {
    try {
      throw new AssertionError("should have failed, but gave " + valueOf(result));
    } catch (IllegalStateException e) {
      return e.getCause();
    }
  }
}
