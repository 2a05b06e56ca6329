package org.troupe.deployment.ssh;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.node.ForwarderMain;
import org.troupe.deployment.staging.Installation;

/**
 * The forwarders: processes on front ends that connect the nodes behind them to this program. One
 * for each front end and choice of networks. Thread-safe.
 */
public final class Forwarders implements Closeable {

  /*
   * Ssh forwards a port of the front end's loopback address, which other machines cannot reach; few servers allow more
   * (GatewayPorts). So a forwarder there listens for other machines. It is one of the routes that nodes try, after
   * direct ones; if these work, it stays idle.
   */

  /**
   * Options for a small JVM, since other users share the machine; direct memory is used by
   * connections only.
   */
  private static final List<String> SMALL =
      List.of(
          "-Xmx64m",
          "-XX:MaxDirectMemorySize=600m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+ExitOnOutOfMemoryError");

  private static final long START_SECONDS = 30;
  private static final long END_SECONDS = 5;

  private final RunJournal run;
  private final Map<Key, Forwarding> all = new ConcurrentHashMap<>();

  private record Key(SshMachine frontEnd, List<String> networks, int port) {}

  public Forwarders(RunJournal run) {
    this.run = run;
  }

  /**
   * Returns the command that starts a forwarder.
   *
   * @param there the installation on the front end
   * @param port the port of the front end's loopback address
   */
  public static List<String> command(
      RunJournal run, Installation there, List<String> networks, String port) {
    var command = new ArrayList<>(List.of(there.java(), run.option()));
    command.addAll(SMALL);
    command.addAll(List.of("-cp", String.join(":", there.classPath())));
    command.add(ForwarderMain.class.getName());
    command.add(port);
    command.addAll(networks);
    return command;
  }

  /**
   * Returns the addresses to which nodes behind a front end may connect instead of to a port of
   * this machine; starts the forwarder, if need be, and waits until it listens.
   *
   * @param there the installation on the front end
   * @param networks the networks on which it listens; empty for all
   * @param port the port of this machine's loopback address
   * @throws IOException if the front end does not forward ports, or the forwarder cannot be started
   */
  public List<InetSocketAddress> through(
      SshMachine frontEnd, Installation there, List<String> networks, int port) throws IOException {
    return all.computeIfAbsent(new Key(frontEnd, networks, port), Forwarding::new).addresses(there);
  }

  /** The forwarder on one front end. */
  private final class Forwarding {

    private final Key key;
    // Under this.
    private @Nullable Process process; // null before the first
    private List<InetSocketAddress> addresses = List.of();

    Forwarding(Key key) {
      this.key = key;
    }

    /** Returns the addresses; starts a new process if the connection has broken meanwhile. */
    synchronized List<InetSocketAddress> addresses(Installation there) throws IOException {
      if (process == null || !process.isAlive()) {
        var port = key.frontEnd().forward(new InetSocketAddress("127.0.0.1", key.port()));
        var command = command(run, there, key.networks(), Integer.toString(port));
        var started = key.frontEnd().start(command, Map.of(), Optional.empty());
        process = started;
        addresses = read(answer(started));
      }
      return addresses;
    }

    private String answer(Process process) throws IOException {
      var answer = firstLine(process.inputReader(), ForwarderMain.LISTENING);
      try {
        var line = answer.get(START_SECONDS, TimeUnit.SECONDS);
        if (line.isPresent()) {
          return line.get().substring(ForwarderMain.LISTENING.length());
        }
        var error = firstLine(process.errorReader(), "").get(END_SECONDS, TimeUnit.SECONDS);
        throw new IOException(
            key.frontEnd().name()
                + ": the forwarder there ended at once: "
                + error.orElse("without an error message"));
      } catch (ExecutionException | TimeoutException e) {
        process.destroyForcibly();
        throw new IOException(
            "%s: the forwarder there has not reported its addresses within %d s"
                .formatted(key.frontEnd().name(), START_SECONDS),
            e);
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
        throw new IOException(
            key.frontEnd().name() + ": interrupted while the forwarder there started", e);
      }
    }

    private static CompletableFuture<Optional<String>> firstLine(
        BufferedReader reader, String beginning) {
      return CompletableFuture.supplyAsync(
          () -> reader.lines().filter(line -> line.startsWith(beginning)).findFirst(),
          task -> Thread.ofPlatform().daemon().name("troupe-forwarder").start(task));
    }

    private static List<InetSocketAddress> read(String line) {
      var words = line.split(" ");
      var addresses = new ArrayList<InetSocketAddress>();
      for (var i = 0; i + 1 < words.length; i += 2) {
        addresses.add(InetSocketAddress.createUnresolved(words[i], Integer.parseInt(words[i + 1])));
      }
      return addresses;
    }

    synchronized void end() {
      if (process == null) {
        return;
      }
      try {
        process.getOutputStream().close();
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (IOException e) {
        // The connection is broken, so the process has ended.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // it ends with the connection
      }
    }
  }

  /** Ends all forwarders. */
  @Override
  public void close() {
    all.values().forEach(Forwarding::end);
  }
}
