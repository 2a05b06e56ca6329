package org.troupe.futures;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended. Immutable; may be shared between threads.
 *
 * @param <V> the type of the result
 */
public sealed interface Outcome<V extends @Nullable Object> {

  /**
   * The call returned.
   *
   * @param value what it returned; may be {@code null}
   */
  record Success<V extends @Nullable Object>(V value) implements Outcome<V> {}

  /**
   * The call threw, was lost, timed out or was cancelled.
   *
   * @param cause what the caller is to see
   */
  record Failure<V extends @Nullable Object>(Throwable cause) implements Outcome<V> {}

  /**
   * The call ended and its outcome is still in the form in which it travelled. It is opened on the
   * thread that first uses it, once; those who pass it on may read {@link #form()} instead.
   */
  final class Encoded<V extends @Nullable Object> implements Outcome<V> {

    private final Object form;
    private final Supplier<Outcome<V>> opener;
    private volatile @Nullable Outcome<V> opened;

    /**
     * Wraps an encoded outcome.
     *
     * @param form what travelled, for whoever made it
     * @param opener gives the success or failure; run at most once, on a thread that uses the
     *     outcome. What it throws is a failure, too
     */
    public Encoded(Object form, Supplier<Outcome<V>> opener) {
      this.form = form;
      this.opener = opener;
    }

    /** Returns what travelled. */
    public Object form() {
      return form;
    }

    /** Says whether somebody has used the outcome, and may have changed what it holds. */
    public boolean isOpened() {
      return opened != null;
    }

    private Outcome<V> open() {
      var known = opened;
      if (known != null) {
        return known;
      }
      synchronized (this) {
        known = opened;
        if (known == null) {
          known = run(opener);
          opened = known;
        }
        return known;
      }
    }

    private static <V extends @Nullable Object> Outcome<V> run(Supplier<Outcome<V>> opener) {
      try {
        return opener.get().open();
      } catch (Throwable cause) {
        return new Failure<>(cause); // so that it reaches everybody who waits
      }
    }
  }

  /** Returns the success or failure behind this outcome; runs user code where it was encoded. */
  default Outcome<V> settled() {
    return open();
  }

  private Outcome<V> open() {
    return this instanceof Encoded<V> encoded ? encoded.open() : this;
  }
}
