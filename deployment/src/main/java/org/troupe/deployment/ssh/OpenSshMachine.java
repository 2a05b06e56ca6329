package org.troupe.deployment.ssh;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.deployment.process.ShellLine;
import org.troupe.descriptors.Login;

/** A machine that is reached with the ssh program of this system. */
final class OpenSshMachine extends SshMachine {

  /*
   * Design: logins.
   *
   * Ssh resolves its own configuration, so all that it supports is supported here. Its answer to -G is used for three
   * decisions: a living connection of the user's ControlPath is shared; gateways of ProxyJump are machines of
   * this deployment, so that many hosts behind one share its login; and heartbeats and time limits get values where
   * the user has set none.
   *
   * A login is first tried without questions, in parallel to others. If the server refuses it and ssh can ask the user, it
   * is repeated, one at a time, since the questions use one terminal. A machine asks once: after a failure, or when the
   * connection breaks later, no second question interrupts the program. Only a server that admits no more
   * commands per connection (MaxSessions, usually 10) makes a second login, and perhaps question, necessary.
   *
   * A command runs only over a connection: ssh itself would log in where it finds none (OpenSsh.over). Its start returns
   * when the shell there has printed the mark, so the outcome of the start is known.
   */
  private static final long START_SECONDS = 60;
  private static final int MOST_ATTEMPTS = 16;
  private static final String FULL = "Session open refused by peer";

  /** The limit of a login without questions, beyond that of the connection. */
  private static final Duration AUTHENTICATION = Duration.ofSeconds(45);

  /** The limit of a login that asks the user; servers usually allow two minutes. */
  private static final Duration QUESTIONS = Duration.ofSeconds(180);

  private final Login login;
  private final OpenSshMachines all;
  private final int distance;

  /** Held during a login, so that others wait for its connection. */
  private final ReentrantLock opening = new ReentrantLock();

  // Under this.
  private @Nullable OpenSshConnection pending; // a login that has not succeeded yet
  private @Nullable OpenSshSettings settings; // null before the first use
  private final Deque<OpenSshConnection> connections = new ArrayDeque<>(); // newest first
  private final Map<InetSocketAddress, Tunnel> tunnels = new HashMap<>();
  private boolean hasAsked;
  private @Nullable String refusal; // of a login that has asked the user; null if there is none
  private boolean isClosed;

  private record Tunnel(OpenSshConnection connection, int port) {}

  /**
   * @param distance the number of gateways between it and the machine that is to be reached
   */
  OpenSshMachine(Login login, OpenSshMachines all, int distance) {
    this.login = login;
    this.all = all;
    this.distance = distance;
  }

  @Override
  public String name() {
    return login.host();
  }

  @Override
  public RemoteProcess start(
      List<String> command, Map<String, String> environment, Optional<String> folder)
      throws IOException {
    return start(ShellLine.supervised(command, environment, folder), true);
  }

  private RemoteProcess start(String line, boolean mayAsk) throws IOException {
    var connection = connection(mayAsk);
    for (var attempt = 1; ; attempt++) {
      var process = connection.start(line, login.host());
      var output = new MarkedOutput(process.getInputStream());
      var inTime = passMark(process, output);
      if (output.pid() != 0 || process.exitValue() != OpenSshProcess.BROKEN && inTime) {
        return new OpenSshProcess(process, connection, output, this::kill);
      }
      var reason = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      if (reason.contains(FULL) && attempt < MOST_ATTEMPTS) {
        connection = another(connection, mayAsk);
      } else if (!inTime) {
        throw new IOException(
            "%s: the login shell there has not started a command within %d s; see what its start-up files wait for"
                .formatted(name(), START_SECONDS));
      } else if (attempt == 1 && !connection.isOpen()) {
        connection = instead(connection, mayAsk);
      } else {
        throw new IOException(
            "%s: %s starts no command: %s"
                .formatted(
                    name(),
                    settings().target(),
                    reason.isBlank() ? "without a message" : reason.strip()));
      }
    }
  }

  /** Waits for the mark, or the end of the process; returns false if that took too long. */
  private static boolean passMark(Process process, MarkedOutput output) throws IOException {
    var alarm =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(START_SECONDS, TimeUnit.SECONDS));
    output.passMark();
    var inTime = alarm.cancel(false);
    if (output.pid() == 0) {
      try {
        process.waitFor();
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while a command was started over ssh", e);
      }
    }
    return inTime;
  }

  @Override
  public int forward(InetSocketAddress local) throws IOException {
    var connection = connection(true);
    if (!connection.isOpen()) {
      connection = instead(connection, true);
    }
    synchronized (this) {
      var known = tunnels.get(local);
      if (known != null && known.connection() == connection) {
        return known.port();
      }
      try {
        var port = connection.forward(local);
        tunnels.put(local, new Tunnel(connection, port));
        return port;
      } catch (IOException e) {
        throw new IOException(
            "%s: %s forwards no ports to us: %s; ask for AllowTcpForwarding in its sshd_config"
                .formatted(name(), settings().target(), e.getMessage()),
            e);
      }
    }
  }

  @Override
  public int reach(int port) throws IOException {
    var connection = connection(true);
    if (!connection.isOpen()) {
      connection = instead(connection, true);
    }
    try {
      return connection.reach(port);
    } catch (IOException e) {
      throw new IOException(
          "%s: ssh does not lead to port %d there: %s".formatted(name(), port, e.getMessage()), e);
    }
  }

  /** Returns the control socket of a connection, for machines that are reached through this one. */
  private Path passage() throws IOException {
    var connection = connection(true);
    if (!connection.isOpen()) {
      connection = instead(connection, true);
    }
    return Path.of(connection.socket());
  }

  private OpenSshConnection connection(boolean mayAsk) throws IOException {
    return connection(Optional.empty(), mayAsk);
  }

  /** Returns a connection in place of one that has ended. */
  private OpenSshConnection instead(OpenSshConnection ended, boolean mayAsk) throws IOException {
    synchronized (this) {
      connections.remove(ended);
    }
    ended.close();
    return connection(mayAsk);
  }

  /** Returns a connection other than one that admits no more commands. */
  private OpenSshConnection another(OpenSshConnection full, boolean mayAsk) throws IOException {
    return connection(Optional.of(full), mayAsk);
  }

  private OpenSshConnection connection(Optional<OpenSshConnection> full, boolean mayAsk)
      throws IOException {
    try {
      opening.lockInterruptibly();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    try {
      Optional<OpenSshConnection> newest;
      boolean mayAskNow;
      synchronized (this) {
        newest = Optional.ofNullable(connections.peekFirst());
        mayAskNow = mayAsk && (full.isPresent() || !hasAsked);
      }
      if (newest.isPresent() && !newest.equals(full)) {
        return newest.get();
      }
      var opened = opened(newest.isEmpty(), mayAskNow);
      synchronized (this) {
        connections.addFirst(opened);
        if (isClosed) {
          opened.close();
        }
      }
      return opened;
    } finally {
      opening.unlock();
    }
  }

  private IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IOException(name() + ": interrupted before its login", e);
  }

  private synchronized OpenSshSettings settings() throws IOException {
    if (settings == null) {
      settings = all.ssh().settings(login);
    }
    return settings;
  }

  private OpenSshConnection opened(boolean isFirst, boolean mayAsk) throws IOException {
    synchronized (this) {
      if (refusal != null) {
        throw new IOException(refusal);
      }
    }
    var shared = isFirst ? ofUser() : Optional.<OpenSshConnection>empty();
    return shared.isPresent() ? shared.get() : loggedIn(mayAsk);
  }

  /** Returns the connection that the user keeps open. */
  private Optional<OpenSshConnection> ofUser() throws IOException {
    var path = settings().value("controlpath");
    return path.isPresent() && all.ssh().control(path.get(), "check", List.of()).exitCode() == 0
        ? Optional.of(OpenSshConnection.ofUser(all.ssh(), path.get()))
        : Optional.empty();
  }

  private OpenSshConnection loggedIn(boolean mayAsk) throws IOException {
    var gateway = gateway();
    var options = options(settings(), gateway);
    try {
      return loggedIn(options, false);
    } catch (OpenSshConnection.Refusal first) {
      var failure = new OpenSshFailure(login, settings(), target(gateway), first);
      var silence =
          settings().isWithoutPrompts()
              ? Optional.of("the ssh configuration says BatchMode yes")
              : LoginTerminal.absence(all.ssh().environment());
      if (!failure.isOfUser() || silence.isPresent() || !mayAsk) {
        throw new IOException(
            failure.message(
                silence.or(
                    () -> Optional.of("it has been entered once, and is not asked for again"))),
            first);
      }
      return asking(options, gateway);
    }
  }

  private OpenSshConnection asking(List<String> options, Optional<OpenSshMachine> gateway)
      throws IOException {
    synchronized (this) {
      hasAsked = true;
    }
    try {
      LoginTerminal.acquire();
      try {
        return loggedIn(options, true);
      } finally {
        LoginTerminal.release();
      }
    } catch (OpenSshConnection.Refusal second) {
      var message =
          new OpenSshFailure(login, settings(), target(gateway), second).message(Optional.empty());
      synchronized (this) {
        refusal = message;
      }
      throw new IOException(message, second);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private OpenSshConnection loggedIn(List<String> options, boolean asks)
      throws IOException, OpenSshConnection.Refusal {
    try {
      all.logins().acquire();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    try {
      var limit = asks ? QUESTIONS : settings().timeout().plus(AUTHENTICATION);
      var begun = begun(options, asks);
      begun.awaitLogin(limit);
      return begun;
    } finally {
      synchronized (this) {
        pending = null;
      }
      all.logins().release();
    }
  }

  private synchronized OpenSshConnection begun(List<String> options, boolean asks)
      throws IOException {
    if (isClosed) {
      throw new IOException(name() + ": its connection has been closed");
    }
    var begun = OpenSshConnection.login(all.ssh(), login, options, asks, all.run());
    pending = begun;
    return begun;
  }

  private Optional<OpenSshMachine> gateway() throws IOException {
    var next = SshRoute.gateway(login, settings().value("proxyjump"));
    return next.isPresent() ? Optional.of(all.gateway(next.get(), distance + 1)) : Optional.empty();
  }

  private static Optional<String> target(Optional<OpenSshMachine> gateway) throws IOException {
    return gateway.isPresent() ? Optional.of(gateway.get().settings().target()) : Optional.empty();
  }

  private List<String> options(OpenSshSettings its, Optional<OpenSshMachine> gateway)
      throws IOException {
    var options = new ArrayList<String>();
    // The connection is for our commands and ports only.
    option(options, "ControlPersist", "no");
    option(options, "ClearAllForwardings", "yes");
    option(options, "RemoteCommand", "none");
    option(options, "RequestTTY", "no");
    option(options, "LogLevel", "INFO"); // its messages are the reasons of failures
    option(options, "ConnectTimeout", Long.toString(its.timeout().toSeconds()));
    option(options, "ServerAliveInterval", Integer.toString(its.heartbeatSeconds()));
    option(options, "ServerAliveCountMax", "3");
    option(
        options,
        "StrictHostKeyChecking",
        its.acceptsNewHosts(login.hostKeys()) ? "accept-new" : "yes");
    if (gateway.isPresent()) {
      option(options, "ProxyCommand", passageCommand(gateway.get()));
    }
    return options;
  }

  private static void option(List<String> options, String keyword, String value) {
    options.addAll(List.of("-o", keyword + "=" + value));
  }

  /** Returns the command by which ssh reaches this machine over the connection of its gateway. */
  private String passageCommand(OpenSshMachine gateway) throws IOException {
    String socket;
    try {
      socket = gateway.passage().toString();
    } catch (IOException e) {
      throw new IOException(name() + ": its gateway fails: " + e.getMessage(), e);
    }
    var words = new ArrayList<>(all.ssh().session());
    words.addAll(all.ssh().over(socket));
    return words.stream()
            .map(ShellLine::quoted)
            .map(word -> word.replace("%", "%%"))
            .collect(Collectors.joining(" ", "", " "))
        + "-W '[%h]:%p' -- gateway";
  }

  /** Kills a process there; never asks the user for that. */
  private void kill(long pid) {
    Thread.ofPlatform()
        .daemon()
        .name("troupe-ssh-kill")
        .start(
            () -> {
              try {
                start(
                        ShellLine.supervised(
                            List.of("kill", "-KILL", Long.toString(pid)),
                            Map.of(),
                            Optional.empty()),
                        false)
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
    if (pending != null) {
      pending.abort();
    }
    connections.forEach(OpenSshConnection::close);
  }

  @Override
  void awaitEnd() {
    List<OpenSshConnection> ending;
    synchronized (this) {
      ending = List.copyOf(connections);
    }
    ending.forEach(OpenSshConnection::awaitEnd);
  }
}
