package org.troupe.activeobjects.internal.object;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
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

  /**
   * The context of the call that computes the value, for an observer; {@code null} if not known.
   */
  final byte @Nullable [] context;

  /** Creates a holder of a future of this JVM. */
  public ForwardedFuture(NodeObjects node, FutureResult<?> source) {
    super(node.waiting());
    this.description = source.describe();
    this.source = source;
    this.origin = null;
    this.id = 0;
    this.context = ObserverBinding.isBound() ? ObservedCall.contextOf(source) : null;
  }

  /** Creates a holder of a future of another node, which identifies it by the id. */
  public ForwardedFuture(
      NodeObjects node, RemoteNode origin, long id, String description, byte @Nullable [] context) {
    super(node.waiting());
    this.description = description;
    this.source = null;
    this.origin = origin;
    this.id = id;
    this.context = context;
  }

  @Override
  public String describe() {
    return description;
  }
}
