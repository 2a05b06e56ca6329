package org.troupe.activeobjects.internal.marshal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A failure in transit, between nodes or between the caller and the callee on one node.
 *
 * @param summary type, message and trace, which are always available
 * @param exception the encoded exception, or {@code null} if it cannot be encoded
 */
public record EncodedFailure(FailureSummary summary, @Nullable Payload exception) {

  /** Returns the side table of the encoded exception. */
  public List<Object> side() {
    return exception == null ? List.of() : exception.values().side();
  }
}
