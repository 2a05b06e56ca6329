package org.troupe.skeletons;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.Fork;
import org.troupe.tasks.Scope;
import org.troupe.tasks.TaskFailedException;

/** Takes the parts of an input through skeletons, as tasks that any worker may take. */
final class Parts {

  private Parts() {}

  /** Takes all parts through the same skeleton. */
  static <P extends @Nullable Object, Q extends @Nullable Object> List<Q> inParallel(
      List<? extends P> parts, Skeleton<? super P, ? extends Q> all, Position position)
      throws StepException {
    return inParallel(
        parts, Collections.nCopies(parts.size(), all), Collections.nCopies(parts.size(), position));
  }

  /** Takes each part through its own skeleton. */
  static <P extends @Nullable Object, Q extends @Nullable Object> List<Q> inParallel(
      List<? extends P> parts, List<? extends Skeleton<? super P, ? extends Q>> own, Position first)
      throws StepException {
    List<Position> positions = new ArrayList<>(parts.size());
    var position = first;
    for (var each : own) {
      positions.add(position);
      position = position.behind(each);
    }
    return inParallel(parts, own, positions);
  }

  /** Returns the results in the order of the parts. The first failure cancels the other parts. */
  private static <P extends @Nullable Object, Q extends @Nullable Object> List<Q> inParallel(
      List<? extends P> parts,
      List<? extends Skeleton<? super P, ? extends Q>> skeletons,
      List<Position> positions)
      throws StepException {
    List<Fork<Q>> forks = new ArrayList<>(parts.size());
    try (var scope = Scope.open()) {
      for (var i = 0; i < parts.size(); i++) {
        var part = parts.get(i);
        var skeleton = skeletons.get(i);
        var its = positions.get(i);
        forks.add(scope.fork(() -> skeleton.apply(part, its)));
      }
      scope.sync();
    } catch (TaskFailedException failure) {
      if (failure.getCause() instanceof StepException step) {
        throw step;
      }
      throw failure;
    }
    List<Q> results = new ArrayList<>(parts.size());
    for (var fork : forks) {
      results.add(fork.get());
    }
    return results;
  }
}
