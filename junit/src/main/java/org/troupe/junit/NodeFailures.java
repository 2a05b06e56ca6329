package org.troupe.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.hosting.MiddlewareObject;

/**
 * An active object in each JVM of a test that keeps the failures of the calls of that JVM which no
 * caller can observe, until the test asks for them.
 */
class NodeFailures implements MiddlewareObject {

  /** The number of texts for a failure: the call, the class of its exception, and its message. */
  static final int TEXTS = 3;

  private final ConcurrentLinkedQueue<String[]> failures;

  NodeFailures() {
    var queue = new ConcurrentLinkedQueue<String[]>();
    failures = queue;
    ActiveObjects.onFailure(
        failure ->
            queue.add(
                new String[] {
                  failure.call(),
                  failure.cause().getClass().getName(),
                  String.valueOf(failure.cause().getMessage())
                }));
  }

  /** Removes all failures and returns them, {@link #TEXTS} texts each. */
  public String[] takeAll() {
    var texts = new ArrayList<String>();
    for (var failure = failures.poll(); failure != null; failure = failures.poll()) {
      texts.addAll(List.of(failure));
    }
    return texts.toArray(String[]::new);
  }
}
