package org.troupe.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.FailureHandler.CallFailure;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.hosting.GridMember;

/** The nodes of one test, and the failures that no caller could observe. */
abstract sealed class TestGrid permits InProcessTestGrid, ProcessTestGrid {

  private final LinkedBlockingQueue<CallFailure> failures = new LinkedBlockingQueue<>();

  TestGrid() {
    ActiveObjects.onFailure(failures::add);
  }

  abstract Nodes nodes();

  /** Returns what the test may have as a parameter besides the nodes. */
  abstract Object handle();

  /** Returns the member of this JVM that knows the nodes. */
  abstract GridMember member();

  /** Returns the nodes that are alive, and the one of this JVM. */
  abstract List<Node> members();

  /** Fetches the failures of other JVMs, and passes each to {@link #report}. */
  abstract void collect();

  final void report(CallFailure failure) {
    failures.add(failure);
  }

  /** Removes the oldest failure and returns it; {@code null} if there is none. */
  final @Nullable CallFailure nextFailure() {
    collect();
    return failures.poll();
  }

  /** Removes all failures and returns them. */
  final List<CallFailure> takeFailures() {
    collect();
    var all = new ArrayList<CallFailure>();
    failures.drainTo(all);
    return all;
  }

  /** Returns a line for each active object that has requests. */
  abstract List<String> busyObjects();

  /** Returns what all active objects wait for, the stacks of all threads, and more. */
  abstract String state();

  /**
   * Ends all nodes.
   *
   * @return a line for each thing that remains nevertheless
   */
  final List<String> end() {
    var left = close();
    ActiveObjects.onFailure(null);
    return left;
  }

  /** Ends all nodes as {@link #end} does. */
  abstract List<String> close();
}
