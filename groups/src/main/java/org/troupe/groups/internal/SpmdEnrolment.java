package org.troupe.groups.internal;

import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;

/**
 * Makes objects members of an SPMD group. {@code Groups} calls it, and the package {@code spmd},
 * which stands above {@code Groups}, implements it as a service.
 */
public interface SpmdEnrolment {

  /**
   * Makes newly created objects the members of a group; waits until all of them are.
   *
   * @param members stubs, by rank
   * @param nodes the node of each member
   */
  void enrol(List<?> members, List<Node> nodes);

  /**
   * Makes existing objects the members of a group; waits until all of them are.
   *
   * @param members stubs, by rank
   */
  void enrol(List<?> members);

  /**
   * Makes a checkpoint of a group, at each member in its turn.
   *
   * @param type the class or interface of the members
   * @param members references, by rank
   * @param made makes the result of the number of the generation
   */
  <C> CompletableFuture<C> checkpoint(
      Class<?> type, List<? extends Ref<?>> members, Store store, LongFunction<C> made);

  /**
   * Makes a group again from its last checkpoint in a store; waits until all members serve.
   *
   * @param first a node, to look into the store
   * @param placement gives the node of each of a number of members
   * @return the stubs of the members, by rank; empty if the store has no checkpoint
   */
  List<Object> restore(
      Class<?> type, Store store, Options options, Node first, IntFunction<List<Node>> placement);

  /** Returns the implementation. */
  static SpmdEnrolment provider() {
    return Holder.PROVIDER;
  }

  /** Loads the implementation on first use. */
  final class Holder {

    private static final SpmdEnrolment PROVIDER =
        ServiceLoader.load(SpmdEnrolment.class, SpmdEnrolment.class.getClassLoader())
            .findFirst()
            .orElseThrow();

    private Holder() {}
  }
}
