package ibis.satin.impl;

import ibis.satin.SharedObject;
import org.jspecify.annotations.Nullable;

/** A write of a shared object that is under way. */
public final class SharedWrite {

  private SharedWrite() {}

  /**
   * Begins a write.
   *
   * @return {@code null} if it is a part of another write of this thread, or has nobody to go to
   */
  public static @Nullable SharedWrite begin(
      SharedObject object, String method, String descriptor, Object[] arguments) {
    return null;
  }

  /** Ends a write: sends it to the other replicas. */
  public static void end(@Nullable SharedWrite write) {}

  /** Exports an object from a woven program. */
  public static void exportObject(SharedObject object) {
    object.exportObject();
  }
}
