package org.troupe.activeobjects.internal.object;

/**
 * An object of another node, for as long as something in this JVM refers to it. All references to
 * the object, and all messages that name it and are not decoded, share this one; when it has become
 * unreachable, the node drops its copies.
 */
public final class RemoteObject {

  private final RemoteObjects.Entry entry;

  RemoteObject(RemoteObjects.Entry entry) {
    this.entry = entry;
  }

  /** Counts a copy that a node of this JVM is about to send to another. */
  public void given(NodeObjects giver, long receiver) {
    entry.given(this, giver, receiver);
  }
}
