package ibis.io;

import java.io.IOException;
import java.util.Properties;

/**
 * Makes serialization streams by name: {@code byte}, {@code data}, {@code ibis}, {@code sun}, or
 * {@code object} for the one that the property {@code ibis.io.serialization.object.default} names,
 * by default {@code ibis}.
 */
public class SerializationFactory {

  private static final String DEFAULT = "ibis.io.serialization.object.default";

  /** For subclasses; all methods are static. */
  protected SerializationFactory() {}

  /**
   * Creates a stream that reads.
   *
   * @param name {@code null} means {@code object}
   * @param properties may be {@code null}
   * @throws IOException if there is no such serialization, or the stream below fails
   */
  public static SerializationInput createSerializationInput(
      String name, DataInputStream in, Properties properties) throws IOException {
    return switch (kind(name, properties)) {
      case "byte" -> new ByteSerializationInputStream(in);
      case "data" -> new DataSerializationInputStream(in);
      case "sun" -> new SunSerializationInputStream(in);
      case "ibis" -> new IbisSerializationInputStream(in);
      default -> throw unknown(name);
    };
  }

  /**
   * Creates a stream that writes.
   *
   * @param name {@code null} means {@code object}
   * @param properties may be {@code null}
   * @throws IOException if there is no such serialization, or the stream below fails
   */
  public static SerializationOutput createSerializationOutput(
      String name, DataOutputStream out, Properties properties) throws IOException {
    return switch (kind(name, properties)) {
      case "byte" -> new ByteSerializationOutputStream(out);
      case "data" -> new DataSerializationOutputStream(out);
      case "sun" -> new SunSerializationOutputStream(out);
      case "ibis" -> new IbisSerializationOutputStream(out);
      default -> throw unknown(name);
    };
  }

  private static String kind(String name, Properties properties) {
    if (name != null && !name.equals("object")) {
      return name;
    }
    return properties == null ? "ibis" : properties.getProperty(DEFAULT, "ibis").strip();
  }

  private static IOException unknown(String name) {
    return new IOException(
        "there is no serialization '" + name + "'; use byte, data, ibis, sun or object");
  }
}
