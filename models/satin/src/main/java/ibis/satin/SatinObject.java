package ibis.satin;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The superclass of classes that spawn. In a program that is not woven, a spawn is a call, and
 * {@code sync} and {@code abort} do nothing.
 */
public class SatinObject implements Serializable {

  private static final long serialVersionUID = 1;

  /** For subclasses. */
  protected SatinObject() {}

  /**
   * Waits for all jobs that the calling method has spawned, in this activation of it, and stores
   * their results.
   */
  public void sync() {}

  /** Ends all unfinished jobs that the calling method has spawned, in this activation of it. */
  public void abort() {}

  /** Stops stealing by this node, and from it, until {@link #resume}. */
  public static void pause() {}

  /** Ends {@link #pause}. */
  public static void resume() {}

  /** Returns whether more jobs are worth spawning; in a program that is not woven, never. */
  public static boolean needMoreJobs() {
    return false;
  }

  /** Returns whether the current job was spawned by this node. */
  public static boolean localJob() {
    return true;
  }

  /**
   * Returns a copy of an object and of all that it refers to.
   *
   * @throws IllegalArgumentException if a part of it is not serializable
   */
  public static @Nullable Serializable deepCopy(@Nullable Serializable original) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(original);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "deepCopy: cannot copy '%s': %s"
              .formatted(original == null ? null : original.getClass().getName(), e),
          e);
    }
    try (var in = new Copies(bytes.toByteArray(), original)) {
      return (Serializable) in.readObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("deepCopy: " + e.getMessage(), e);
    }
  }

  /** Finds the classes of a copy by the loader of the original. */
  private static final class Copies extends ObjectInputStream {

    private final @Nullable ClassLoader loader;

    Copies(byte[] bytes, @Nullable Serializable original) throws IOException {
      super(new ByteArrayInputStream(bytes));
      this.loader = original == null ? null : original.getClass().getClassLoader();
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, loader);
      } catch (ClassNotFoundException _) {
        return super.resolveClass(description); // primitive types, and classes of other loaders
      }
    }
  }
}
