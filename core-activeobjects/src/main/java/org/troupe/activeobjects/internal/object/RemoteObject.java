package org.troupe.activeobjects.internal.object;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.Body;

/**
 * An object of another node, for as long as something in this JVM refers to it. All references to
 * the object, and all messages that name it and are not decoded, share this one; when it has become
 * unreachable, the node drops its copies.
 */
public final class RemoteObject implements CopyCount {

  private final RemoteObjects.Entry entry;
  private volatile @Nullable Body guest; // its body, which exists as long as this does

  RemoteObject(RemoteObjects.Entry entry) {
    this.entry = entry;
  }

  @Override
  public void given(NodeObjects giver, long receiver) {
    entry.given(this, giver, receiver);
  }

  @Override
  public void arrived(Body body) {
    guest = body;
    entry.arrived(this);
  }

  @Override
  public void left(Body body) {
    if (guest == body) {
      guest = null;
      entry.left();
    }
  }

  @Override
  public void used() {
    entry.used(this);
  }
}
