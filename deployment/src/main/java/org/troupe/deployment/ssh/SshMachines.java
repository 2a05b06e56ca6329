package org.troupe.deployment.ssh;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.troupe.descriptors.Login;

/** The machines of one deployment that are reached over ssh. Thread-safe. */
public interface SshMachines extends Closeable {

  /** More gateways than these go through each other. */
  int MOST_GATEWAYS = 8;

  /**
   * Returns the machines that the ssh program of this system reaches; those of the client in this
   * JVM if there is none.
   *
   * @param config the ssh configuration; read only if it is needed
   * @param run the id of the run, for the names of control sockets
   * @throws IOException if the configuration cannot be used
   */
  static SshMachines of(ConfigSource config, SshKeys keys, String run) throws IOException {
    var ssh = OpenSsh.find(config.file());
    return ssh.isPresent()
        ? new OpenSshMachines(ssh.get(), run)
        : new MinaMachines(config.read(), keys);
  }

  /** An ssh configuration that is read when it is needed. */
  interface ConfigSource {

    /** Returns the file that replaces the user's; empty if none does. */
    Optional<Path> file();

    SshConfig read() throws IOException;
  }

  /**
   * Returns the machine of a login, without connecting to it.
   *
   * @throws IOException if the ssh configuration cannot be used
   */
  SshMachine of(Login login) throws IOException;

  /** Returns whether the ssh program of this system logs in. */
  boolean useProgram();

  /** Closes all connections. */
  @Override
  void close();
}
