package org.troupe.program;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An active object that registers itself in its JVM, keeps others, and hands them on. */
public class Witness {

  private static final Map<String, WeakReference<Witness>> ALL = new ConcurrentHashMap<>();

  private final String name;
  private final List<Witness> kept = new ArrayList<>();

  public Witness(String name) {
    this.name = name;
    ALL.put(name, new WeakReference<>(this));
  }

  public String name() {
    return name;
  }

  public int keep(Witness other) {
    kept.add(other);
    return kept.size();
  }

  /** Hands what it keeps to another, and drops it. */
  public int handOver(Witness next) {
    for (var each : kept) {
      next.keep(each);
    }
    kept.clear();
    return 0;
  }

  /** Hands what it keeps to another. */
  public int hand(Witness next) {
    for (var each : kept) {
      next.keep(each);
    }
    return kept.size();
  }

  public int drop() {
    kept.clear();
    return 0;
  }

  /** Calls what it keeps. */
  public List<String> names() {
    return kept.stream().map(Witness::name).toList();
  }

  /** Collects the garbage of its JVM. */
  public int collect() {
    System.gc();
    return 0;
  }

  /** Returns whether the collector has cleared an object of this JVM. */
  public boolean isGone(String itsName) {
    return ALL.get(itsName).refersTo(null);
  }
}
