package org.troupe.activeobjects.internal.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Waits;

/** An active object that works on when nothing refers to it, and counts its work. */
public class Hermit {

  private static final Map<String, AtomicInteger> DONE = new ConcurrentHashMap<>();

  private final String name;
  private final List<Subject> kept = new ArrayList<>();

  public Hermit(String name) {
    this.name = name;
  }

  /** Keeps a subject from its beginning. */
  public Hermit(String name, Subject subject) {
    this(name);
    kept.add(subject);
  }

  /** Gives a reference to itself away before it is constructed. */
  public Hermit(String name, Subject keeper, boolean isLate) {
    this(name);
    var self = ActiveObjects.self(Hermit.class);
    if (isLate) {
      keeper.keepLater(self);
    } else {
      keeper.keep(self);
    }
  }

  static int done(String name) {
    return DONE.computeIfAbsent(name, _ -> new AtomicInteger()).get();
  }

  /** Waits at a gate; nothing waits for that. */
  public void waitAt(String gate) {
    Waits.await(Cell.gate(gate), "gate " + gate);
  }

  public void work() {
    DONE.computeIfAbsent(name, _ -> new AtomicInteger()).incrementAndGet();
  }

  /** Asks another to wait at a gate, and works when it has answered. */
  public void workAfter(Subject other, String gate) {
    ActiveObjects.ref(other)
        .ask(it -> it.waitAt(gate))
        .thenAccept(_ -> ActiveObjects.self(Hermit.class).stub().work());
  }

  /** Lets a thread of its own call it after a gate has opened. */
  public void workByThread(String gate) {
    Ref<Hermit> self = ActiveObjects.self(Hermit.class);
    Thread.ofVirtual()
        .start(
            () -> {
              Waits.await(Cell.gate(gate), "gate " + gate);
              self.stub().work();
            });
  }

  /** Lets a subject keep the caller after a gate has opened, and gives the call up before. */
  public int callAndGiveUp(Subject subject, String gate) {
    var answer = ActiveObjects.ref(subject).ask(it -> it.keepCallerAfter(gate));
    Waits.await(Cell.gate("at " + gate), "the call is served");
    answer.cancel(false);
    return 0;
  }

  public int fail() {
    throw new IllegalStateException("fails as it was told");
  }

  public String nameOfKept() {
    return kept.getFirst().name();
  }

  public String name() {
    return name;
  }
}
