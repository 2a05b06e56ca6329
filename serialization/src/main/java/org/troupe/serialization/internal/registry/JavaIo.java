package org.troupe.serialization.internal.registry;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.util.List;
import java.util.function.IntSupplier;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.internal.classes.CodecFailure;

/** Streams of {@code java.io} serialization, within the filter and the limits. */
public final class JavaIo {

  private JavaIo() {}

  /**
   * Opens a stream that makes only objects whose classes are allowed, within the limits.
   *
   * @param size returns the largest possible number of bytes of the message being read
   */
  public static ObjectInputStream open(
      InputStream in, ClassResolver names, GraphLimits limits, IntSupplier size)
      throws IOException {
    return new Stream(in, names, limits, size);
  }

  private static final class Stream extends ObjectInputStream {

    private final ClassResolver names;

    Stream(InputStream in, ClassResolver names, GraphLimits limits, IntSupplier size)
        throws IOException {
      super(in);
      this.names = names;
      setObjectInputFilter(info -> withinLimits(info, limits, size.getAsInt()));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) {
      try {
        return names.streamed(description.getName());
      } catch (CodecFailure f) {
        throw f.toException("cannot decode");
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) {
      try {
        return names.proxyClass(List.of(interfaces));
      } catch (CodecFailure f) {
        throw f.toException("cannot decode");
      }
    }
  }

  private static ObjectInputFilter.Status withinLimits(
      ObjectInputFilter.FilterInfo info, GraphLimits limits, int size) {
    // Hash tables are asked for with room to spare.
    boolean tooLarge = info.arrayLength() > Math.min(limits.maxArrayLength(), 16 + 2L * size);
    boolean tooMany = info.depth() > limits.maxDepth() || info.references() > limits.maxObjects();
    return tooLarge || tooMany
        ? ObjectInputFilter.Status.REJECTED
        : ObjectInputFilter.Status.ALLOWED;
  }
}
