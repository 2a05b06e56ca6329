package org.troupe.groups.spmd;

import java.time.Duration;
import java.util.Locale;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;

/** Runs one member's part in collective operations, with one algorithm and one time limit. */
final class CollectiveRunner {

  private final Communicator communicator;
  private final CollectiveAlgorithm algorithm;
  private final @Nullable Duration limit;

  /**
   * Creates a runner.
   *
   * @param limit the time limit of each operation, or {@code null}
   */
  CollectiveRunner(
      Communicator communicator, CollectiveAlgorithm algorithm, @Nullable Duration limit) {
    this.communicator = communicator;
    this.algorithm = algorithm;
    this.limit = limit;
  }

  CollectiveRunner with(CollectiveAlgorithm other) {
    return new CollectiveRunner(communicator, other, limit);
  }

  CollectiveRunner within(@Nullable Duration other) {
    return new CollectiveRunner(communicator, algorithm, other);
  }

  /** Returns a runner with the same settings for the members of another group. */
  CollectiveRunner of(Communicator other) {
    return new CollectiveRunner(other, algorithm, limit);
  }

  Communicator communicator() {
    return communicator;
  }

  @Nullable Duration limit() {
    return limit;
  }

  /** Runs an operation on objects that has no root. */
  <V extends @Nullable Object> V run(
      OperationKind kind, Function<CollectiveOperation, @Nullable Object> part) {
    return run(kind, -1, part);
  }

  /** Runs an operation on objects; all members get values of the same type. */
  @SuppressWarnings({"unchecked", "NullAway"}) // all members call the same; V may be nullable
  <V extends @Nullable Object> V run(
      OperationKind kind, int root, Function<CollectiveOperation, @Nullable Object> part) {
    return (V) run(kind, root, Object.class, null, part);
  }

  private @Nullable Object run(
      OperationKind kind,
      int root,
      Class<?> element,
      @Nullable Operation operation,
      Function<CollectiveOperation, @Nullable Object> part) {
    if (root < 0 && kind.hasRoot()) {
      throw new IllegalArgumentException(
          "there is no member %d for a %s in a group of %d, whose ranks are 0 to %d"
              .formatted(root, kind, communicator.size(), communicator.size() - 1));
    }
    try (var c = begin(kind, root, element, operation)) {
      return c.run(part);
    }
  }

  /** Begins an operation, which the caller closes. */
  CollectiveOperation begin(
      OperationKind kind, int root, Class<?> element, @Nullable Operation operation) {
    return new CollectiveOperation(communicator, algorithm, kind, root, element, operation, limit);
  }

  /** Runs an operation on slices of arrays. */
  void runOnSlices(
      OperationKind kind,
      int root,
      Slice<?> slice,
      @Nullable Operation operation,
      Consumer<CollectiveOperation> part) {
    run(
        kind,
        root,
        slice.element(),
        operation,
        c -> {
          part.accept(c);
          return null;
        });
  }

  /**
   * Runs a reduction of one number of each member.
   *
   * @param combiner the operation for this type of numbers
   * @return the combined number; the own one where the operation has none for this member
   */
  @SuppressWarnings("unchecked") // all members call the same
  <N> N runOnNumbers(
      OperationKind kind, int root, Operation operation, N value, BinaryOperator<N> combiner) {
    ArrayReduction.checkApplicable(operation, value instanceof Double ? double.class : long.class);
    BinaryOperator<N> ofOneType =
        (one, other) -> {
          if (one.getClass() != other.getClass()) {
            throw new CollectiveException(
                "%s was given %s by some members and %s by others; all must give the same type"
                    .formatted(kind, nameOf(one), nameOf(other)));
          }
          return combiner.apply(one, other);
        };
    Function<CollectiveOperation, @Nullable Object> part =
        switch (kind) {
          case REDUCE -> c -> BoardCollectives.reduce(c, root, value, ofOneType);
          case ALL_REDUCE -> c -> BoardCollectives.allReduce(c, value, ofOneType);
          default -> c -> ObjectCollectives.scan(c, value, ofOneType);
        };
    var combined = (N) run(kind, root, Object.class, operation, part);
    return combined == null ? value : combined;
  }

  private static String nameOf(Object number) {
    return number.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
