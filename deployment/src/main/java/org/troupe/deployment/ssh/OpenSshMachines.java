package org.troupe.deployment.ssh;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.troupe.descriptors.Login;

/** Machines that are reached with the ssh program of this system. */
final class OpenSshMachines implements SshMachines {

  private final OpenSsh ssh;
  private final String run;
  private final Semaphore logins = new Semaphore(SshConnector.LOGINS_AT_ONCE);
  private final Map<Login, OpenSshMachine> machines = new ConcurrentHashMap<>();

  /**
   * @param run the id of the run, for the names of control sockets
   */
  OpenSshMachines(OpenSsh ssh, String run) {
    this.ssh = ssh;
    this.run = run;
  }

  @Override
  public OpenSshMachine of(Login login) {
    return machines.computeIfAbsent(
        SshRoute.plain(login), plain -> new OpenSshMachine(plain, this, 0));
  }

  /**
   * Returns the gateway of a machine.
   *
   * @param distance the number of gateways between it and the machine that is to be reached
   */
  OpenSshMachine gateway(Login login, int distance) throws IOException {
    if (distance > MOST_GATEWAYS) {
      throw circle(login);
    }
    return machines.computeIfAbsent(
        SshRoute.plain(login), plain -> new OpenSshMachine(plain, this, distance));
  }

  static IOException circle(Login login) {
    return new IOException(
        "'%s' is reached through more than %d gateways: they go through each other; see ProxyJump in the ssh configuration"
            .formatted(login.host(), MOST_GATEWAYS));
  }

  OpenSsh ssh() {
    return ssh;
  }

  String run() {
    return run;
  }

  /** Limits simultaneous logins. */
  Semaphore logins() {
    return logins;
  }

  @Override
  public boolean useProgram() {
    return true;
  }

  @Override
  public void close() {
    var all = List.copyOf(machines.values());
    all.forEach(OpenSshMachine::close);
    all.forEach(OpenSshMachine::awaitEnd);
  }
}
