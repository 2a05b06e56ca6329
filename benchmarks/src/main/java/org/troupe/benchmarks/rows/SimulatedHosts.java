package org.troupe.benchmarks.rows;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.benchmarks.harness.JvmCommand;
import org.troupe.benchmarks.harness.TerminationCleanup;
import org.troupe.deployment.Grid;
import org.troupe.deployment.ssh.MinaSetup;

/**
 * A JVM that simulates many hosts: an ssh server at every loopback address, whose commands start no
 * processes. A node to be started there is opened in this JVM; it reads its settings from its
 * channel, connects and joins like any other node.
 */
@SuppressWarnings("NullAway.Init") // the ssh server sets the streams before it starts the command
final class SimulatedHosts implements Command {

  /*
   * Why reflection. The API neither opens several nodes in one JVM nor reads the settings that a
   * launcher sends to a node, so this class accesses internal classes.
   */
  private static final Duration JOIN = Duration.ofMinutes(5);

  /*
   * Real hosts compile on processors of their own, but these share the launcher's. So the JVM uses only
   * the first compiler, and a heap that is seldom collected.
   */
  private static final List<String> LEAN =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmn1g");

  /**
   * Logins that may arrive at the same time, since the branches of a launch tree log in
   * concurrently.
   */
  private static final int CALLERS = 4096;

  static {
    MinaSetup.apply();
  }

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final String READY = "ready";
  private static final int BACKLOG = 1000;

  /** The addresses that are used of each class C network. */
  private static final int HOSTS_PER_NET = 250;

  private static final AtomicLong PROCESSES = new AtomicLong(100_000);
  private static final String ANSWER =
      "home /home/posing\nsite one\nsystem Linux x86_64\njava 25 /usr/bin/java\n";

  private final String line;
  private InputStream in;
  private OutputStream out;
  private OutputStream err;
  private ExitCallback exit;

  private SimulatedHosts(String line) {
    this.line = line;
  }

  /** Writes the login data to a folder and serves until its input ends. */
  static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[0]);
    var user = key();
    var hosts = key();
    var server = SshServer.setUpDefaultServer();
    server.setHost("0.0.0.0");
    CoreModuleProperties.SOCKET_BACKLOG.set(server, CALLERS);
    server.setKeyPairProvider(KeyPairProvider.wrap(hosts));
    server.setPublickeyAuthenticator(
        (name, key, session) -> KeyUtils.compareKeys(key, user.getPublic()));
    server.setCommandFactory((channel, line) -> new SimulatedHosts(line));
    server.setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
    CoreModuleProperties.SOCKET_BACKLOG.set(server, BACKLOG); // one queue for all hosts
    server.start();
    write(user, folder.resolve("identity"));
    Files.writeString(
        folder.resolve("known_hosts"),
        "[127.*]:" + server.getPort() + " " + PublicKeyEntry.toString(hosts.getPublic()) + "\n");
    Files.writeString(
        folder.resolve("config"),
        """
        Host *
          User posing
          Port %d
          IdentityFile %s/identity
          IdentitiesOnly yes
          UserKnownHostsFile %s/known_hosts
          GlobalKnownHostsFile none
          ConnectTimeout 120
        """
            .formatted(server.getPort(), folder, folder));
    System.out.println(READY);
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }

  private static KeyPair key() throws GeneralSecurityException {
    return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
  }

  private static void write(KeyPair key, Path file) throws IOException, GeneralSecurityException {
    var ownerOnly = PosixFilePermissions.fromString("rw-------");
    Files.createFile(file, PosixFilePermissions.asFileAttribute(ownerOnly));
    try (var stream = Files.newOutputStream(file)) {
      OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(key, "posing", null, stream);
    }
  }

  // A command on one of the hosts

  @Override
  public void setInputStream(InputStream stream) {
    in = stream;
  }

  @Override
  public void setOutputStream(OutputStream stream) {
    out = stream;
  }

  @Override
  public void setErrorStream(OutputStream stream) {
    err = stream;
  }

  @Override
  public void setExitCallback(ExitCallback callback) {
    exit = callback;
  }

  @Override
  public void start(ChannelSession channel, Environment environment) {
    Thread.startVirtualThread(this::run);
  }

  /**
   * Runs the command. The first line of its output is that of Troupe's shell script: a mark and a
   * process id.
   */
  private void run() {
    try {
      print(out, "\036" + PROCESSES.incrementAndGet() + "\n");
      if (line.contains("NodeMain")) {
        node();
      } else if (line.contains("uname")) { // the survey of a host
        print(out, ANSWER);
      }
      exit.onExit(0);
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      var reason = (e instanceof InvocationTargetException thrown ? thrown.getCause() : e) + "\n";
      try {
        print(err, reason);
      } catch (IOException gone) {
        e.addSuppressed(gone);
      }
      exit.onExit(1, reason);
    }
  }

  private static void print(OutputStream stream, String text) throws IOException {
    stream.write(text.getBytes(StandardCharsets.US_ASCII));
    stream.flush();
  }

  private void node() throws IOException, ReflectiveOperationException {
    var type = Class.forName("org.troupe.deployment.node.NodeSettings");
    var read = type.getDeclaredMethod("read", InputStream.class);
    read.setAccessible(true);
    var received = read.invoke(null, in);
    var settings =
        new GridMember.Settings(
            (String) value(received, "name"),
            List.of("hosts"),
            (String) value(received, "host"),
            Map.of(),
            (String) value(received, "transport"),
            new Transport.EndpointOptions(
                (String) value(received, "secret"),
                (Transport.Listening) value(received, "listening")),
            Duration.ofNanos((Long) value(received, "silenceNanos")));
    open(settings).join((String) value(received, "contact"), JOIN);
    in.transferTo(OutputStream.nullOutputStream());
  }

  private static Object value(Object settings, String name) throws ReflectiveOperationException {
    return settings.getClass().getMethod(name).invoke(settings);
  }

  private static GridMember open(GridMember.Settings settings) throws ReflectiveOperationException {
    var runtime = Class.forName("org.troupe.activeobjects.internal.runtime.NodeRuntime");
    var transport =
        ServiceLoader.load(Transport.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.name().equals(settings.transport()))
            .findFirst()
            .orElseThrow();
    var node = runtime.getConstructor(String.class).newInstance(settings.name());
    var memberships = runtime.getMethod("memberships");
    return (GridMember)
        Class.forName("org.troupe.activeobjects.internal.membership.GridMembership")
            .getMethod(
                "open", memberships.getReturnType(), GridMember.Settings.class, Transport.class)
            .invoke(null, memberships.invoke(node), settings, transport);
  }

  @Override
  public void destroy(ChannelSession channel) {
    // The end of its input has ended the node.
  }

  /**
   * Starts a node on each of a number of hosts, as the virtual node 'hosts'; returns when all have
   * joined.
   *
   * @param folder with the login data
   */
  static Grid deploy(Path folder, int count)
      throws IOException, InterruptedException, TimeoutException {
    System.setProperty("troupe.ssh.config", folder.resolve("config").toString());
    // The client whose processor time is that of the launcher, as the branches use it, too.
    System.setProperty("troupe.ssh.program", "none");
    var grid = Grid.deploy(Files.writeString(folder.resolve("grid.xml"), descriptor(count)));
    grid.nodes("hosts").await(Nodes.atLeast(count), PATIENCE);
    return grid;
  }

  private static String descriptor(int count) {
    return """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="hosts"/></virtualNodes>
          <mapping><map virtualNode="hosts" to="posing"/></mapping>
          <infrastructure>
            <jvm id="there" sharedFiles="true"/>
            <ssh id="posing" jvm="there" hosts="%s"/>
          </infrastructure>
        </troupe>
        """
        .formatted(
            IntStream.range(0, count)
                .mapToObj(i -> "127.1.%d.%d".formatted(i / HOSTS_PER_NET, i % HOSTS_PER_NET + 1))
                .collect(Collectors.joining(" ")));
  }

  /** Prints the seconds until all nodes have joined, and the processor seconds of the launcher. */
  static final class Deployment {

    static void main(String[] arguments) throws Exception {
      var began = System.nanoTime();
      try (var _ = deploy(Path.of(arguments[0]), Integer.parseInt(arguments[1]))) {
        System.out.println((System.nanoTime() - began) / 1e9);
        System.out.println(cpuSeconds());
        if (arguments.length > 2) {
          watch(Integer.parseInt(arguments[2]));
        }
      }
    }

    /** Prints the share of a core of the launcher while it is watched, in percent, and its heap. */
    private static void watch(int seconds) throws IOException, InterruptedException {
      var client = WatchedGridBenchmark.startClient();
      try {
        // The first and largest answers are over then; the compilers of a launcher of many hosts
        // are not.
        Thread.sleep(Duration.ofSeconds(seconds));
        var began = cpuSeconds();
        Thread.sleep(Duration.ofSeconds(seconds));
        System.out.println((cpuSeconds() - began) / seconds * 100);
        System.out.println(WatchedGridBenchmark.heapMebi());
      } finally {
        client.destroyForcibly().waitFor();
      }
    }

    private static double cpuSeconds() {
      return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis() / 1e3;
    }
  }

  /** Deploys to a number of hosts; returns the seconds, and those of the launcher's processor. */
  static List<Double> figures(int count) throws IOException, InterruptedException {
    return figures(new Object[] {count});
  }

  /**
   * Deploys to a number of hosts, and watches them for some seconds; returns the share of a core of
   * the launcher in percent, and its heap in MiB.
   */
  static List<Double> watchedFigures(int count, int seconds)
      throws IOException, InterruptedException {
    return figures(new Object[] {count, seconds}).subList(2, 4);
  }

  private static List<Double> figures(Object[] arguments) throws IOException, InterruptedException {
    return beside(
        folder ->
            DeploymentBenchmark.figures(
                Deployment.class,
                Stream.concat(Stream.of(folder), Stream.of(arguments)).toArray()));
  }

  /** An action while there are simulated hosts. */
  interface HostUser<T> {

    /**
     * Returns the result of the action.
     *
     * @param folder with the login data
     */
    T with(Path folder) throws IOException, InterruptedException;
  }

  /** Starts the JVM that simulates hosts, and ends it after an action. */
  static <T> T beside(HostUser<T> user) throws IOException, InterruptedException {
    var folder = TerminationCleanup.folder();
    var process =
        TerminationCleanup.start(
            new ProcessBuilder(JvmCommand.command(SimulatedHosts.class.getName(), LEAN, folder))
                .redirectError(ProcessBuilder.Redirect.INHERIT));
    try {
      awaitReady(process);
      return user.with(folder);
    } finally {
      process.destroyForcibly().waitFor();
      TerminationCleanup.hasEnded(process);
      TerminationCleanup.delete(folder);
    }
  }

  /**
   * Waits for the line of {@link #main}; a JVM with a profiler or a debugger prints others before.
   */
  private static void awaitReady(Process process) throws IOException, InterruptedException {
    var output = process.inputReader();
    for (String line; (line = output.readLine()) != null; ) {
      if (line.equals(READY)) {
        return;
      }
      System.err.println(line);
    }
    throw new IOException("the JVM of the simulated hosts ended with " + process.waitFor());
  }
}
