package org.troupe.activeobjects.internal.peer;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.marshal.Payload;

/** Takes messages for another node. */
interface MessageSink {

  /**
   * Sends a message; does nothing if the node is lost.
   *
   * @param callId the call that it is about, or 0
   * @param payload the body of its frame, or {@code null}
   */
  void send(long callId, Message message, @Nullable Payload payload);

  /** Returns why the node is lost, or {@code null}. */
  @Nullable NodeLostException lost();
}
