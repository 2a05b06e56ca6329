package org.troupe.deployment;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.troupe.descriptors.Login;

/**
 * The machines of one deployment: each is logged in to once, when it is first used, and shared by
 * all that runs there. Thread-safe.
 */
final class Machines implements Closeable {

  private static final int MOST_GATEWAYS = 8;

  private final Machine local = new LocalMachine();
  private final Map<SshHost, SshMachine> remote = new HashMap<>(); // under this
  private SshConfig config; // null before it is needed, as the next
  private SshConnector connector;
  private boolean isClosed;

  Machines() {}

  /** With a configuration in place of the user's. */
  Machines(SshConfig config) {
    this.config = config;
  }

  /** Returns the machine that is reached so, or this one. */
  Machine of(Optional<Login> login) throws IOException {
    return login.isPresent() ? of(login.get()) : local;
  }

  /**
   * Returns the machine that is reached so; nothing is connected yet.
   *
   * @throws IOException if the ssh configuration cannot be used
   */
  synchronized SshMachine of(Login login) throws IOException {
    if (isClosed) {
      throw new IOException("the grid has been closed");
    }
    if (config == null) {
      config = SshConfig.read();
    }
    if (connector == null) {
      connector = new SshConnector();
    }
    return of(login, 0);
  }

  private SshMachine of(Login login, int gateways) throws IOException {
    if (gateways > MOST_GATEWAYS) {
      throw new IOException(
          "'%s' is reached through more than %d gateways: they go through each other; see ProxyJump in the ssh configuration"
              .formatted(login.host(), MOST_GATEWAYS));
    }
    var host = SshHost.of(login, config);
    var known = remote.get(host);
    if (known != null) {
      return known;
    }
    var gateway =
        host.via().isPresent()
            ? Optional.of(of(host.via().get(), gateways + 1))
            : Optional.<SshMachine>empty();
    var machine = new SshMachine(host, gateway, connector);
    remote.put(host, machine);
    return machine;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    remote.values().forEach(SshMachine::close);
    if (connector != null) {
      connector.close();
    }
  }
}
