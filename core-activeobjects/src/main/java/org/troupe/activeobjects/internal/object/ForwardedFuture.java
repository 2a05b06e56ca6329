package org.troupe.activeobjects.internal.object;

import org.jspecify.annotations.Nullable;
import org.troupe.futures.FutureResult;

/**
 * A future received from another body or node: completes with the value that its origin will send.
 */
public final class ForwardedFuture extends FutureResult<Object> {

  private final String description;

  /** The future of this JVM that it was received from, or {@code null}. */
  public final @Nullable FutureResult<?> source;

  /** The node that will send the value, or {@code null}. */
  public final @Nullable RemoteNode origin;

  public final long id;

  /** Creates a holder of a future of this JVM. */
  public ForwardedFuture(NodeObjects node, FutureResult<?> source) {
    super(node.waiting());
    this.description = source.describe();
    this.source = source;
    this.origin = null;
    this.id = 0;
  }

  /** Creates a holder of a future of another node, which identifies it by the id. */
  public ForwardedFuture(NodeObjects node, RemoteNode origin, long id, String description) {
    super(node.waiting());
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
