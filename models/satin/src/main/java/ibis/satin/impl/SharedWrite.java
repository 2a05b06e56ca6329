package ibis.satin.impl;

import ibis.satin.SharedObject;
import ibis.satin.replica.SharedReplicas;
import org.jspecify.annotations.Nullable;

/** A write of a shared object that is under way. */
public final class SharedWrite {

  private static final SharedWrite OUTERMOST = new SharedWrite();

  private SharedWrite() {}

  /**
   * Begins a write, and sends it to the other replicas.
   *
   * @return {@code null} if it is a part of another write of this thread, or there are no others
   */
  public static @Nullable SharedWrite begin(
      SharedObject object, String method, String descriptor, Object[] arguments) {
    return SharedReplicas.here().beginWrite(object, method, descriptor, arguments)
        ? OUTERMOST
        : null;
  }

  /** Ends a write. */
  public static void end(@Nullable SharedWrite write) {
    if (write != null) {
      SharedReplicas.here().endWrite();
    }
  }

  /** Exports an object: sends it to all nodes. */
  public static void exportObject(SharedObject object) {
    object.exportObject();
    SharedReplicas.here().share(object, true);
  }

  /** Returns what is encoded in place of a shared object. */
  public static Object replace(SharedObject object) {
    return SharedReplicas.here().replace(object);
  }
}
