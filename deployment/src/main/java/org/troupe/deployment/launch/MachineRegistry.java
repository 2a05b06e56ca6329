package org.troupe.deployment.launch;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
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
import org.troupe.deployment.ssh.SshHost;
import org.troupe.deployment.ssh.SshKeys;
import org.troupe.deployment.ssh.SshMachine;
import org.troupe.deployment.ssh.SshMachines;
import org.troupe.deployment.ssh.UserKeys;
import org.troupe.deployment.staging.Staging;
import org.troupe.descriptors.Login;

/** The machines of one deployment. Logs in to each machine once, at its first use. Thread-safe. */
public final class MachineRegistry implements Closeable {

  private final Machine local = new LocalMachine();
  private final RunJournal run;
  private final Staging staging;
  private final BatchSystems batchSystems = new BatchSystems();
  private final Forwarders forwarders;
  private final Map<Login, SshMachine> lookedUp = new HashMap<>(); // under this
  private @Nullable SshKeys keys; // null before its first use, since it loads classes of MINA
  private @Nullable SshConfig config; // null before its first use
  private @Nullable SshMachines remote; // null before its first use
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
      known = remote().of(login);
      lookedUp.put(login, known);
    }
    return known;
  }

  /**
   * Returns the host of a login, with the values of the ssh configuration.
   *
   * @throws IOException if the configuration cannot be used, or only by the ssh program
   */
  public synchronized SshHost host(Login login) throws IOException {
    var host = SshHost.of(login, config());
    host.checkConnectable();
    return host;
  }

  /**
   * Returns whether the ssh program of this system logs in to these machines.
   *
   * @throws IOException if the ssh configuration cannot be used
   */
  public synchronized boolean useSshProgram() throws IOException {
    return remote().useProgram();
  }

  /** Returns the keys for logging in to these machines. */
  public synchronized SshKeys keys() {
    var known = keys;
    if (known == null) {
      known = new UserKeys();
      keys = known;
    }
    return known;
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
    for (var via = host.via(); via.isPresent() && jumps.size() < SshMachines.MOST_GATEWAYS; ) {
      var gateway = SshHost.of(via.get(), config());
      jumps.addFirst(gateway.toString());
      via = gateway.via();
    }
    host.proxyCommand()
        .ifPresent(command -> words.addAll(List.of("-o", "ProxyCommand=" + command)));
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

  private SshMachines remote() throws IOException {
    if (remote == null) {
      remote = SshMachines.of(new Configuration(), keys(), run.id());
    }
    return remote;
  }

  /** The ssh configuration, which only some machines need. */
  private final class Configuration implements SshMachines.ConfigSource {

    @Override
    public Optional<Path> file() {
      return config == null
          ? Optional.ofNullable(System.getProperty(SshConfig.FILE)).map(Path::of)
          : config.file();
    }

    @Override
    public SshConfig read() throws IOException {
      return config();
    }
  }

  private SshConfig config() throws IOException {
    if (config == null) {
      config = SshConfig.read();
    }
    return config;
  }

  @Override
  public void close() {
    forwarders.close();
    closeConnections();
  }

  private void closeConnections() {
    SshMachines ending;
    synchronized (this) {
      isClosed = true;
      ending = remote;
    }
    if (ending != null) {
      ending.close();
    }
  }
}
