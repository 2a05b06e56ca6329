package ibis.ipl.internal.registry;

import ibis.ipl.Credentials;
import ibis.ipl.internal.message.ObjectStreams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deserializes credentials of the classes that a policy names; does not even resolve other classes.
 */
final class CredentialsReader extends ObjectInputStream {

  private static final Set<Class<?>> VALUES =
      Set.of(
          String.class,
          Number.class,
          Boolean.class,
          Byte.class,
          Character.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          boolean[].class,
          byte[].class,
          char[].class,
          short[].class,
          int[].class,
          long[].class,
          float[].class,
          double[].class,
          String[].class);

  private static final int MOST_OBJECTS = 1_000;
  private static final int DEEPEST = 20;
  private static final int LONGEST_ARRAY = 1 << 16;

  private final Map<String, Class<?>> allowed;

  private CredentialsReader(byte[] encoded, Set<Class<?>> types) throws IOException {
    super(new ByteArrayInputStream(encoded));
    allowed =
        Stream.concat(VALUES.stream(), types.stream())
            .collect(Collectors.toMap(Class::getName, Function.identity(), (one, _) -> one));
    setObjectInputFilter(this::filter);
  }

  /**
   * Reads the credentials of a member.
   *
   * @param encoded the serialized credentials; {@code null} for none
   * @param types the permitted types; {@code null} for all that members may send to each other
   * @throws JoinRefusedException if they hold a type that the policy does not name, or cannot be
   *     read
   */
  static @Nullable Credentials read(byte @Nullable [] encoded, @Nullable Set<Class<?>> types)
      throws JoinRefusedException {
    if (encoded == null) {
      return null;
    }
    try (ObjectInputStream in =
        types == null
            ? ObjectStreams.serializer(null)
                .objectInput(new ByteArrayInputStream(encoded), () -> encoded.length)
            : new CredentialsReader(encoded, types)) {
      return (Credentials) in.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      throw new JoinRefusedException(
          "the credentials cannot be read ("
              + e.getMessage()
              + "); the server needs their classes on its class path, and its policy has to name them"
              + " if it has credentialTypes()");
    }
  }

  private Status filter(ObjectInputFilter.FilterInfo info) {
    if (info.depth() > DEEPEST
        || info.references() > MOST_OBJECTS
        || info.arrayLength() > LONGEST_ARRAY) {
      return Status.REJECTED;
    }
    Class<?> type = info.serialClass();
    return type == null || allowed.get(type.getName()) == type ? Status.ALLOWED : Status.REJECTED;
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass description) throws IOException {
    Class<?> type = allowed.get(description.getName());
    if (type == null) {
      throw new InvalidClassException(description.getName(), "not named by the policy");
    }
    return type;
  }

  @Override
  protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
    throw new InvalidClassException(Proxy.class.getName(), "not named by the policy");
  }
}
