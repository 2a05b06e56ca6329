package org.troupe.deployment.ssh;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.Login;

/** Machines that are reached with Apache MINA SSHD. */
final class MinaMachines implements SshMachines {

  private final SshConfig config;
  private final SshKeys keys;
  private final Map<SshHost, MinaMachine> machines = new HashMap<>(); // under this
  private @Nullable SshConnector connector; // null before its first use; under this

  MinaMachines(SshConfig config, SshKeys keys) {
    this.config = config;
    this.keys = keys;
  }

  @Override
  public synchronized MinaMachine of(Login login) throws IOException {
    return of(login, 0);
  }

  private MinaMachine of(Login login, int gateways) throws IOException {
    if (gateways > MOST_GATEWAYS) {
      throw OpenSshMachines.circle(login);
    }
    var host = SshHost.of(login, config);
    host.checkConnectable();
    var known = machines.get(host);
    if (known != null) {
      return known;
    }
    var gateway =
        host.via().isPresent()
            ? Optional.of(of(host.via().get(), gateways + 1))
            : Optional.<MinaMachine>empty();
    if (connector == null) {
      connector = new SshConnector(keys, SshConnector.LOGINS_AT_ONCE);
    }
    var machine = new MinaMachine(host, gateway, connector);
    machines.put(host, machine);
    return machine;
  }

  @Override
  public boolean useProgram() {
    return false;
  }

  @Override
  public synchronized void close() {
    machines.values().forEach(MinaMachine::close);
    // The client logs errors if it is closed before its connections.
    machines.values().forEach(MinaMachine::awaitEnd);
    if (connector != null) {
      connector.close();
    }
  }
}
