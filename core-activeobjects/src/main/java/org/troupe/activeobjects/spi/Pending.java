package org.troupe.activeobjects.spi;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.troupe.activeobjects.internal.NodeRuntime;
import org.troupe.futures.FutureResult;

/** Results that come by other ways than as the answer to one call. */
public final class Pending {

  private Pending() {}

  /**
   * Returns a place for a result: whoever has it settles it. Waiting for it, and stages hung on it,
   * are to active objects what they are for the answer to a call.
   *
   * @param description what is awaited, for messages
   */
  public static <T> FutureResult<T> result(Supplier<String> description) {
    return new FutureResult<>(NodeRuntime.current()) {
      @Override
      public String describe() {
        return description.get();
      }
    };
  }

  /**
   * Returns what tells the failure handler, that of the object which the current thread serves if
   * it has one, that a call failed for whose answer nobody waits.
   *
   * @param call what was called, for messages
   */
  public static Consumer<Throwable> unheard(Supplier<String> call) {
    return NodeRuntime.current().unheard(call);
  }
}
