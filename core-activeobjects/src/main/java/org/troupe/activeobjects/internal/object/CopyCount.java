package org.troupe.activeobjects.internal.object;

import org.troupe.activeobjects.internal.body.Body;

/**
 * The count of the copies of references to an object that has moved, on one of the nodes that it
 * has been on. Its bodies there hold it.
 */
public sealed interface CopyCount permits RemoteObject, ExportedBody {

  /** Counts a copy that a node of this JVM is about to send to another. */
  void given(NodeObjects giver, long receiver);

  /** Lets the node hold the object, which has come to a body of it, until it is released. */
  void arrived(Body body);

  /** Records that the object has left a body of this node, or has ended in it. */
  void left(Body body);

  /** Holds the object again if it is here, since this node sends it a message by way of others. */
  void used();
}
