package ibis.ipl.internal.base;

import static java.nio.charset.StandardCharsets.UTF_8;

import ibis.ipl.IbisIdentifier;
import org.troupe.links.Address;

/** Creates identifiers for registries outside this implementation. */
public final class IdentifierFactory {

  private IdentifierFactory() {}

  /** Creates an identifier from its parts; {@code data} is the result of {@link #data}. */
  public static IbisIdentifier make(
      String poolName, String name, byte[] data, String location, byte[] tag) {
    Address port = Address.parse(new String(data, UTF_8)); // checks it
    return new InstanceIdentifier(
        poolName, name, LocationImpl.parse(location), tag, port.toString());
  }

  public static byte[] data(Address port) {
    return port.toString().getBytes(UTF_8);
  }
}
