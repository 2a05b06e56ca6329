package org.troupe.activeobjects.internal.collection;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.Waits;

/**
 * An active object that registers the copies of itself that its moves make, and counts its work.
 */
public class Traveller implements LifeCycle {

  private static final Map<String, AtomicInteger> DONE = new ConcurrentHashMap<>();

  private final String name;
  private int stops;

  public Traveller() {
    this("");
  }

  public Traveller(String name) {
    this.name = name;
    CollectedGrid.register(copy(name, 0), this);
  }

  /** Returns the name of the copy that an object became by a move. */
  static String copy(String name, int stop) {
    return name + " at stop " + stop;
  }

  static int done(String name) {
    return DONE.computeIfAbsent(name, _ -> new AtomicInteger()).get();
  }

  @Override
  public void arrived() {
    stops++;
    CollectedGrid.register(copy(name, stops), this);
  }

  public int stops() {
    return stops;
  }

  public String name() {
    return name;
  }

  public void work() {
    DONE.computeIfAbsent(name, _ -> new AtomicInteger()).incrementAndGet();
  }

  public void waitAt(String gate) {
    Waits.await(Cell.gate(gate), "gate " + gate);
  }

  /** Calls a host, which keeps its caller. */
  public int introduceTo(TravellersHost host) {
    return host.keepCaller(name);
  }

  /** Does the same without waiting. */
  public int introduceLaterTo(TravellersHost host) {
    host.keepCallerLater(name);
    return 0;
  }

  /** Calls a host, which does not refer to its caller. */
  public int visit(TravellersHost host) {
    return host.three();
  }

  /** Does the same without waiting. */
  public void visitLater(TravellersHost host) {
    host.beVisited();
  }
}
