package org.troupe.activeobjects.internal;

import org.troupe.futures.FutureResult;

/** A future that came from elsewhere: waits for the value that its origin will send. */
final class Holder extends FutureResult<Object> {

  private final String description;

  /** Where it came from within this JVM, or {@code null}. */
  final FutureResult<?> source;

  /** The node that owes the value, or {@code null}. */
  final Peer origin;

  final long id;

  /** A holder of a future of this JVM. */
  Holder(NodeRuntime node, FutureResult<?> source) {
    super(node);
    this.description = source.describe();
    this.source = source;
    this.origin = null;
    this.id = 0;
  }

  /** A holder of a future of another node, which knows it by the id. */
  Holder(NodeRuntime node, Peer origin, long id, String description) {
    super(node);
    this.description = description;
    this.source = null;
    this.origin = origin;
    this.id = id;
  }

  @Override
  public String describe() {
    return description;
  }
}
