package ibis.ipl.internal;

import ibis.ipl.CapabilitySet;
import ibis.ipl.Credentials;
import ibis.ipl.Ibis;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisCreationFailedException;
import ibis.ipl.IbisFactory;
import ibis.ipl.IbisStarter;
import ibis.ipl.PortType;
import ibis.ipl.RegistryEventHandler;
import java.util.Arrays;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Starts instances of this implementation; found by the service loader. */
public final class TroupeStarter extends IbisStarter {

  /** The version, which must be equal in all members of a pool. */
  static final String VERSION = "1";

  private static final IbisCapabilities CAPABILITIES =
      new IbisCapabilities(
          IbisCapabilities.CLOSED_WORLD,
          IbisCapabilities.MALLEABLE,
          IbisCapabilities.MEMBERSHIP_UNRELIABLE,
          IbisCapabilities.MEMBERSHIP_TOTALLY_ORDERED,
          IbisCapabilities.ELECTIONS_UNRELIABLE,
          IbisCapabilities.ELECTIONS_STRICT,
          IbisCapabilities.SIGNALS,
          IbisCapabilities.TERMINATION);

  private static final PortType PORTS =
      new PortType(
          PortType.CONNECTION_ONE_TO_ONE,
          PortType.CONNECTION_ONE_TO_MANY,
          PortType.CONNECTION_MANY_TO_ONE,
          PortType.CONNECTION_MANY_TO_MANY,
          PortType.CONNECTION_UPCALLS,
          PortType.CONNECTION_DOWNCALLS,
          PortType.CONNECTION_TIMEOUT,
          PortType.CONNECTION_LIGHT,
          PortType.CONNECTION_ULTRALIGHT,
          PortType.CONNECTION_DIRECT,
          PortType.RECEIVE_EXPLICIT,
          PortType.RECEIVE_TIMEOUT,
          PortType.RECEIVE_POLL,
          PortType.RECEIVE_AUTO_UPCALLS,
          PortType.RECEIVE_POLL_UPCALLS,
          PortType.COMMUNICATION_FIFO,
          PortType.COMMUNICATION_NUMBERED,
          PortType.COMMUNICATION_RELIABLE,
          PortType.COMMUNICATION_RELIABLE_UNSAFE,
          PortType.SERIALIZATION_BYTE,
          PortType.SERIALIZATION_DATA,
          PortType.SERIALIZATION_OBJECT,
          PortType.SERIALIZATION_OBJECT_IBIS,
          PortType.SERIALIZATION_OBJECT_SUN);

  /** Called by the service loader. */
  public TroupeStarter() {
    super(IbisFactory.DEFAULT_IMPLEMENTATION, "2.3", VERSION);
  }

  @Override
  public boolean matches(IbisCapabilities capabilities, PortType[] portTypes) {
    return capabilities.matchCapabilities(CAPABILITIES)
        && Arrays.stream(portTypes).allMatch(type -> type.matchCapabilities(PORTS));
  }

  @Override
  public CapabilitySet unmatchedIbisCapabilities(
      IbisCapabilities capabilities, PortType[] portTypes) {
    return capabilities.unmatchedCapabilities(CAPABILITIES);
  }

  @Override
  public PortType[] unmatchedPortTypes(IbisCapabilities capabilities, PortType[] portTypes) {
    return Arrays.stream(portTypes)
        .filter(type -> !type.matchCapabilities(PORTS))
        .toArray(PortType[]::new);
  }

  @Override
  public Ibis startIbis(
      IbisFactory factory,
      @Nullable RegistryEventHandler handler,
      Properties userProperties,
      IbisCapabilities capabilities,
      @Nullable Credentials credentials,
      byte @Nullable [] applicationTag,
      PortType[] portTypes,
      @Nullable String subImplementation)
      throws IbisCreationFailedException {
    if (subImplementation != null) {
      throw new IbisCreationFailedException(
          "implementation '"
              + this
              + "' stands on no other one, and '"
              + subImplementation
              + "' is named below it; name it last");
    }
    return new IbisImplementation(
        getNickName() + "-" + getImplementationVersion(),
        handler,
        userProperties,
        capabilities,
        credentials,
        applicationTag,
        portTypes);
  }
}
