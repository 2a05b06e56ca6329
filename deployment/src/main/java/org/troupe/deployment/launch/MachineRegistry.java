package org.troupe.deployment.launch;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.batch.BatchSystems;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.process.LocalMachine;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.ssh.Forwarders;
import org.troupe.deployment.ssh.SshConfig;
import org.troupe.deployment.ssh.SshConnector;
import org.troupe.deployment.ssh.SshHost;
import org.troupe.deployment.ssh.SshKeys;
import org.troupe.deployment.ssh.SshMachine;
import org.troupe.deployment.ssh.UserKeys;
import org.troupe.deployment.staging.Staging;
import org.troupe.descriptors.Login;

/** The machines of one deployment. Logs in to each machine once, at its first use. Thread-safe. */
public final class MachineRegistry implements Closeable {

  private static final int MOST_GATEWAYS = 8;

  private final Machine local = new LocalMachine();
  private final RunJournal run;
  private final Staging staging;
  private final BatchSystems batchSystems = new BatchSystems();
  private final Forwarders forwarders;
  private final Map<SshHost, SshMachine> remote = new HashMap<>(); // under this
  private final Map<Login, SshMachine> lookedUp = new HashMap<>(); // under this
  private final SshKeys keys = new UserKeys();
  private @Nullable SshConfig config; // null before its first use
  private @Nullable SshConnector connector; // null before its first use
  private boolean isClosed;

  /**
   * @param application the locations of the program's own classes, as a class path
   */
  public MachineRegistry(String application) {
    this(application, RunJournal.planned());
  }

  /** Creates the registry of a run that takes place. */
  public MachineRegistry(String application, RunJournal run) {
    this.run = run;
    staging = new Staging(application);
    forwarders = new Forwarders(run);
  }

  /** Creates a registry with an ssh configuration in place of the user's. */
  public MachineRegistry(String application, SshConfig config) {
    this(application);
    this.config = config;
  }

  /** Returns the journal of the run. */
  public RunJournal run() {
    return run;
  }

  /** Returns the staging of the program to these machines. */
  public Staging staging() {
    return staging;
  }

  /** Returns the batch systems that these machines have. */
  public BatchSystems batchSystems() {
    return batchSystems;
  }

  /** Returns the forwarders on these machines, which lead to this one. */
  public Forwarders forwarders() {
    return forwarders;
  }

  /** Returns the machine of a login; this machine if there is none. */
  public Machine of(Optional<Login> login) throws IOException {
    return login.isPresent() ? of(login.get()) : local;
  }

  /**
   * Returns the machine of a login, without connecting to it.
   *
   * @throws IOException if the ssh configuration cannot be used
   */
  public synchronized SshMachine of(Login login) throws IOException {
    if (isClosed) {
      throw new IOException("the grid has been closed");
    }
    var known = lookedUp.get(login);
    if (known == null) { // looking into the configuration takes time
      known = of(login, 0);
      lookedUp.put(login, known);
    }
    return known;
  }

  /** Returns the host of a login, with the values of the ssh configuration. */
  public synchronized SshHost host(Login login) throws IOException {
    return SshHost.of(login, config());
  }

  /** Returns the keys for logging in to these machines. */
  public SshKeys keys() {
    return keys;
  }

  /**
   * Returns the words of an equivalent ssh command, without connecting.
   *
   * @throws IOException if the ssh configuration cannot be used
   */
  public synchronized List<String> describe(Login login) throws IOException {
    var words = new ArrayList<>(List.of("ssh"));
    var host = SshHost.of(login, config());
    var jumps = new ArrayList<String>();
    for (var via = host.via(); via.isPresent() && jumps.size() < MOST_GATEWAYS; ) {
      var gateway = SshHost.of(via.get(), config());
      jumps.addFirst(gateway.toString());
      via = gateway.via();
    }
    if (!jumps.isEmpty()) {
      words.addAll(List.of("-J", String.join(",", jumps)));
    }
    login.identity().ifPresent(file -> words.addAll(List.of("-i", file.toString())));
    if (host.port() != SshHost.SSH_PORT) {
      words.addAll(List.of("-p", Integer.toString(host.port())));
    }
    words.add(host.user() + "@" + host.hostName());
    return words;
  }

  private SshConnector connector() {
    if (connector == null) {
      connector = new SshConnector(keys, SshConnector.LOGINS_AT_ONCE);
    }
    return connector;
  }

  private SshConfig config() throws IOException {
    if (config == null) {
      config = SshConfig.read();
    }
    return config;
  }

  private SshMachine of(Login login, int gateways) throws IOException {
    if (gateways > MOST_GATEWAYS) {
      throw new IOException(
          "'%s' is reached through more than %d gateways: they go through each other; see ProxyJump in the ssh configuration"
              .formatted(login.host(), MOST_GATEWAYS));
    }
    var host = SshHost.of(login, config());
    var known = remote.get(host);
    if (known != null) {
      return known;
    }
    var gateway =
        host.via().isPresent()
            ? Optional.of(of(host.via().get(), gateways + 1))
            : Optional.<SshMachine>empty();
    var machine = new SshMachine(host, gateway, connector());
    remote.put(host, machine);
    return machine;
  }

  @Override
  public void close() {
    forwarders.close();
    closeConnections();
  }

  private synchronized void closeConnections() {
    isClosed = true;
    remote.values().forEach(SshMachine::close);
    remote
        .values()
        .forEach(
            SshMachine::awaitEnd); // the client logs errors if it is closed before its connections
    if (connector != null) {
      connector.close();
    }
  }
}
