package org.troupe.deployment.ssh;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.sshd.client.channel.ClientChannel;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.deployment.process.ShellLine;

/**
 * A machine that is reached over ssh. The first use logs in; all commands there share the
 * connection.
 */
public final class SshMachine implements Machine {

  /** Writes standard input to a file, atomically even if the connection breaks. */
  private static final String PUT =
      """
      umask 077 && mkdir -p "$1" && cat >"$2" && [ "$(wc -c <"$2")" -eq "$4" ] && mv -f "$2" "$3" && exit
      rm -f "$2"; exit 1
      """;

  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final SshHost host;
  private final Optional<SshMachine> gateway;
  private final SshConnector connector;

  /*
   * Guarded by this. Several, newest first, only because servers limit the channels of one connection (OpenSSH's
   * MaxSessions, usually 10).
   */
  private final Deque<ClientSession> sessions = new ArrayDeque<>();
  private final Map<InetSocketAddress, Tunnel> tunnels = new HashMap<>();
  private boolean isClosed;

  private record Tunnel(ClientSession session, int port) {}

  /**
   * @param gateway the machine through which this one is reached; empty for a direct connection
   */
  public SshMachine(SshHost host, Optional<SshMachine> gateway, SshConnector connector) {
    this.host = host;
    this.gateway = gateway;
    this.connector = connector;
  }

  @Override
  public String name() {
    return host.name();
  }

  SshHost host() {
    return host;
  }

  @Override
  public RemoteProcess start(
      List<String> command, Map<String, String> environment, Optional<String> folder)
      throws IOException {
    var line = ShellLine.marked(command, environment, folder);
    return new SshProcess(open(line), this::kill);
  }

  @Override
  public void put(Path file, String path) throws IOException {
    try (var in = Files.newInputStream(file)) {
      put(in, Files.size(file), path);
    }
  }

  @Override
  public void put(byte[] content, String path) throws IOException {
    put(new ByteArrayInputStream(content), content.length, path);
  }

  private void put(InputStream content, long length, String path) throws IOException {
    var target = ShellLine.fromHome(path);
    var folder = target.substring(0, Math.max(1, target.lastIndexOf('/')));
    var part = folder + "/.part-" + UUID.randomUUID();
    var process =
        start(
            List.of("/bin/sh", "-c", PUT, "sh", folder, part, target, Long.toString(length)),
            Map.of(),
            Optional.empty());
    try {
      String errorOutput;
      try (var in = process.getOutputStream()) {
        content.transferTo(in);
      } catch (IOException e) {
        // The command ended early; its error output, below, states the reason.
      }
      errorOutput = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(
            "%s: '%s' cannot be written: %s"
                .formatted(
                    name(),
                    path,
                    errorOutput.isBlank()
                        ? process.explanation().orElse("it was cut short")
                        : errorOutput.strip()));
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException(name() + ": interrupted while '" + path + "' was written", e);
    }
  }

  /**
   * Forwards a port of the machine's loopback address to an address of this machine, for as long as
   * the connection lasts. The machine chooses the port; further calls return the same one.
   *
   * @return the machine's port
   */
  public synchronized int forward(InetSocketAddress local) throws IOException {
    var session = session();
    var known = tunnels.get(local);
    if (known != null && known.session() == session) {
      return known.port();
    }
    try {
      var port =
          session
              .startRemotePortForwarding(
                  new SshdSocketAddress("127.0.0.1", 0), new SshdSocketAddress(local))
              .getPort();
      tunnels.put(local, new Tunnel(session, port));
      return port;
    } catch (IOException e) {
      throw new IOException(
          "%s: %s forwards no ports to us: %s; ask for AllowTcpForwarding in its sshd_config"
              .formatted(name(), host, SshConnector.reason(e)),
          e);
    }
  }

  /** Opens a channel over a connection, which it opens if there is none. */
  private ClientChannel open(String line) throws IOException {
    try {
      return open(session(), line);
    } catch (SshChannelOpenException e) {
      return open(anotherSession(), line); // the connection has no more channels
    }
  }

  private ClientChannel open(ClientSession session, String line) throws IOException {
    var channel = session.createExecChannel(line);
    try {
      channel.open().verify(host.timeout());
      return channel;
    } catch (IOException e) {
      channel.close(true);
      if (e.getCause() instanceof SshChannelOpenException full) {
        throw full;
      }
      throw e instanceof SshChannelOpenException
          ? e
          : new IOException(
              "%s: %s starts no command: %s".formatted(name(), host, SshConnector.reason(e)), e);
    }
  }

  synchronized ClientSession session() throws IOException {
    sessions.removeIf(session -> !session.isOpen());
    return sessions.isEmpty() ? anotherSession() : sessions.getFirst();
  }

  private synchronized ClientSession anotherSession() throws IOException {
    if (isClosed) {
      throw new IOException(name() + ": its connection has been closed");
    }
    var session = connector.login(host, throughGateway());
    sessions.addFirst(session);
    return session;
  }

  private Optional<ClientSession> throughGateway() throws IOException {
    if (gateway.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(gateway.get().session());
    } catch (IOException e) {
      throw new IOException(name() + ": its gateway fails: " + e.getMessage(), e);
    }
  }

  private void kill(long pid) {
    Thread.ofPlatform()
        .daemon()
        .name("troupe-ssh-kill")
        .start(
            () -> {
              try {
                start(List.of("kill", "-KILL", Long.toString(pid)), Map.of(), Optional.empty())
                    .getOutputStream()
                    .close();
              } catch (IOException e) {
                // Without a connection, the process only notices the end of its input.
              }
            });
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    sessions.forEach(session -> session.close(false));
  }

  /** Waits up to a second for the connections to close in order. */
  public void awaitEnd() {
    List<ClientSession> ending;
    synchronized (this) {
      ending = List.copyOf(sessions);
    }
    for (var session : ending) {
      try {
        session.close(false).await(FAREWELL);
      } catch (IOException e) {
        return; // interrupted: the connections left end with the client
      }
    }
  }
}
