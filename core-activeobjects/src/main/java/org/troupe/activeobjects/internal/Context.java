package org.troupe.activeobjects.internal;

/**
 * Which request of which body the current thread serves; none for the threads of the user's own.
 * Touched only by its thread.
 */
final class Context {

  private static final ThreadLocal<Context> CURRENT = new ThreadLocal<>();

  final Body body;
  final boolean inTurn;
  CallRequest request;
  long waitedNanos;

  private Context outer;

  /**
   * Makes a context.
   *
   * @param inTurn whether the body serves nothing else while this thread serves a request
   */
  Context(Body body, boolean inTurn) {
    this.body = body;
    this.inTurn = inTurn;
  }

  /** Returns the context of the current thread, or {@code null}. */
  static Context current() {
    return CURRENT.get();
  }

  /** Returns the body that the current thread serves, or {@code null}. */
  static Body currentBody() {
    var context = CURRENT.get();
    return context == null ? null : context.body;
  }

  /** Makes this the current context until {@link #leave}; contexts nest. */
  Context enter() {
    outer = CURRENT.get();
    CURRENT.set(this);
    return this;
  }

  void leave() {
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }
}
