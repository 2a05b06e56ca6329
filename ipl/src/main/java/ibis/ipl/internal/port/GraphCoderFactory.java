package ibis.ipl.internal.port;

import ibis.io.Replacer;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.internal.message.AllowedClasses;
import ibis.ipl.internal.message.GraphDecoder;
import ibis.ipl.internal.message.GraphEncoder;
import ibis.ipl.internal.message.SerializationKind;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.graph.Serializer;

/** Creates the encoders and decoders of the objects in messages of one instance. */
final class GraphCoderFactory {

  private static final String REPLACER = "ibis.serialization.replacer";

  private final Serializer serializer =
      Serializer.builder().superclassesAsJava().allow(new AllowedClasses()).build();

  /** Returns a new encoder; {@code null} if messages of this kind hold no objects. */
  @Nullable GraphEncoder encoder(SerializationKind kind, Properties properties) {
    if (!kind.hasObjects()) {
      return null;
    }
    Replacer replacer = replacer(properties.getProperty(REPLACER));
    if (kind == SerializationKind.SUN) {
      return new GraphEncoder.Streamed(replacer == null ? null : replacer::replace);
    }
    return new GraphEncoder.Generated(replacer == null ? serializer : replacing(replacer));
  }

  private static Serializer replacing(Replacer replacer) {
    return Serializer.builder()
        .superclassesAsJava()
        .substitution(
            value -> {
              Object replacement = replacer.replace(value);
              return replacement == value ? null : replacement;
            })
        .build();
  }

  private static @Nullable Replacer replacer(@Nullable String className) {
    if (className == null) {
      return null;
    }
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context != null ? context : GraphCoderFactory.class.getClassLoader();
    try {
      return Class.forName(className, true, loader)
          .asSubclass(Replacer.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw new IbisConfigurationException(
          "'"
              + className
              + "', named by '"
              + REPLACER
              + "', is no replacer: it has to be a public class that implements "
              + Replacer.class.getName()
              + ", with a public constructor without arguments",
          e);
    }
  }

  /** Returns a new decoder; {@code null} if messages of this kind hold no objects. */
  @Nullable GraphDecoder decoder(SerializationKind kind) {
    return switch (kind) {
      case BYTE, DATA -> null;
      case IBIS -> new GraphDecoder.Generated(serializer);
      case SUN -> new GraphDecoder.Streamed(serializer);
    };
  }
}
