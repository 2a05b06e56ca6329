package org.troupe.deployment.ssh;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sshd.client.channel.ClientChannel;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.deployment.process.ShellLine;

/** A machine that is reached with Apache MINA SSHD, the ssh client within this JVM. */
public final class MinaMachine extends SshMachine {

  private static final Duration FAREWELL = Duration.ofSeconds(1);
  private static final String LOOPBACK = "127.0.0.1";

  private final SshHost host;
  private final Optional<MinaMachine> gateway;
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
  public MinaMachine(SshHost host, Optional<MinaMachine> gateway, SshConnector connector) {
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
    return new MinaProcess(open(line), this::kill);
  }

  @Override
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
                  new SshdSocketAddress(LOOPBACK, 0), new SshdSocketAddress(local))
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

  @Override
  public int reach(int port) throws IOException {
    return session()
        .startLocalPortForwarding(
            new SshdSocketAddress(LOOPBACK, 0), new SshdSocketAddress(LOOPBACK, port))
        .getPort();
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

  /** Waits up to a second. */
  @Override
  void awaitEnd() {
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
