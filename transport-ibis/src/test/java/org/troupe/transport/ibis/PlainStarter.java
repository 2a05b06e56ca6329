package org.troupe.transport.ibis;

import ibis.ipl.CapabilitySet;
import ibis.ipl.Credentials;
import ibis.ipl.Ibis;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisCreationFailedException;
import ibis.ipl.IbisFactory;
import ibis.ipl.IbisStarter;
import ibis.ipl.PortType;
import ibis.ipl.RegistryEventHandler;
import ibis.ipl.internal.TroupeStarter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Properties;

/** Troupe's implementation of the layer disguised as one of another origin. */
public final class PlainStarter extends IbisStarter {

  static final String NAME = "plain";

  private final TroupeStarter ours = new TroupeStarter();

  public PlainStarter() {
    super(NAME, "2.3", "1");
  }

  @Override
  public boolean matches(IbisCapabilities capabilities, PortType[] types) {
    return ours.matches(capabilities, types);
  }

  @Override
  public CapabilitySet unmatchedIbisCapabilities(IbisCapabilities capabilities, PortType[] types) {
    return ours.unmatchedIbisCapabilities(capabilities, types);
  }

  @Override
  public PortType[] unmatchedPortTypes(IbisCapabilities capabilities, PortType[] types) {
    return ours.unmatchedPortTypes(capabilities, types);
  }

  @Override
  public Ibis startIbis(
      IbisFactory factory,
      RegistryEventHandler handler,
      Properties properties,
      IbisCapabilities capabilities,
      Credentials credentials,
      byte[] tag,
      PortType[] types,
      String below)
      throws IbisCreationFailedException {
    Ibis instance =
        ours.startIbis(factory, handler, properties, capabilities, credentials, tag, types, below);
    return (Ibis)
        Proxy.newProxyInstance(
            PlainStarter.class.getClassLoader(),
            new Class<?>[] {Ibis.class},
            (_, method, arguments) -> {
              try {
                return method.invoke(instance, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
