package org.troupe.groups;

import java.io.Serializable;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * How answers are combined to one. Immutable; travels to where the answers are.
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

  /** One answer after the other, in rank order: those of a JVM there, then those of the JVMs. */
  public static <V> Reduction<V> flat(Op<V> op) {
    return new Reduction<>(op, false, false);
  }

  /**
   * In pairs, then pairs of pairs, as a binomial tree: those of a JVM there, then between the JVMs,
   * so that only the first of them, if they are more than two, sends anything to the caller.
   */
  public static <V> Reduction<V> tree(Op<V> op) {
    return new Reduction<>(op, true, false);
  }

  /**
   * The same where the order does not matter either, so that answers are combined in each JVM also
   * where members with neighbouring ranks live in different ones.
   */
  public Reduction<V> inAnyOrder() {
    return new Reduction<>(op, tree, true);
  }

  boolean isInAnyOrder() {
    return inAnyOrder;
  }

  public Op<V> op() {
    return op;
  }

  public boolean isTree() {
    return tree;
  }

  /** Combines values, in their order. */
  public V combined(List<V> values) {
    return tree ? pairwise(values) : values.stream().reduce(op).orElseThrow();
  }

  /** Neighbours first, then neighbouring pairs: rounding errors grow with the depth of the tree. */
  private V pairwise(List<V> values) {
    if (values.size() == 1) {
      return values.getFirst();
    }
    var half = Integer.highestOneBit(values.size() - 1);
    return op.apply(
        pairwise(values.subList(0, half)), pairwise(values.subList(half, values.size())));
  }
}
