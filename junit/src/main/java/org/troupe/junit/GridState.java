package org.troupe.junit;

/** Carries the waits and stacks of a grid beside the exception of a test that has failed. */
final class GridState extends RuntimeException {

  private static final long serialVersionUID = 1;

  GridState(String state) {
    super("the nodes of the test, when it failed:\n" + state, null, false, false);
  }
}
