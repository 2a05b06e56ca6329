package org.troupe.deployment.ssh;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.troupe.descriptors.Login;

/**
 * A connection of the ssh program that commands and forwarded ports share: one that this program
 * has opened, or one that the user keeps open. Thread-safe.
 */
final class OpenSshConnection {

  /*
   * Design: the end of a connection.
   *
   * The master process of ssh is a daemon, so that signals of the terminal do not reach it. It must end with this
   * program, also if SIGKILL ends that. Therefore a shell, the guard, starts it, and then reads from a pipe whose
   * other end this program holds: at the end of that input, however it came about, the guard closes the connection and
   * removes the socket. If guard and program are killed together, the connection stays; its socket is named
   * after the run, so 'troupe clean' and the next launcher find and end it.
   *
   * A connection of the user is never closed. Its guard cancels the ports that this program has forwarded, which it reads
   * from the same pipe, one a line, each behind the option with its direction.
   *
   * The guard of a login that may ask the user stays in the process group of the terminal; others get a session of
   * their own, so that Ctrl-C, after which this program ends its nodes in order, does not end their proxy commands.
   */
  private static final String GUARD =
      """
      trap '' INT HUP
      kind=$1 ssh=$2 socket=$3 log=$4
      shift 4
      [ "$kind" = user ] || "$@" </dev/null || { cat "$log" 2>/dev/null; rm -f "$socket" "$log"; exit 1; }
      echo "up"
      set --
      while read -r way forward; do set -- "$@" "$way" "$forward"; done
      if [ "$kind" = user ]; then
        while [ "$#" -gt 1 ]; do
          "$ssh" -F none -S "$socket" -O cancel "$1" "$2" the-connection
          shift 2
        done
      else
        "$ssh" -F none -S "$socket" -O exit the-connection
        rm -f "$socket" "$log"
      fi >/dev/null 2>&1
      """;

  private static final String THERE = "-R"; // the forwarded port is the machine's
  private static final String HERE = "-L";
  private static final int MOST_PORTS = 5; // that other programs may take in the meantime

  private static final String UP = "up";
  private static final String OWN = "own";
  private static final String USER = "user";

  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private static final Executor THREADS =
      task -> Thread.ofPlatform().daemon().name("troupe-ssh-login").start(task);

  private final OpenSsh ssh;
  private final boolean isOwn;
  private final String socket;
  private final Path log;
  private final Process guard;

  /** A login that failed, with the messages of ssh. */
  static final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // never sent
    private final List<String> messages;

    private final boolean isLate;

    Refusal(List<String> messages, boolean isLate) {
      super(String.join("; ", messages));
      this.messages = List.copyOf(messages);
      this.isLate = isLate;
    }

    List<String> messages() {
      return messages;
    }

    /** Returns whether the login was given up after its time limit. */
    boolean isLate() {
      return isLate;
    }
  }

  private OpenSshConnection(OpenSsh ssh, boolean isOwn, String socket, Path log, Process guard) {
    this.ssh = ssh;
    this.isOwn = isOwn;
    this.socket = socket;
    this.log = log;
    this.guard = guard;
  }

  /** Uses a connection that the user keeps open. */
  static OpenSshConnection ofUser(OpenSsh ssh, String socket) throws IOException {
    var guard = ssh.start(guard(ssh, USER, socket, Path.of(""), List.of()), Optional.empty());
    return new OpenSshConnection(ssh, false, socket, Path.of(""), guard);
  }

  /**
   * Begins to log in; {@link #awaitLogin} waits for the end of that.
   *
   * @param options of the ssh program
   * @param asks whether ssh may ask the user, on the terminal or otherwise
   * @throws IOException if ssh cannot be started
   */
  static OpenSshConnection login(
      OpenSsh ssh, Login login, List<String> options, boolean asks, String run) throws IOException {
    var socket = ConnectionFolder.newSocket(run);
    var log = ConnectionFolder.log(socket);
    var command = new ArrayList<>(List.of(ssh.program().toString(), "-f", "-N", "-M"));
    command.addAll(List.of("-S", socket.toString(), "-E", log.toString()));
    command.addAll(options);
    if (!asks) {
      command.addAll(List.of("-o", "BatchMode=yes"));
    }
    command.addAll(ssh.words(login));
    command.addAll(List.of("--", login.host()));
    var words = new ArrayList<String>(asks ? List.of() : ssh.session());
    words.addAll(guard(ssh, OWN, socket.toString(), log, command));
    var guard = ssh.start(words, asks ? LoginTerminal.output() : Optional.empty());
    return new OpenSshConnection(ssh, true, socket.toString(), log, guard);
  }

  private static List<String> guard(
      OpenSsh ssh, String kind, String socket, Path log, List<String> command) {
    var words =
        new ArrayList<>(
            List.of("/bin/sh", "-c", GUARD, "troupe-ssh", kind, ssh.program().toString(), socket));
    words.add(log.toString());
    words.addAll(command);
    return words;
  }

  /**
   * Waits until the login has succeeded.
   *
   * @throws Refusal if it fails
   */
  void awaitLogin(Duration limit) throws IOException, Refusal {
    var errors = CompletableFuture.supplyAsync(() -> lines(guard.errorReader()), THREADS);
    var alarm =
        CompletableFuture.supplyAsync(
            () -> {
              abort();
              return true;
            },
            CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS));
    var answers = new ArrayList<String>();
    try (var reader = guard.inputReader()) {
      for (String line; (line = reader.readLine()) != null; answers.add(line)) {
        if (line.equals(UP) && answers.isEmpty() && Files.exists(Path.of(socket))) {
          return;
        }
      }
    } finally {
      alarm.cancel(false);
    }
    close();
    var messages = new ArrayList<>(errors.join());
    messages.addAll(answers); // what ssh has logged
    throw new Refusal(messages, !alarm.isCancelled());
  }

  /** Gives up a login; ends ssh rather than the guard, so that ssh can restore the terminal. */
  void abort() {
    close();
    guard.descendants().forEach(ProcessHandle::destroy);
  }

  private static List<String> lines(BufferedReader reader) {
    try (reader) {
      return reader.lines().toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  private List<String> logged() {
    try {
      return Files.readString(log, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return List.of(); // there is none of a user's connection
    }
  }

  /** Returns the control socket. */
  String socket() {
    return socket;
  }

  boolean isOwn() {
    return isOwn;
  }

  /** Asks the master process whether it lives. */
  boolean isOpen() {
    return ssh.control(socket, "check", List.of()).exitCode() == 0;
  }

  /** Starts a command; without the connection it fails, as ssh does. */
  Process start(String line, String host) throws IOException {
    var words = new ArrayList<>(ssh.session());
    words.addAll(ssh.over(socket));
    words.addAll(List.of("-T", "--", host, line));
    return ssh.start(words, Optional.empty());
  }

  /**
   * Forwards a port of the machine's loopback address, which the machine chooses.
   *
   * @throws IOException with the reason that ssh gives
   */
  int forward(InetSocketAddress local) throws IOException {
    var forward = "127.0.0.1:0:" + local.getHostString() + ":" + local.getPort();
    var answer = ssh.control(socket, "forward", List.of(THERE, forward));
    var port = answer.output().strip();
    if (answer.exitCode() != 0 || !port.matches("\\d{1,5}")) {
      throw new IOException(
          answer.errorOutput().isBlank() ? "it names no port" : answer.errorOutput().strip());
    }
    guard(THERE, forward);
    return Integer.parseInt(port);
  }

  /**
   * Lets a port of this machine's loopback address lead to one of the machine's.
   *
   * @return this machine's port, which this method chooses, since ssh cannot
   * @throws IOException with the reason that ssh gives
   */
  int reach(int port) throws IOException {
    for (var attempt = 1; ; attempt++) {
      int here;
      try (var free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
        here = free.getLocalPort();
      }
      var forward = "127.0.0.1:" + here + ":127.0.0.1:" + port;
      var answer = ssh.control(socket, "forward", List.of(HERE, forward));
      if (answer.exitCode() == 0) {
        guard(HERE, forward);
        return here;
      }
      if (attempt == MOST_PORTS) {
        throw new IOException(
            answer.errorOutput().isBlank() ? "it gives no reason" : answer.errorOutput().strip());
      }
    }
  }

  /** Lets the guard cancel a forwarded port at the end, if the connection stays. */
  private void guard(String way, String forward) throws IOException {
    if (!isOwn) {
      var guarded = guard.getOutputStream();
      guarded.write((way + " " + forward + "\n").getBytes(StandardCharsets.UTF_8));
      guarded.flush();
    }
  }

  /** Returns why the connection ended, as far as ssh has logged it. */
  String end() {
    var messages = logged();
    return messages.isEmpty() ? "the other side closed it" : messages.getLast();
  }

  /** Closes the connection, unless it is the user's, and cancels what was forwarded. */
  void close() {
    try {
      guard.getOutputStream().close();
    } catch (IOException e) {
      // The guard has ended.
    }
  }

  /** Waits until the connection is closed, for two seconds at most. */
  void awaitEnd() {
    try {
      if (!guard.waitFor(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)) {
        guard.destroy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the guard ends by itself
    }
    if (isOwn && Files.exists(Path.of(socket))) { // the guard was killed
      ConnectionFolder.end(Path.of(socket));
    }
  }
}
