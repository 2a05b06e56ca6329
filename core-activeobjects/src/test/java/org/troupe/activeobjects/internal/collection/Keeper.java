package org.troupe.activeobjects.internal.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An active object that keeps subjects by their names, and hands them to others. */
public class Keeper {

  private final Map<String, Subject> kept = new TreeMap<>();

  public boolean keep(String name, Subject subject) {
    kept.put(name, subject);
    return true;
  }

  /** Keeps a subject; nothing waits for that. */
  public void take(String name, Subject subject) {
    kept.put(name, subject);
  }

  public boolean hand(String name, Keeper next) {
    return next.keep(name, kept.get(name));
  }

  /** Sends a subject, and forgets it before the message has arrived. */
  public boolean handOver(String name, Keeper next) {
    next.take(name, kept.remove(name));
    return true;
  }

  public boolean forget(String name) {
    return kept.remove(name) != null;
  }

  public List<String> names() {
    return List.copyOf(kept.keySet());
  }

  /** Calls a subject that it keeps. */
  public String call(String name) {
    return kept.get(name).name();
  }

  /** Calls each subject that it keeps. */
  public List<String> callAll() {
    List<String> names = new ArrayList<>();
    kept.values().forEach(each -> names.add(each.name()));
    return names;
  }
}
