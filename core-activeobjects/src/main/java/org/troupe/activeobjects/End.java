package org.troupe.activeobjects;

import java.util.Objects;
import java.util.Optional;

/**
 * How an active object ended, as {@link Ref#end} reports it. Immutable; may travel to other nodes.
 *
 * @param how whether it was terminated, has failed, is lost, or was collected
 * @param why a sentence that names the object and the reason
 * @param exitReport the report on the process whose end the object did not survive; empty if there
 *     is none
 */
public record End(How how, String why, Optional<ExitReport> exitReport) {

  /** The kinds of ends. */
  public enum How {
    /** It was {@linkplain Ref#terminate terminated}, or its service loop has returned. */
    TERMINATED,
    /** The object failed, or an object that it was {@linkplain Ref#linkTo linked} to did. */
    FAILED,
    /** Its node has died, has left the grid, or cannot be reached any more. */
    LOST,
    /** Nothing in the grid referred to the object any more. */
    COLLECTED
  }

  /** Checks that nothing is missing. */
  public End {
    Objects.requireNonNull(how, "how");
    Objects.requireNonNull(why, "why");
    Objects.requireNonNull(exitReport, "exitReport");
  }

  /** Returns an end for which there is no exit report. */
  public static End of(How how, String why) {
    return new End(how, why, Optional.empty());
  }

  /** Returns the sentence. */
  @Override
  public String toString() {
    return why;
  }
}
