package org.troupe.activeobjects.internal.object;

import java.util.List;
import java.util.function.Supplier;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** A result that is computed from others rather than being the answer to one call. */
public sealed class DerivedResult<T> extends ReportedResult<T> permits CapacityWait {

  private final NodeObjects node;
  private final Supplier<String> description;
  private volatile Supplier<ResultSources> sources;

  /** Implements {@link Collectives#result(Supplier, Supplier)}. */
  public DerivedResult(
      NodeObjects node, Supplier<String> description, Supplier<ResultSources> sources) {
    super(node.waiting());
    this.node = node;
    this.description = description;
    this.sources = sources;
    madeBy(node.callerHere());
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
  public FutureResult<?> only() {
    var all = sources.get();
    return all.needed() == 1
            && all.results().size() == 1
            && !(all.results().getFirst() instanceof CallResult call && call.isLimited())
        ? all.results().getFirst()
        : null;
  }

  @Override
  NodeObjects node() {
    return node;
  }

  @Override
  public StackTraceElement site() {
    return null;
  }

  @Override
  public String describe() {
    return description.get();
  }
}
