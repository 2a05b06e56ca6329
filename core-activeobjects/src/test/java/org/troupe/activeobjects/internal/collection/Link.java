package org.troupe.activeobjects.internal.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.NodeId;

/** An active object that refers to others, which may refer to it. */
public class Link implements LifeCycle {

  private static final Map<String, Object> HELD = new ConcurrentHashMap<>();

  private final String name;
  private final List<Link> others = new ArrayList<>();
  private int calls;
  private transient int arrivals;

  public Link() {
    this("");
  }

  public Link(String name) {
    this.name = name;
    if (!name.isEmpty()) {
      CollectedGrid.register(name, this);
    }
  }

  /** Clears the static fields. */
  static void letGo() {
    HELD.clear();
  }

  @Override
  public void arrived() {
    arrivals++;
  }

  public String name() {
    return name;
  }

  public int add(Link other) {
    others.add(other);
    return others.size();
  }

  public int drop() {
    others.clear();
    return 0;
  }

  /** Counts calls, and passes them on along the ring. */
  public int call(int hops) {
    calls++;
    return hops == 0 ? calls : others.getFirst().call(hops - 1);
  }

  /** Returns how often the object was made again, or the count was lost. */
  public int arrivals() {
    return arrivals;
  }

  /** Lets a static field of the JVM hold the stub of the next object. */
  public int holdNext(String key) {
    HELD.put(key, others.getFirst());
    return 0;
  }

  /** Lets a static field hold the object itself, as its own thread would. */
  public int holdThis(String key) {
    HELD.put(key, this);
    return 0;
  }

  /** Moves the object that a static field holds. */
  public int moveHeld(String key, NodeId to) {
    ActiveObjects.ref((Link) HELD.get(key)).move(to).join();
    return 0;
  }

  /** Terminates the object that a static field holds. */
  public int endHeld(String key) {
    var held = (Link) HELD.get(key);
    held.drop();
    ActiveObjects.ref(held).terminate().join();
    return 0;
  }

  /** Calls the object that a static field holds. */
  public int callHeld(String key, int hops) {
    return ((Link) HELD.get(key)).call(hops);
  }
}
