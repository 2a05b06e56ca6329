package org.troupe.serialization.internal.coder;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.CodecFailure;

/** The slots of one message that refer to objects which do not exist yet. */
final class ForwardReferences {

  private record Slot(Codec codec, Object owner, int index) {}

  private final Map<Integer, List<Slot>> slots = new HashMap<>(); // by handle of the object

  /** Adds a slot that refers to the object of a handle. */
  void add(int handle, Codec codec, Object owner, int slot) {
    slots.computeIfAbsent(handle, h -> new ArrayList<>()).add(new Slot(codec, owner, slot));
  }

  /** Fills the slots that refer to an object, which exists now. */
  void fill(int handle, @Nullable Object object) throws Throwable {
    List<Slot> waiting = slots.remove(handle);
    if (waiting == null || object == null) {
      return;
    }
    for (Slot slot : waiting) {
      Class<?> type = slot.codec.slotType(slot.index);
      if (!type.isInstance(object)) {
        throw new CodecFailure(
            "an object of type '%s' came for '%s' of type '%s'; sender and receiver must agree"
                .formatted(
                    object.getClass().getName(), slot.codec.segment(slot.index), type.getName()));
      }
      slot.codec.fill(slot.owner, slot.index, object);
    }
  }
}
