package ibis.ipl.internal.registry;

import ibis.ipl.Credentials;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.internal.base.InstanceIdentifier;
import ibis.ipl.internal.base.LocationImpl;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.io.ObjectOutputStream;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;

/**
 * The properties that an instance sends to the server to join a pool.
 *
 * @param port the address of the instance
 * @param credentials a serialized object for the server's policy, or {@code null}
 */
record JoinApplication(
    String pool,
    ServerPool.Rules rules,
    LocationImpl location,
    String port,
    byte @Nullable [] tag,
    byte @Nullable [] credentials) {

  private static final int MOST_CREDENTIALS_BYTES = 1 << 20;

  /** Throws an exception if a tag is too long for an identifier. */
  static void checkTag(byte @Nullable [] tag) {
    if (tag != null && tag.length > InstanceIdentifier.MOST_TAG_BYTES) {
      throw new IbisConfigurationException(
          "the tag has "
              + tag.length
              + " bytes, and may have "
              + InstanceIdentifier.MOST_TAG_BYTES
              + ": it is part of the identifier that all members receive");
    }
  }

  /** Serializes the credentials of an instance. */
  static byte @Nullable [] encode(@Nullable Credentials credentials) throws IOException {
    if (credentials == null) {
      return null;
    }
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(credentials);
    }
    return bytes.toByteArray();
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeUTF(pool);
    out.writeUTF(rules.implementation());
    out.writeInt(rules.closedWorldSize());
    out.writeLong(rules.heartbeatMillis());
    out.writeUTF(location.toString());
    out.writeUTF(port);
    writeBytes(out, tag);
    writeBytes(out, credentials);
  }

  private static void writeBytes(DataOutput out, byte @Nullable [] bytes) throws IOException {
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  static JoinApplication readFrom(DataInputStream in) throws IOException {
    return new JoinApplication(
        in.readUTF(),
        new ServerPool.Rules(in.readUTF(), in.readInt(), in.readLong()),
        LocationImpl.parse(in.readUTF()),
        Address.parse(in.readUTF()).toString(),
        InstanceIdentifier.readTag(in),
        readCredentials(in));
  }

  private static byte @Nullable [] readCredentials(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      return null;
    }
    if (length > MOST_CREDENTIALS_BYTES) {
      throw new IOException("credentials of " + length + " bytes are too large");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
