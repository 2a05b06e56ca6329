package org.troupe.program;

import org.jspecify.annotations.Nullable;

/** An active object of a ring. */
public class RingLink {

  private static volatile @Nullable RingLink held;

  private @Nullable RingLink next;
  private int calls;

  public boolean follow(RingLink other) {
    next = other;
    return true;
  }

  /** Lets a static field of this JVM hold the stub of the next object. */
  public boolean holdNext() {
    held = next;
    return true;
  }

  /** Calls the object that the static field of this JVM holds. */
  public int callHeld() {
    var other = held;
    return other == null ? -1 : other.call();
  }

  public int call() {
    return ++calls;
  }

  public long pid() {
    return ProcessHandle.current().pid();
  }
}
