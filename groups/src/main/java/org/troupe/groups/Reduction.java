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

  private Reduction(Op<V> op, boolean tree) {
    this.op = op;
    this.tree = tree;
  }

  /** An associative operation, which need not be commutative. */
  @FunctionalInterface
  public interface Op<V> extends BinaryOperator<V>, Serializable {}

  /** The answers of each JVM are combined there, and those of the JVMs at the caller. */
  public static <V> Reduction<V> flat(Op<V> op) {
    return new Reduction<>(op, false);
  }

  /** The answers of each JVM are combined there, and those of the JVMs pairwise, in a tree. */
  public static <V> Reduction<V> tree(Op<V> op) {
    return new Reduction<>(op, true);
  }

  Op<V> op() {
    return op;
  }

  boolean isTree() {
    return tree;
  }

  V combined(List<V> answers) {
    return answers.stream().reduce(op).orElseThrow();
  }
}
