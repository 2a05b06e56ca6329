package org.troupe.activeobjects.internal.object;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.activeobjects.internal.body.DerivedResult;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** The end of an object of another node, also if that node is lost before it reports the end. */
public final class RemoteEnd extends DerivedResult<End> {

  private final CallResult report;
  private final Supplier<@Nullable NodeLostException> loss;
  private final Supplier<@Nullable FutureResult<End>> elsewhere;

  /**
   * Creates the result.
   *
   * @param report the answer of the other node
   * @param loss returns the loss of that node; {@code null} while there is none
   * @param elsewhere returns, after the loss of that node, the end of an object that had left it;
   *     {@code null} if none had
   */
  public RemoteEnd(
      NodeObjects node,
      CallResult report,
      Supplier<@Nullable NodeLostException> loss,
      Supplier<@Nullable FutureResult<End>> elsewhere) {
    super(
        node.waiting(),
        node.failures(),
        node.callerHere(),
        report::describe,
        () -> new ResultSources(List.of(report), 1));
    this.report = report;
    this.loss = loss;
    this.elsewhere = elsewhere;
    report.claim();
    report.onSettled(outcome -> reported(outcome.settled()));
  }

  @Override
  protected void abandoned() {
    report.asCompletableFuture().cancel(false);
  }

  private void reported(Outcome<Object> outcome) {
    var isLost = outcome instanceof Outcome.Failure<Object>(NodeLostException _);
    var next = isLost ? elsewhere.get() : null;
    if (next == null) {
      settle(end(outcome));
    } else {
      next.onSettled(end -> settle(end));
    }
  }

  private Outcome<End> end(Outcome<Object> report) {
    return switch (report) {
      case Outcome.Success<Object>(Object value) -> new Outcome.Success<>((End) value);
      case Outcome.Failure<Object>(NodeLostException failure) -> {
        var lost = loss.get();
        var known = lost == null ? failure : lost;
        yield new Outcome.Success<>(
            new End(End.How.LOST, String.valueOf(known.getMessage()), known.exitReport()));
      }
      case Outcome.Failure<Object>(ObjectTerminatedException _) -> // the service of a closed node
          new Outcome.Success<>(End.of(End.How.LOST, "its node is being closed"));
      case Outcome.Failure<Object>(Throwable failure) -> new Outcome.Failure<>(failure);
      case Outcome.Encoded<Object> encoded -> throw new AssertionError(encoded);
    };
  }
}
