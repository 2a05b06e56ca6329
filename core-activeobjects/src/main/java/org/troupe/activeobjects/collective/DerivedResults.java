package org.troupe.activeobjects.collective;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.troupe.activeobjects.internal.object.DerivedResult;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.futures.FutureResult;

/** Results that come by other ways than as the answer to one call. */
public final class DerivedResults {

  private DerivedResults() {}

  /**
   * Returns a place for a result: whoever has it settles it. Waiting for it, and stages hung on it,
   * are to active objects what they are for the answer to a call; a failure that nobody claims
   * reaches the failure handler.
   *
   * @param description what is awaited, for messages
   */
  public static <T> FutureResult<T> result(Supplier<String> description) {
    return result(description, () -> Sources.UNKNOWN);
  }

  /**
   * The same for a result that is made of others; so waits for it that can never end are found.
   *
   * @param sources what it is made of, by what is known when this is asked; on any thread
   */
  public static <T> FutureResult<T> result(
      Supplier<String> description, Supplier<Sources> sources) {
    return new DerivedResult<>(NodeRuntime.current(), description, sources);
  }

  /**
   * What a result is made of: it does not come before so many of these are here.
   *
   * @param results others than the result itself
   */
  public record Sources(List<? extends FutureResult<?>> results, int needed) {

    /** Of a result of which it is not known where it comes from. */
    public static final Sources UNKNOWN = all(List.of());

    /** All of these are needed. */
    public static Sources all(List<? extends FutureResult<?>> results) {
      return new Sources(results, results.size());
    }
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

  /**
   * Returns the same work for another thread, done in the name of the object that the current
   * thread serves, if any: what it calls is called by that object, behind what that serves now.
   */
  public static Runnable inName(Runnable work) {
    return NodeRuntime.inName(work);
  }
}
