package ibis.ipl.internal.base;

import static java.nio.charset.StandardCharsets.UTF_8;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.Location;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;

/**
 * The identifier of an instance, with the address of its port.
 *
 * @param tag the program's data for this instance, or {@code null}
 * @param port the address of its port, as text
 */
public record InstanceIdentifier(
    String poolName, String name, Location location, byte @Nullable [] tag, String port)
    implements IbisIdentifier {

  /** The longest tag; a tag is part of every event of a pool. */
  public static final int MOST_TAG_BYTES = 1 << 20;

  private static final Comparator<IbisIdentifier> ORDER =
      Comparator.comparing(IbisIdentifier::poolName)
          .thenComparing(IbisIdentifier::location)
          .thenComparing(IbisIdentifier::name, InstanceIdentifier::compareNames);

  public InstanceIdentifier(
      String poolName, String name, Location location, byte @Nullable [] tag, String port) {
    this.poolName = poolName;
    this.name = name;
    this.location = location;
    this.tag = tag == null ? null : tag.clone();
    this.port = port;
  }

  /** Casts an identifier; throws if another implementation has created it. */
  public static InstanceIdentifier of(IbisIdentifier identifier) {
    if (identifier instanceof InstanceIdentifier ours) {
      return ours;
    }
    throw new IllegalArgumentException(
        "'"
            + identifier
            + "' is no identifier of this implementation; use those that its registry, ports and"
            + " messages give");
  }

  /** Returns the address of the instance's port. */
  public Address address() {
    return Address.parse(port);
  }

  @Override
  public byte @Nullable [] tag() {
    return tag == null ? null : tag.clone();
  }

  @Override
  public @Nullable String tagAsString() {
    return tag == null ? null : new String(tag, UTF_8);
  }

  public void writeTo(DataOutput out) throws IOException {
    out.writeUTF(poolName);
    out.writeUTF(name);
    out.writeUTF(location.toString());
    out.writeUTF(port);
    out.writeInt(tag == null ? -1 : tag.length);
    if (tag != null) {
      out.write(tag);
    }
  }

  public static InstanceIdentifier readFrom(DataInput in) throws IOException {
    String pool = in.readUTF();
    String name = in.readUTF();
    LocationImpl location = LocationImpl.parse(in.readUTF());
    String port = in.readUTF();
    return new InstanceIdentifier(pool, name, location, readTag(in), port);
  }

  public static byte @Nullable [] readTag(DataInput in) throws IOException {
    int length = in.readInt();
    if (length < -1 || length > MOST_TAG_BYTES) {
      throw new IOException("malformed identifier: a tag of " + length + " bytes");
    }
    if (length < 0) {
      return null;
    }
    byte[] tag = new byte[length];
    in.readFully(tag);
    return tag;
  }

  /** Compares names numerically: they end in the number of the instance in order of joining. */
  private static int compareNames(String one, String other) {
    int byLength = Integer.compare(one.length(), other.length());
    return byLength != 0 ? byLength : one.compareTo(other);
  }

  @Override
  public int compareTo(IbisIdentifier other) {
    return ORDER.compare(this, other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IbisIdentifier that
        && name.equals(that.name())
        && poolName.equals(that.poolName());
  }

  @Override
  public int hashCode() {
    return 31 * poolName.hashCode() + name.hashCode();
  }

  @Override
  public String toString() {
    return name + " of " + poolName + " at " + location;
  }
}
