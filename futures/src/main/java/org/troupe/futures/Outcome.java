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

  /** Returns the success of a call that has no value, or whose value is {@code null}. */
  @SuppressWarnings(
      "NullAway") // a null is legal in an outcome, whose type argument may be nullable
  static <V extends @Nullable Object> Outcome<V> withoutValue() {
    return new Success<>(null);
  }

  /**
   * The call threw, was lost, timed out or was cancelled.
   *
   * @param cause the exception that the caller receives
   */
  record Failure<V extends @Nullable Object>(Throwable cause) implements Outcome<V> {}

  /**
   * The call ended and its outcome is still encoded. The first thread that uses it decodes it,
   * once. A node that forwards the outcome can send {@link #form()} without decoding.
   */
  final class Encoded<V extends @Nullable Object> implements Outcome<V> {

    private final Object form;
    private final Supplier<Outcome<V>> opener;
    private volatile @Nullable Outcome<V> opened;

    /**
     * Wraps an encoded outcome.
     *
     * @param form the encoded form, meaningful to the creator of this outcome
     * @param opener decodes the success or failure; run at most once, on the first thread that uses
     *     the outcome. An exception thrown by it becomes a failure
     */
    public Encoded(Object form, Supplier<Outcome<V>> opener) {
      this.form = form;
      this.opener = opener;
    }

    /** Returns the encoded form. */
    public Object form() {
      return form;
    }

    /**
     * Returns whether the outcome has been decoded, so that its user may have changed the value.
     */
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
        return new Failure<>(cause); // every waiting thread receives it
      }
    }
  }

  /** Returns the success or failure, decoding it if needed, which may run user code. */
  default Outcome<V> settled() {
    return open();
  }

  private Outcome<V> open() {
    return this instanceof Encoded<V> encoded ? encoded.open() : this;
  }
}
