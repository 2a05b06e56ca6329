package org.troupe.activeobjects.internal.object;

import java.util.Map;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.internal.replay.LoggedObject;

/**
 * Lets called objects forget the logged callers that have ended on the node of their birth, which
 * they have never left.
 */
public interface CallerEnds {

  /** Notes that a caller ends, and which of its calls are reported as taken from now on. */
  void begins(ObjectIdentity caller);

  /**
   * Handles the end of a caller, which will not be made again.
   *
   * @param calls the last one to each object; empty if the objects are not to forget the caller
   */
  void ended(ObjectIdentity caller, Map<ObjectIdentity, LoggedObject.LastCall> calls);

  /** Handles the news that an object will not need calls of a caller up to a number again. */
  void taken(ObjectIdentity object, CallOrigin caller, long upTo);
}
