package ibis.ipl;

import static org.assertj.core.api.Assertions.assertThat;

import ibis.ipl.registry.ControlPolicy;
import ibis.ipl.server.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.troupe.links.Secret;

/** A server in this JVM, and members of its pools; all end with it. */
public final class TestPool implements AutoCloseable {

  public static final IbisCapabilities ALL =
      new IbisCapabilities(
          IbisCapabilities.MALLEABLE,
          IbisCapabilities.MEMBERSHIP_TOTALLY_ORDERED,
          IbisCapabilities.ELECTIONS_STRICT,
          IbisCapabilities.SIGNALS,
          IbisCapabilities.TERMINATION);

  public static final IbisCapabilities CLOSED =
      new IbisCapabilities(
          IbisCapabilities.CLOSED_WORLD,
          IbisCapabilities.MEMBERSHIP_TOTALLY_ORDERED,
          IbisCapabilities.ELECTIONS_STRICT,
          IbisCapabilities.TERMINATION);

  private final Properties properties = new Properties();
  private final List<Ibis> members = new ArrayList<>();
  private Server server;

  public TestPool() throws IOException {
    this(null);
  }

  /** Starts a server with a policy and more properties: name, value, and so on. */
  public TestPool(ControlPolicy policy, String... more) throws IOException {
    for (int i = 0; i < more.length; i += 2) {
      properties.setProperty(more[i], more[i + 1]);
    }
    properties.setProperty(IbisProperties.SECRET, Secret.random().reveal());
    properties.setProperty(Server.LISTEN_ADDRESS, "127.0.0.1");
    properties.setProperty("ibis.server.port", "0");
    server = new Server(properties, policy);
    properties.setProperty(IbisProperties.SERVER_ADDRESS, server.getAddress());
    properties.setProperty(IbisProperties.POOL_NAME, "pool");
  }

  /** Starts another server at the address of the first, which has ended. */
  public void restartServer() throws IOException {
    String address = server.getAddress();
    properties.setProperty("ibis.server.port", address.substring(address.lastIndexOf(':') + 1));
    server = new Server(properties);
    assertThat(server.getAddress()).isEqualTo(address);
  }

  public Server server() {
    return server;
  }

  /** Returns a copy of what members are given. */
  public Properties properties() {
    return (Properties) properties.clone();
  }

  /** Sets a property for the members to come. */
  public TestPool with(String name, String value) {
    properties.setProperty(name, value);
    return this;
  }

  public Ibis join(IbisCapabilities capabilities, PortType... types)
      throws IbisCreationFailedException {
    return join(capabilities, null, types);
  }

  public Ibis join(IbisCapabilities capabilities, RegistryEventHandler handler, PortType... types)
      throws IbisCreationFailedException {
    return joinAs(properties, capabilities, handler, types);
  }

  public Ibis joinAs(
      Properties properties,
      IbisCapabilities capabilities,
      RegistryEventHandler handler,
      PortType... types)
      throws IbisCreationFailedException {
    Ibis member = IbisFactory.createIbis(capabilities, properties, true, handler, types);
    members.add(member);
    return member;
  }

  @Override
  public void close() throws IOException {
    for (Ibis member : members) {
      member.end();
    }
    server.end(-1);
  }
}
