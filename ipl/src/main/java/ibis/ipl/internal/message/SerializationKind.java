package ibis.ipl.internal.message;

import static ibis.ipl.PortType.SERIALIZATION_BYTE;
import static ibis.ipl.PortType.SERIALIZATION_DATA;
import static ibis.ipl.PortType.SERIALIZATION_OBJECT;
import static ibis.ipl.PortType.SERIALIZATION_OBJECT_IBIS;
import static ibis.ipl.PortType.SERIALIZATION_OBJECT_SUN;

import ibis.ipl.IbisConfigurationException;
import ibis.ipl.PortType;
import java.util.Properties;

/** The kinds of serialization of a port type. */
public enum SerializationKind {
  /** Bytes and byte arrays, without lengths. */
  BYTE("byte"),
  /** Primitives, strings, and primitive arrays without lengths. */
  DATA("data"),
  /** All types, in Troupe's serialization. */
  IBIS("ibis"),
  /** All types; objects in Java serialization. */
  SUN("sun");

  private static final String DEFAULT = "ibis.io.serialization.object.default";

  private final String word;

  SerializationKind(String word) {
    this.word = word;
  }

  /** Returns the kind that both ends of a connection derive from their port type. */
  public static SerializationKind of(PortType type, Properties properties) {
    if (type.hasCapability(SERIALIZATION_DATA)) {
      return DATA;
    }
    if (type.hasCapability(SERIALIZATION_OBJECT_SUN)) {
      return SUN;
    }
    if (type.hasCapability(SERIALIZATION_OBJECT_IBIS)) {
      return IBIS;
    }
    if (type.hasCapability(SERIALIZATION_OBJECT)) {
      return byDefault(properties.getProperty(DEFAULT, IBIS.word));
    }
    if (type.hasCapability(SERIALIZATION_BYTE)) {
      return BYTE;
    }
    throw new IbisConfigurationException(
        "port type " + type + " has no serialization that is known; add 'serialization.object'");
  }

  private static SerializationKind byDefault(String word) {
    return switch (word) {
      case "ibis" -> IBIS;
      case "sun" -> SUN;
      default ->
          throw new IbisConfigurationException(
              "property '" + DEFAULT + "' is '" + word + "'; it can be 'ibis' or 'sun'");
    };
  }

  public boolean hasObjects() {
    return this == IBIS || this == SUN;
  }

  public boolean hasOnlyBytes() {
    return this == BYTE;
  }

  @Override
  public String toString() {
    return word;
  }
}
