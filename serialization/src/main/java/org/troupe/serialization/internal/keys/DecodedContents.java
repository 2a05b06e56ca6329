package org.troupe.serialization.internal.keys;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The objects that were read into objects whose own fields are closed, by identity. */
public final class DecodedContents {

  private @Nullable Map<Object, List<Object>> byOwner; // null while there are none

  /** Forgets all objects. */
  public void forget() {
    byOwner = null;
  }

  /** Returns the objects that were read into one, or null if they were not recorded. */
  @Nullable List<Object> of(@Nullable Object owner) {
    return byOwner == null ? null : byOwner.get(owner);
  }

  void put(@Nullable Object owner, List<Object> content) {
    if (byOwner == null) {
      byOwner = new IdentityHashMap<>();
    }
    byOwner.put(owner, content);
  }

  @Nullable List<Object> remove(@Nullable Object owner) {
    return byOwner == null ? null : byOwner.remove(owner);
  }

  void putIfAbsent(Object owner, List<Object> content) {
    if (of(owner) == null) {
      put(owner, content);
    }
  }
}
