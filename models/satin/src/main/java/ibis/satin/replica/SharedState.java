package ibis.satin.replica;

import ibis.satin.SharedObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/** The state of a shared object as bytes, by Java serialization, as its class may define it. */
final class SharedState {

  /** The object whose state, not whose name, is to be written. */
  private static final ThreadLocal<SharedObject> WRITTEN = new ThreadLocal<>();

  private SharedState() {}

  /**
   * Returns whether the current thread writes the state of an object.
   *
   * @throws IllegalArgumentException if it writes that of another one, which holds this object
   */
  static boolean isWritten(SharedObject object) {
    SharedObject outer = WRITTEN.get();
    if (outer != null && outer != object) {
      throw new IllegalArgumentException(
          "shared object %s holds shared object %s, but its state must be a value; make them separate parameters of the spawn"
              .formatted(outer.getClass().getName(), object.getClass().getName()));
    }
    return outer == object;
  }

  /**
   * Writes the state of an object.
   *
   * @throws IllegalArgumentException if a part of it cannot be serialized
   */
  static byte[] write(SharedObject object) {
    WRITTEN.set(object);
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "shared object %s cannot be copied to other nodes: %s; make its state serializable"
              .formatted(object.getClass().getName(), e),
          e);
    } finally {
      WRITTEN.remove();
    }
    return bytes.toByteArray();
  }

  static SharedObject read(byte[] state) {
    try (var in = new ProgramObjects(state)) {
      return (SharedObject) in.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("a shared object cannot be read: " + e, e);
    }
  }

  private static final class ProgramObjects extends ObjectInputStream {

    ProgramObjects(byte[] state) throws IOException {
      super(new ByteArrayInputStream(state));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(
            description.getName(), false, Thread.currentThread().getContextClassLoader());
      } catch (ClassNotFoundException _) {
        return super.resolveClass(description); // primitive types
      }
    }
  }
}
