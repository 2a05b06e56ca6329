package org.troupe.activeobjects.internal.collection;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Waits;

/** An active object that keeps travellers by their names, calls them, and hands them to others. */
public class TravellersHost {

  private final Map<String, Traveller> kept = new TreeMap<>();
  private final Map<String, CompletableFuture<End>> ends = new TreeMap<>();

  public int keep(Traveller traveller) {
    kept.put(traveller.name(), traveller);
    return 0;
  }

  public int keepCaller(String name) {
    keepCallerLater(name);
    return 0;
  }

  public void keepCallerLater(String name) {
    kept.put(name, (Traveller) ActiveObjects.caller().stub());
  }

  public int hand(String name, TravellersHost next) {
    return next.keep(kept.get(name));
  }

  public int drop(String name) {
    kept.remove(name);
    return 0;
  }

  public int stopsOf(String name) {
    return kept.get(name).stops();
  }

  public int move(String name, NodeId to) {
    ActiveObjects.ref(kept.get(name)).move(to).join();
    return 0;
  }

  /** Lets a traveller work, and drops it before that. */
  public int letWorkAndDrop(String name) {
    kept.remove(name).work();
    return 0;
  }

  public int three() {
    return 3;
  }

  public void beVisited() {}

  public int awaitEnd(String name) {
    ends.put(name, ActiveObjects.ref(kept.get(name)).end());
    return 0;
  }

  public int awaitEndAgain(String name) {
    ends.put(name + " again", ActiveObjects.ref(kept.get(name)).end());
    return 0;
  }

  public int terminate(String name) {
    ActiveObjects.ref(kept.get(name)).terminate();
    return 0;
  }

  /** Returns how a traveller has ended, and forgets that. */
  public End.How howEnded(String name) {
    return Waits.valueOf(ends.remove(name), "the end of " + name).how();
  }
}
