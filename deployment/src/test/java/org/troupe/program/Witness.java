package org.troupe.program;

import java.util.ArrayList;
import java.util.List;

/** An active object that keeps others, and hands them on. */
public class Witness {

  private final String name;
  private final List<Witness> kept = new ArrayList<>();

  public Witness(String name) {
    this.name = name;
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
}
