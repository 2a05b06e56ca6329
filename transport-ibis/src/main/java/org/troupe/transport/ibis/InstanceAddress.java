package org.troupe.transport.ibis;

import ibis.ipl.IbisIdentifier;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.Base64;

/** The address of an instance: its identifier as text, because peers share no registry. */
final class InstanceAddress {

  /*
   * Identifiers are Java-serializable by contract and otherwise opaque. Addresses come from the launcher
   * and from peers that have proved the secret. The input filter still restricts the classes to those
   * that an identifier can consist of: classes of the implementation's own code source, of ibis.ipl, and
   * value classes of the platform.
   */

  private static final String SCHEME = "ibis:";
  private static final int MOST_BYTES = 64 * 1024;

  private InstanceAddress() {}

  static String of(IbisIdentifier identifier) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(identifier);
    }
    return SCHEME + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  /**
   * Parses the result of {@link #of} from another JVM.
   *
   * @param ours an identifier of the same implementation
   * @throws IOException if the text is no instance address
   */
  static IbisIdentifier parse(String address, IbisIdentifier ours) throws IOException {
    if (!address.startsWith(SCHEME)) {
      throw new IOException(
          "'"
              + address
              + "' is no address of an Ibis instance; set 'ibis.implementation' alike in all JVMs");
    }
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(address.substring(SCHEME.length()));
    } catch (IllegalArgumentException e) {
      throw new IOException("'" + address + "' is no address of an Ibis instance", e);
    }
    try (var in = new Input(new ByteArrayInputStream(bytes), ours.getClass())) {
      return (IbisIdentifier) in.readObject();
    } catch (ClassNotFoundException | RuntimeException e) {
      throw new IOException(
          "the address of an Ibis instance does not hold an identifier: " + e.getMessage(), e);
    }
  }

  private static final class Input extends ObjectInputStream {
    private final Class<?> ours;

    Input(InputStream in, Class<?> ours) throws IOException {
      super(in);
      this.ours = ours;
      setObjectInputFilter(this::check);
    }

    private ObjectInputFilter.Status check(ObjectInputFilter.FilterInfo info) {
      Class<?> type = info.serialClass();
      if (info.depth() > 16
          || info.references() > 1_000
          || info.streamBytes() > MOST_BYTES
          || info.arrayLength() > MOST_BYTES) {
        return ObjectInputFilter.Status.REJECTED;
      }
      if (type == null) {
        return ObjectInputFilter.Status.UNDECIDED;
      }
      while (type.isArray()) {
        type = type.getComponentType();
      }
      String place = type.getPackageName();
      return type.isPrimitive()
              || place.equals("java.lang")
              || place.equals("java.util")
              || type.getName().startsWith("java.net.Inet")
              || place.equals("ibis.ipl")
              || type.getProtectionDomain() == ours.getProtectionDomain()
          ? ObjectInputFilter.Status.ALLOWED
          : ObjectInputFilter.Status.REJECTED;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass described)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(described.getName(), false, ours.getClassLoader());
      } catch (ClassNotFoundException e) {
        return super.resolveClass(described);
      }
    }
  }
}
