package org.troupe.groups.internal;

import java.util.List;
import java.util.ServiceLoader;
import org.troupe.activeobjects.Node;

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
