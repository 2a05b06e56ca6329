package org.troupe.groups;

import java.io.Serializable;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * An operation that combines answers into one, and the order in which they are combined. Immutable;
 * sent to the nodes of the answers.
 *
 * @param <V> the type of an answer
 */
public final class Reduction<V> {

  private final Op<V> op;
  private final boolean tree;
  private final boolean inAnyOrder;

  private Reduction(Op<V> op, boolean tree, boolean inAnyOrder) {
    this.op = op;
    this.tree = tree;
    this.inAnyOrder = inAnyOrder;
  }

  /** An associative operation, which need not be commutative. */
  @FunctionalInterface
  public interface Op<V> extends BinaryOperator<V>, Serializable {}

  /**
   * Combines one answer after the other, in rank order: within each JVM first, then those of the
   * JVMs at the caller.
   */
  public static <V> Reduction<V> flat(Op<V> op) {
    return new Reduction<>(op, false, false);
  }

  /**
   * Combines pairwise in a binomial tree: within each JVM first, then between the JVMs. Of more
   * than two JVMs only the first sends a value to the caller.
   */
  public static <V> Reduction<V> tree(Op<V> op) {
    return new Reduction<>(op, true, false);
  }

  /**
   * Returns this reduction for a commutative operation: answers are combined in each JVM even if
   * members with neighbouring ranks are in different ones.
   */
  public Reduction<V> inAnyOrder() {
    return new Reduction<>(op, tree, true);
  }

  boolean isInAnyOrder() {
    return inAnyOrder;
  }

  /** Returns the operation. */
  public Op<V> op() {
    return op;
  }

  /** Returns whether values are combined in a binomial tree. */
  public boolean isTree() {
    return tree;
  }

  /** Combines values in their order. */
  public V combined(List<V> values) {
    return tree ? pairwise(values) : values.stream().reduce(op).orElseThrow();
  }

  /**
   * Combines neighbours, then neighbouring pairs; rounding errors grow with the depth of the tree.
   */
  private V pairwise(List<V> values) {
    if (values.size() == 1) {
      return values.getFirst();
    }
    var half = Integer.highestOneBit(values.size() - 1);
    return op.apply(
        pairwise(values.subList(0, half)), pairwise(values.subList(half, values.size())));
  }
}
