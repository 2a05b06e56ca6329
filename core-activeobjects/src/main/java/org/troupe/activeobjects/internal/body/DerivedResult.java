package org.troupe.activeobjects.internal.body;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;

/** A result that is computed from others rather than being the answer to one call. */
public class DerivedResult<T> extends ReportedResult<T> {

  private final FailureReporter failures;
  private final Supplier<String> description;
  private volatile Supplier<ResultSources> sources;

  /**
   * Implements {@link Collectives#result(Supplier, Supplier)}.
   *
   * @param waiting the actions of a thread that waits for the result
   * @param failures reports its failure if it is never claimed
   * @param caller the body that creates it, or {@code null}
   */
  public DerivedResult(
      FutureRuntime waiting,
      FailureReporter failures,
      @Nullable Body caller,
      Supplier<String> description,
      Supplier<ResultSources> sources) {
    super(waiting);
    this.failures = failures;
    this.description = description;
    this.sources = sources;
    madeBy(caller);
    onSettled(this::settled);
  }

  /**
   * Drops the references to the sources and the caller, because the result itself may be kept for
   * long.
   */
  private void settled(Outcome<T> outcome) {
    sources = () -> ResultSources.UNKNOWN;
    if (outcome instanceof Outcome.Success) {
      madeBy(null);
    }
  }

  /**
   * The results that this one waits for, as far as they are known.
   *
   * @param results those that are still awaited
   * @param spare how many of them are not needed
   */
  public record Wants(List<? extends FutureResult<?>> results, int spare) {

    static final Wants UNKNOWN = new Wants(List.of(), 0);
  }

  public Wants wants() {
    var all = sources.get();
    var awaited = all.results().stream().filter(FutureResult::isAwaited).toList();
    var missing = all.needed() - (all.results().size() - awaited.size());
    return missing <= 0 ? Wants.UNKNOWN : new Wants(awaited, awaited.size() - missing);
  }

  /**
   * Returns the one result that this one cannot complete without; {@code null} if there is not
   * exactly one.
   */
  public @Nullable FutureResult<?> only() {
    var all = sources.get();
    return all.needed() == 1
            && all.results().size() == 1
            && !(all.results().getFirst() instanceof ReportedResult<?> result && result.isLimited())
        ? all.results().getFirst()
        : null;
  }

  @Override
  public FailureReporter failures() {
    return failures;
  }

  @Override
  public @Nullable StackTraceElement site() {
    return null;
  }

  @Override
  public String describe() {
    return description.get();
  }
}
