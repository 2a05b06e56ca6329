package org.troupe.serialization.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntSupplier;
import org.troupe.serialization.Encoded;
import org.troupe.serialization.Limits;
import org.troupe.serialization.Resolver;
import org.troupe.serialization.Substitution;

/** The same service by {@code java.io} serialization. */
public final class JavaIo {

  /** Stands in the stream for an element of the side table. */
  private record Aside(int index) implements Serializable {}

  private JavaIo() {}

  /** Encodes roots with what they share. */
  public static Encoded encode(Limits limits, Substitution substitution, Object... roots) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Output out = new Output(bytes, substitution)) {
      out.writeInt(roots.length);
      for (Object root : roots) {
        out.writeObject(root);
      }
      out.flush();
      if (bytes.size() > limits.maxBytes()) {
        throw new Failure(
            "the encoded form has %d bytes, but the limit is %d; send it in parts, or raise maxBytes"
                .formatted(bytes.size(), limits.maxBytes()));
      }
      return new Encoded(bytes.toByteArray(), new int[0], Collections.unmodifiableList(out.side));
    } catch (NotSerializableException e) {
      throw new Failure(
          "class '%s' is not Serializable, which the format JAVA_IO requires; implement it, or use the format GENERATED"
              .formatted(e.getMessage()),
          e);
    } catch (StackOverflowError e) {
      throw new Failure(
          "the graph is too deep for java.io serialization; use the format GENERATED", e);
    } catch (IOException | RuntimeException e) {
      throw Failure.of(e);
    }
  }

  /** Decodes all roots. */
  public static Object[] decode(Encoded body, Names names, Limits limits, Resolver resolver) {
    if (body.bytes().length > limits.maxBytes()) {
      throw new Failure(
          "it has %d bytes, but the limit is %d; send it in parts, or raise maxBytes"
              .formatted(body.bytes().length, limits.maxBytes()));
    }
    InputStream bytes = new ByteArrayInputStream(body.bytes());
    try (Input in = new Input(bytes, body, names, limits, resolver)) {
      int count = in.readInt();
      if (count < 0 || count > body.bytes().length) {
        throw new Failure("there cannot be %d roots; the bytes are damaged".formatted(count));
      }
      Object[] roots = new Object[count];
      for (int i = 0; i < count; i++) {
        roots[i] = in.readObject();
      }
      return roots;
    } catch (IOException
        | ClassNotFoundException
        | RuntimeException
        | LinkageError
        | StackOverflowError e) {
      throw Failure.of(e);
    }
  }

  /**
   * Opens a stream that makes only objects whose classes are allowed, within the limits.
   *
   * @param size how many bytes there are at most for what is being read
   */
  public static ObjectInputStream open(InputStream in, Names names, Limits limits, IntSupplier size)
      throws IOException {
    return new Stream(in, names, limits, size);
  }

  private static final class Stream extends ObjectInputStream {

    private final Names names;

    Stream(InputStream in, Names names, Limits limits, IntSupplier size) throws IOException {
      super(in);
      this.names = names;
      setObjectInputFilter(info -> withinLimits(info, limits, size.getAsInt()));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) {
      try {
        return names.streamed(description.getName());
      } catch (Failure f) {
        throw f.toException("cannot decode");
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) {
      try {
        return names.proxyClass(List.of(interfaces));
      } catch (Failure f) {
        throw f.toException("cannot decode");
      }
    }
  }

  private static ObjectInputFilter.Status withinLimits(
      ObjectInputFilter.FilterInfo info, Limits limits, int size) {
    // Hash tables are asked for with room to spare.
    boolean tooLarge = info.arrayLength() > Math.min(limits.maxArrayLength(), 16 + 2L * size);
    boolean tooMany = info.depth() > limits.maxDepth() || info.references() > limits.maxObjects();
    return tooLarge || tooMany
        ? ObjectInputFilter.Status.REJECTED
        : ObjectInputFilter.Status.ALLOWED;
  }

  private static final class Output extends ObjectOutputStream {

    private final Substitution substitution;
    private final List<Object> side = new ArrayList<>();
    private final Handles asked = new Handles();

    Output(OutputStream out, Substitution substitution) throws IOException {
      super(out);
      this.substitution = substitution;
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      if (object == null || object instanceof Aside || Values.isPlatformValue(object.getClass())) {
        return object;
      }
      int known = asked.find(object);
      if (known == Handles.NONE) {
        Object token = substitution.tokenFor(object);
        known = token == null ? -1 : side.size();
        if (token != null) {
          side.add(token);
        }
        asked.put(object, known);
      }
      return known < 0 ? object : new Aside(known);
    }
  }

  private static final class Input extends ObjectInputStream {

    private static final Object UNREAD = new Object();

    private final Names names;
    private final Resolver resolver;
    private final List<Object> tokens;
    private final Object[] sideObjects;

    Input(InputStream in, Encoded body, Names names, Limits limits, Resolver resolver)
        throws IOException {
      super(in);
      this.names = names;
      this.resolver = resolver;
      this.tokens = body.side();
      this.sideObjects = new Object[tokens.size()];
      Arrays.fill(sideObjects, UNREAD);
      enableResolveObject(true);
      int size = body.bytes().length;
      setObjectInputFilter(info -> withinLimits(info, limits, size));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) {
      String name = description.getName();
      return name.equals(Aside.class.getName()) ? Aside.class : names.streamed(name);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) {
      return names.proxyClass(List.of(interfaces));
    }

    @Override
    protected Object resolveObject(Object object) {
      if (!(object instanceof Aside(int index))) {
        return object;
      }
      if (index < 0 || index >= sideObjects.length) {
        throw new Failure(
            "a reference to element %d of a side table of %d; the bytes are damaged"
                .formatted(index, sideObjects.length));
      }
      if (sideObjects[index] == UNREAD) {
        sideObjects[index] = resolver.objectFor(tokens.get(index));
      }
      return sideObjects[index];
    }
  }
}
