package org.troupe.deployment.runs;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.BatchElements;
import org.troupe.deployment.Grid;
import org.troupe.deployment.ListeningSockets;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.model.OutputLine;
import org.troupe.deployment.ssh.SshServerForTests;
import org.troupe.descriptors.BatchJvms;
import org.troupe.links.Address;
import org.troupe.links.NoSuchServiceException;
import org.troupe.links.Secret;
import org.troupe.links.WrongSecretException;
import org.troupe.links.port.Port;
import org.troupe.program.Quick;
import org.troupe.program.Worker;
import org.troupe.testing.LogRecords;

/**
 * Attacks without the secret on each socket of a deployment: they get no answer and hold no
 * resources.
 */
@Timeout(300)
class StrangersAtDeploymentsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Between two bytes of a slow sender; no order depends on it. */
  private static final Duration PACE = Duration.ofMillis(500);

  private static final byte[] HELLO = "TROUPE\r\n".getBytes(US_ASCII);
  private static final int MEBI = 1 << 20;

  /**
   * The size of a challenge and of the answer to a wrong proof, the only bytes that a stranger
   * receives.
   */
  private static final int MOST_BYTES = 32 + 37;

  /**
   * The bytes that the system may buffer for a connection; a sender of more must be disconnected.
   */
  private static final int MOST_MEBIBYTES = 64;

  /**
   * The growth of memory that compilation and garbage collection explain; strangers send many times
   * as much.
   */
  private static final long MOST_GROWTH = 256L << 20;

  /** Warnings of nodes about refused connections. */
  private final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();

  @TempDir private Path folder;
  private SshServerForTests server;
  private Grid grid;
  private MachineRegistry machines;

  @BeforeEach
  void deploy(LogRecords records) throws Exception {
    records.allow(WARNING, "refused a connection");
    assumeTrue(ListeningSockets.areKnown(), "finds listening sockets in /proc");
    server = new SshServerForTests(folder);
    var config = "Host far\n  HostName 127.0.0.1\n  Port " + server.port() + "\n";
    System.setProperty("troupe.ssh.config", server.writeConfig(config).toString());
    grid = Grid.deploy(descriptor(), Quick.GRID.withOutput(this::said));
  }

  private void said(OutputLine line) {
    if (line.text().contains("refused a connection")) {
      refusals.add(line.node() + ": " + line.text());
    }
  }

  @AfterEach
  void end() throws IOException {
    System.clearProperty("troupe.ssh.config");
    if (machines != null) {
      machines.close();
    }
    if (grid != null) {
      grid.close();
    }
    if (server != null) {
      server.close();
    }
  }

  /**
   * Deploys one node over ssh, with a tunnel, and one on this machine, whose settings are copied.
   */
  private Path descriptor() throws IOException {
    var home = Files.createDirectories(folder.resolve("jdk/bin")).getParent();
    var java =
        Files.writeString(
            home.resolve("bin/java"),
            "#!/bin/sh\ntee '%s/settings' | '%s/bin/java' \"$@\"\n"
                .formatted(folder, System.getProperty("java.home")));
    assertThat(java.toFile().setExecutable(true)).isTrue();
    return Files.writeString(
        folder.resolve("grid.xml"),
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="workers"/></virtualNodes>
          <mapping>
            <map virtualNode="workers" to="here"/><map virtualNode="workers" to="there"/>
          </mapping>
          <infrastructure>
            <jvm id="copied" javaHome="%s"><option>-XX:TieredStopAtLevel=1</option></jvm>
            <jvm id="plain"><option>-XX:TieredStopAtLevel=1</option></jvm>
            <local id="here" jvm="copied"/>
            <ssh id="there" hosts="far" jvm="plain"/>
          </infrastructure>
        </troupe>
        """
            .formatted(home));
  }

  // What strangers do

  private interface Attack {
    void on(SocketChannel channel) throws IOException;
  }

  private static void send(SocketChannel channel, byte[] bytes) throws IOException {
    for (var all = ByteBuffer.wrap(bytes); all.hasRemaining(); ) {
      channel.write(all);
    }
  }

  private static byte[] random(int count) {
    var bytes = new byte[count];
    new Random(42).nextBytes(bytes);
    return bytes;
  }

  private static Map<String, Attack> attacks(byte[] recorded) {
    return Map.of(
        "silent", channel -> {},
        "half-open",
            channel -> {
              send(channel, HELLO);
              channel.shutdownOutput();
            },
        "slow",
            channel -> {
              var ends = System.nanoTime() + PATIENCE.toNanos();
              for (var i = 0; System.nanoTime() < ends; i++) {
                send(channel, new byte[] {HELLO[i % HELLO.length]});
                LockSupport.parkNanos(PACE.toNanos());
              }
            },
        "random", channel -> send(channel, random(500)),
        "oversized",
            channel -> {
              send(channel, HELLO);
              for (var i = 0; i < MOST_MEBIBYTES; i++) {
                send(channel, random(MEBI));
              }
              throw new AssertionError("it took " + MOST_MEBIBYTES + " MiB");
            },
        "without a line's end",
            channel -> {
              for (var i = 0; i < MOST_MEBIBYTES; i++) {
                send(channel, "status ".repeat(MEBI / 7).getBytes(US_ASCII));
              }
              throw new AssertionError("it took " + MOST_MEBIBYTES + " MiB");
            },
        "another protocol", channel -> send(channel, "GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII)),
        "replayed", channel -> send(channel, recorded));
  }

  /**
   * Attacks, and returns the violations that it finds; empty if there are none.
   *
   * @param mayStall whether a connection may also stall, neither read nor closed
   */
  private static String outcome(SocketAddress where, boolean mayStall, String name, Attack attack) {
    var answer = new ByteArrayOutputStream();
    try (var channel = SocketChannel.open(where)) {
      var reading = // a stranger whose connection is not closed would read forever
          CompletableFuture.runAsync(() -> read(channel, answer), Thread::startVirtualThread);
      var sending =
          CompletableFuture.runAsync(() -> attack(channel, attack), Thread.ofPlatform()::start);
      sending.get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
      reading.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return mayStall ? "" : name + " at " + where + " was neither read nor cut off";
    } catch (Exception e) {
      return name + " at " + where + ": " + e;
    }
    var isToBeTold = where instanceof UnixDomainSocketAddress && isRefusal(answer);
    return answer.size() <= MOST_BYTES || isToBeTold
        ? ""
        : name + " at " + where + " was told " + answer.size() + " bytes";
  }

  private static void attack(SocketChannel channel, Attack attack) {
    try {
      attack.on(channel);
    } catch (IOException e) {
      // Disconnected, as expected.
    }
  }

  private static boolean isRefusal(ByteArrayOutputStream answer) {
    return answer.toString(US_ASCII).startsWith(ControlServer.NO + " ");
  }

  private static void read(SocketChannel channel, ByteArrayOutputStream answer) {
    var bytes = ByteBuffer.allocate(4096);
    try {
      while (channel.read(bytes.clear()) >= 0) {
        answer.write(bytes.array(), 0, bytes.position());
      }
    } catch (IOException e) {
      // A reset is a disconnection, too.
    }
  }

  // What the one who reads the settings of a node can find out

  private String found(String pattern) throws IOException {
    var text = Files.readString(folder.resolve("settings"), ISO_8859_1);
    var matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  /** Connects once with the right secret; returns the bytes sent to the coordinator. */
  private byte[] recorded(int port, String identity) throws Exception {
    var sent = new ByteArrayOutputStream();
    var threads = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
    try (var tap = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var own = Port.open(Secret.parse(found("([0-9a-f]{64})")))) {
      threads.submit(
          () -> {
            try (Socket caller = tap.accept();
                var onward = new Socket(InetAddress.getLoopbackAddress(), port)) {
              threads.submit(() -> copy(onward.getInputStream(), caller.getOutputStream()));
              copy(caller.getInputStream(), new Both(onward.getOutputStream(), sent));
            }
            return null;
          });
      var address = Address.parse("127.0.0.1:" + tap.getLocalPort() + "#" + identity);
      assertThatThrownBy(() -> own.connect(address, "no-such-service", PATIENCE))
          .isInstanceOf(NoSuchServiceException.class);
    } finally {
      threads.shutdownNow();
    }
    return sent.toByteArray();
  }

  private static Void copy(InputStream from, OutputStream to) throws IOException {
    from.transferTo(to);
    return null;
  }

  private static final class Both extends OutputStream {
    private final OutputStream one;
    private final OutputStream other;

    Both(OutputStream one, OutputStream other) {
      this.one = one;
      this.other = other;
    }

    @Override
    public void write(int b) throws IOException {
      one.write(b);
      other.write(b);
    }
  }

  @Test
  void getNothingAnywhereAndDisturbNobody(LogRecords records) throws Exception {
    var workers = new ArrayList<Worker>();
    var pids = new ArrayList<Long>();
    for (var node : grid.nodes("workers").await(Nodes.all(), PATIENCE)) {
      workers.add(ActiveObjects.on(node).create(Worker.class));
      pids.add(workers.getLast().pid());
    }
    var identity = found("#([0-9a-f]{16})");
    var coordinator = Integer.parseInt(found("(?s).*?:(\\d{4,5})[,#]"));
    pids.add(forwarder(coordinator));
    pids.add(ProcessHandle.current().pid());
    var places = new ArrayList<>(ListeningSockets.of(pids));
    places.remove(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    assertThat(places)
        .as("two nodes, the coordinator, the tunnels, the forwarder")
        .hasSizeGreaterThanOrEqualTo(6);
    assertThat(places).as("the control socket").anyMatch(each -> (each + "").endsWith(".sock"));
    var attacks = attacks(recorded(coordinator, identity));
    var before = resident(pids);
    assertThat(places).as("the tunnel's end").anyMatch(this::mayStall);

    var outcomes = attacked(places, attacks, workers);

    assertThat(outcomes).filteredOn(each -> !each.isEmpty()).isEmpty();
    try (var another = Port.open(Secret.random())) {
      var address = Address.parse("127.0.0.1:" + coordinator + "#" + identity);
      assertThatThrownBy(() -> another.connect(address, "no-such-service", PATIENCE))
          .as("as after a deployment that had this port before")
          .isInstanceOf(WrongSecretException.class);
    }
    assertThat(resident(pids) - before).as("growth in bytes").isLessThan(MOST_GROWTH);
    refusals.addAll(records.texts(WARNING)); // the warnings of this program
    assertThat(refusals).isNotEmpty().doesNotHaveDuplicates();
    for (var worker : workers) {
      assertThat(worker.count()).isPositive();
    }
    assertThat(status().nodes()).extracting(GridStatus.NodeLine::state).containsOnly("joined");
  }

  /** Starts the forwarder for nodes behind a front end; returns its process id. */
  private long forwarder(int coordinator) throws IOException {
    var login = server.login();
    var jvm = BatchElements.of(new BatchJvms.Scheduler.Slurm(), Optional.empty(), 1, 1).jvm();
    var run = RunJournal.create(folder.resolve("records"));
    machines = new MachineRegistry("", run);
    var frontEnd = machines.of(login);
    var there = machines.staging().on(frontEnd, jvm);
    machines.forwarders().through(frontEnd, there, List.of("127.0.0.1/32"), coordinator);
    return ProcessHandle.allProcesses()
        .filter(
            each -> List.of(each.info().arguments().orElse(new String[0])).contains(run.option()))
        .findFirst()
        .orElseThrow()
        .pid();
  }

  /**
   * Returns whether a socket belongs to the tests' ssh server, which may lose the close of a
   * tunnel's channel.
   */
  private boolean mayStall(SocketAddress place) {
    return place instanceof InetSocketAddress at && server.tunnelPorts().contains(at.getPort());
  }

  /** Attacks all sockets at the same time, while workers are called. */
  private Collection<String> attacked(
      List<SocketAddress> places, Map<String, Attack> attacks, List<Worker> workers)
      throws Exception {
    var outcomes = new ArrayList<CompletableFuture<String>>();
    for (var place : places) {
      attacks.forEach(
          (name, attack) ->
              outcomes.add(
                  CompletableFuture.supplyAsync(
                      () -> outcome(place, mayStall(place), name, attack),
                      task -> Thread.ofPlatform().start(task))));
    }
    var ended = CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new));
    while (!ended.isDone()) {
      for (var worker : workers) {
        assertThat(worker.count()).isPositive();
      }
      // Yields the processors to the attackers.
      ended.copy().completeOnTimeout(null, 20, TimeUnit.MILLISECONDS).join();
    }
    return outcomes.stream().map(CompletableFuture::join).toList();
  }

  private static long resident(List<Long> pids) throws IOException {
    var sum = 0L;
    for (var pid : pids) {
      sum += ListeningSockets.resident(pid);
    }
    return sum;
  }

  private GridStatus status() throws IOException {
    return RunningGrid.ofThisProgram(grid.run()).orElseThrow().status();
  }
}
