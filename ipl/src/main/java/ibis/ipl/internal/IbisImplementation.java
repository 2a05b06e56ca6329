package ibis.ipl.internal;

import ibis.ipl.Credentials;
import ibis.ipl.Ibis;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisCreationFailedException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.MessageUpcall;
import ibis.ipl.PortType;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceivePortConnectUpcall;
import ibis.ipl.RegistryEventHandler;
import ibis.ipl.SendPort;
import ibis.ipl.SendPortDisconnectUpcall;
import ibis.ipl.internal.base.IplSettings;
import ibis.ipl.internal.port.InstanceCounters;
import ibis.ipl.internal.port.PortTable;
import ibis.ipl.internal.registry.RegistryFactory;
import ibis.ipl.registry.Registry;
import java.io.IOException;
import java.util.Arrays;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.port.Port;

/** An instance: its link port, its registry and its send and receive ports. */
public final class IbisImplementation extends InstanceCounters implements Ibis {

  /*
   * Order of start. The link port, and the service of the receive ports behind it, are open before the
   * instance joins its pool, as other members may connect as soon as they learn of it. A thread that
   * needs the identifier before the join is complete waits for it.
   */

  private final String version;
  private final Properties properties;
  private final Set<PortType> types;
  private final Port links;
  private final PortTable ports;
  private final Registry registry;
  private final CompletableFuture<IbisIdentifier> identifier = new CompletableFuture<>();
  private final ReentrantLock ending = new ReentrantLock();
  private volatile boolean ended;

  IbisImplementation(
      String version,
      @Nullable RegistryEventHandler handler,
      Properties properties,
      IbisCapabilities capabilities,
      @Nullable Credentials credentials,
      byte @Nullable [] tag,
      PortType[] types)
      throws IbisCreationFailedException {
    this.version = version;
    this.properties = properties;
    this.types = Set.copyOf(Arrays.asList(types).stream().distinct().toList());
    RegistryFactory.check(properties, capabilities);
    boolean started = false;
    try {
      IplSettings.Access access =
          IplSettings.access(properties, RegistryFactory.isServerless(properties));
      Address server =
          RegistryFactory.isServerless(properties) ? null : IplSettings.server(properties);
      links = IplSettings.open(properties, access, server);
      try {
        ports = new PortTable(this, this, links);
        ports.open();
        registry =
            RegistryFactory.join(
                properties,
                capabilities,
                handler,
                credentials,
                tag,
                version,
                links,
                ports::peerGone);
        identifier.complete(registry.getIbisIdentifier());
        started = true;
      } finally {
        if (!started) {
          identifier.cancel(false);
          links.close();
        }
      }
    } catch (IOException e) {
      throw new IbisCreationFailedException("cannot join a pool: " + e.getMessage(), e);
    }
  }

  @Override
  public void end() throws IOException {
    ending.lock(); // a concurrent caller returns after the first one has finished
    try {
      if (ended) {
        return;
      }
      ended = true;
      try (links) {
        ports.end();
        registry.leave();
      }
    } finally {
      ending.unlock();
    }
  }

  @Override
  public Registry registry() {
    return registry;
  }

  PortTable ports() {
    return ports;
  }

  @Override
  public void poll() throws IOException {
    ports.poll();
  }

  /** Returns the identifier; blocks while this instance is joining. */
  @Override
  public IbisIdentifier identifier() {
    return identifier.join();
  }

  @Override
  public String getVersion() {
    return version;
  }

  @Override
  public Properties properties() {
    return with(null);
  }

  /** Returns a copy of the instance's properties, overlaid by others. */
  private Properties with(@Nullable Properties more) {
    var all = new Properties();
    all.putAll(properties);
    if (more != null) {
      for (String name : more.stringPropertyNames()) {
        all.setProperty(name, more.getProperty(name));
      }
    }
    return all;
  }

  @Override
  public SendPort createSendPort(PortType portType) throws IOException {
    return createSendPort(portType, null, null, null);
  }

  @Override
  public SendPort createSendPort(PortType portType, @Nullable String sendPortName)
      throws IOException {
    return createSendPort(portType, sendPortName, null, null);
  }

  @Override
  public SendPort createSendPort(
      PortType portType,
      @Nullable String sendPortName,
      @Nullable SendPortDisconnectUpcall sendPortDisconnectUpcall,
      @Nullable Properties properties)
      throws IOException {
    check(portType);
    return ports.createSendPort(portType, sendPortName, sendPortDisconnectUpcall, with(properties));
  }

  @Override
  public ReceivePort createReceivePort(PortType portType, @Nullable String receivePortName)
      throws IOException {
    return createReceivePort(portType, receivePortName, null, null, null);
  }

  @Override
  public ReceivePort createReceivePort(
      PortType portType, @Nullable String receivePortName, MessageUpcall messageUpcall)
      throws IOException {
    return createReceivePort(portType, receivePortName, messageUpcall, null, null);
  }

  @Override
  public ReceivePort createReceivePort(
      PortType portType,
      @Nullable String receivePortName,
      ReceivePortConnectUpcall receivePortConnectUpcall)
      throws IOException {
    return createReceivePort(portType, receivePortName, null, receivePortConnectUpcall, null);
  }

  @Override
  public ReceivePort createReceivePort(
      PortType portType,
      @Nullable String receivePortName,
      @Nullable MessageUpcall messageUpcall,
      @Nullable ReceivePortConnectUpcall receivePortConnectUpcall,
      @Nullable Properties properties)
      throws IOException {
    check(portType);
    return ports.createReceivePort(
        portType, receivePortName, messageUpcall, receivePortConnectUpcall, with(properties));
  }

  private void check(PortType type) throws IOException {
    if (type == null || !types.contains(type)) {
      throw new IbisConfigurationException(
          "port type '"
              + type
              + "' was not announced when the instance was made; give it to createIbis, which got: "
              + types.stream().map(PortType::toString).sorted().collect(Collectors.joining("; ")));
    }
    if (ended) {
      throw new IOException("the instance has ended; ports are made before");
    }
  }

  @Override
  public String toString() {
    return "Ibis instance " + identifier.getNow(null);
  }
}
