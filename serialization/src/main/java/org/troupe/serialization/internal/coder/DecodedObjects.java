package org.troupe.serialization.internal.coder;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.CodecFailure;

/** The objects that a decoder has begun to read, by handle, and the references to them. */
final class DecodedObjects {

  private static final int FIRST = 16;

  /** The largest tables that are kept for the next decoding. */
  private static final int LARGEST_KEPT = 1 << 14;

  private final int maxObjects;

  /** Null where an object does not exist before its content is read. */
  private Object[] objects = new Object[FIRST];

  /** Whether the content of an object has been read completely. */
  private boolean[] complete = new boolean[FIRST];

  private int nextHandle;

  /** The handle up to which the tables suffice and the limit permits objects. */
  private int room;

  private int openReferences;
  private int forwardReferenceCount;
  private @Nullable ForwardReferences forwardReferences; // null while there are none

  DecodedObjects(int maxObjects) {
    this.maxObjects = maxObjects;
  }

  /** Forgets all objects, but keeps the tables. */
  void reset() {
    if (objects.length > LARGEST_KEPT) {
      objects = new Object[FIRST];
      complete = new boolean[FIRST];
      room = 0;
    } else {
      Arrays.fill(objects, 0, nextHandle, null);
    }
    nextHandle = 0;
    openReferences = 0;
    forwardReferenceCount = 0;
    forwardReferences = null;
  }

  /** Keeps the objects for the next call, if {@link ArgumentReuse} permits it. */
  void keep(ArgumentReuse reuse, boolean shares, boolean hasForeignObjects) {
    Object[] free = reuse.exchange(objects, nextHandle, shares, hasForeignObjects);
    if (free == null) {
      return;
    }
    Arrays.fill(free, null);
    objects = free;
    complete = free.length == complete.length ? complete : new boolean[free.length];
    room = 0;
    nextHandle = 0;
  }

  /** Returns the handle that the next object will have. */
  int nextHandle() {
    return nextHandle;
  }

  /** Returns the handle of the next object, which is incomplete. */
  int newHandle() {
    int handle = nextHandle;
    if (handle >= room) {
      grow();
    }
    complete[handle] = false;
    nextHandle = handle + 1;
    return handle;
  }

  private void grow() {
    if (nextHandle >= maxObjects) {
      throw new CodecFailure(
          "it has more than %d objects, which is the limit; raise maxObjects if that is meant"
              .formatted(maxObjects));
    }
    if (nextHandle == objects.length) {
      // The flags first: if there is no memory for both, every object still has one.
      complete = Arrays.copyOf(complete, 2 * nextHandle);
      objects = Arrays.copyOf(objects, 2 * nextHandle);
    }
    room = Math.min(objects.length, maxObjects);
  }

  /** Registers an object, so that references read later can refer to it. */
  void register(int handle, @Nullable Object object) throws Throwable {
    objects[handle] = object;
    if (forwardReferences != null) {
      forwardReferences.fill(handle, object);
    }
  }

  /** Declares that the content of an object has been read. */
  void complete(int handle) {
    complete[handle] = true;
  }

  /** Declares that the content of an object has been read, which may have become another one. */
  void complete(int handle, @Nullable Object object) throws Throwable {
    complete[handle] = true;
    if (objects[handle] != object) {
      register(handle, object);
    }
  }

  /** Adds an object that refers to nothing. */
  void add(Object object) {
    int handle = newHandle();
    objects[handle] = object;
    complete[handle] = true;
  }

  /**
   * Returns the object to which a slot of an owner refers, or null if the slot will be filled when
   * that object exists.
   *
   * @param owner null if its slots cannot be filled later
   */
  @Nullable Object find(int handle, @Nullable Codec codec, @Nullable Object owner, int slot) {
    if (handle < 0 || handle >= nextHandle) {
      throw new CodecFailure(
          "a reference to object %d, of which only %d are known; the bytes are damaged"
              .formatted(handle, nextHandle));
    }
    Object object = objects[handle];
    if (!complete[handle]) {
      openReferences++;
    }
    if (object == null) {
      if (owner == null || codec == null) {
        throw new CodecFailure(
            "a cycle leads through a record, an immutable collection or a hook that needs it complete beforehand; "
                + "break the cycle, or use an ordinary class or list for one of its parts");
      }
      forwardReferenceCount++;
      if (forwardReferences == null) {
        forwardReferences = new ForwardReferences();
      }
      forwardReferences.add(handle, codec, owner, slot);
    }
    return object;
  }

  /** Returns the number of references so far to objects whose content is incomplete. */
  int openReferences() {
    return openReferences;
  }

  /** Returns the number of references so far to objects that did not exist yet. */
  int forwardReferenceCount() {
    return forwardReferenceCount;
  }
}
