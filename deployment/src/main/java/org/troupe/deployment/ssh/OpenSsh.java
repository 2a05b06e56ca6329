package org.troupe.deployment.ssh;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.troupe.descriptors.Login;

/**
 * The ssh program of this system, and the words of its command lines. Immutable.
 *
 * @param program an absolute path
 * @param config the file that replaces the user's ssh configuration
 * @param environment of the processes
 * @param session the words before a command that is not to receive the signals of the terminal
 */
record OpenSsh(
    Path program, Optional<Path> config, Map<String, String> environment, List<String> session) {

  /** The property that names the program; {@code none} for the client in this JVM. */
  static final String PROGRAM = "troupe.ssh.program";

  private static final String NONE = "none";
  private static final Duration SHORT = Duration.ofSeconds(20);

  /** The answer of a command that has ended. */
  record Answer(int exitCode, String output, String errorOutput) {}

  /**
   * Finds the program; empty if there is none that can share connections.
   *
   * @throws IOException if the property names a program that is not there
   */
  static Optional<OpenSsh> find(Optional<Path> config) throws IOException {
    var named = System.getProperty(PROGRAM, "");
    if (named.equals(NONE)
        || System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows")) {
      return Optional.empty(); // OpenSSH shares no connections on Windows
    }
    if (!named.isEmpty() && !Files.isExecutable(Path.of(named))) {
      throw new IOException(
          "the ssh program '%s', named by %s, is not there; correct the path, or say 'none' for the built-in client"
              .formatted(named, PROGRAM));
    }
    return (named.isEmpty() ? onPath("ssh") : Optional.of(Path.of(named).toAbsolutePath()))
        .map(
            program ->
                new OpenSsh(
                    program,
                    config,
                    System.getenv(),
                    onPath("setsid").map(Path::toString).stream().toList()));
  }

  private static Optional<Path> onPath(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name).toAbsolutePath())
        .filter(file -> Files.isExecutable(file) && Files.isRegularFile(file))
        .findFirst();
  }

  /** Returns the words with which the user would reach the machine of a login. */
  List<String> words(Login login) {
    var words = new ArrayList<String>();
    config.ifPresent(file -> words.addAll(List.of("-F", file.toString())));
    login.port().ifPresent(port -> words.addAll(List.of("-p", Integer.toString(port))));
    login.user().ifPresent(user -> words.addAll(List.of("-l", user)));
    login.identity().ifPresent(file -> words.addAll(List.of("-i", file.toString())));
    return words;
  }

  /**
   * Returns the settings that the ssh configuration gives to a login.
   *
   * @throws IOException if ssh rejects the configuration
   */
  OpenSshSettings settings(Login login) throws IOException {
    var command = new ArrayList<>(List.of(program.toString(), "-G"));
    command.addAll(words(login));
    command.addAll(List.of("--", login.host()));
    var answer = run(command);
    if (answer.errorOutput().startsWith("No user exists for uid")) {
      throw new IOException(
          "%s: ssh logs in only for users whom this system knows (%s); add the user to /etc/passwd, or say -D%s=%s for the built-in client"
              .formatted(login.host(), answer.errorOutput().strip(), PROGRAM, NONE));
    }
    if (answer.exitCode() != 0) {
      throw new IOException(
          "%s: ssh rejects its configuration: %s; correct the file, or the login"
              .formatted(login.host(), answer.errorOutput().strip()));
    }
    return OpenSshSettings.read(answer.output());
  }

  /** Returns the words of a command over the connection of a control socket. */
  List<String> over(String socket) {
    return List.of(
        program.toString(),
        "-F",
        NONE,
        "-S",
        socket,
        "-o",
        "BatchMode=yes",
        "-o",
        "LogLevel=ERROR",
        // A command without the connection would log in by itself.
        "-o",
        "ProxyCommand=false");
  }

  /**
   * Controls the connection of a socket: {@code check}, {@code exit}, {@code forward} and so on.
   */
  Answer control(String socket, String what, List<String> options) {
    var command = new ArrayList<>(List.of(program.toString(), "-F", NONE, "-S", socket));
    command.addAll(List.of("-O", what));
    command.addAll(options);
    command.add("the-connection");
    try {
      return run(command);
    } catch (IOException e) {
      return new Answer(-1, "", String.valueOf(e.getMessage()));
    }
  }

  /** Starts a process with the environment of this program. */
  Process start(List<String> command, Optional<File> errors) throws IOException {
    var builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    errors.ifPresent(builder::redirectError);
    return builder.start();
  }

  private Answer run(List<String> command) throws IOException {
    var process = start(command, Optional.empty());
    try {
      process.getOutputStream().close();
      var output = read(process.getInputStream());
      var errors = read(process.getErrorStream());
      if (!process.waitFor(SHORT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "'%s' has not ended within %d s"
                .formatted(String.join(" ", command), SHORT.toSeconds()));
      }
      return new Answer(process.exitValue(), output.join(), errors.join());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while ssh was asked", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static CompletableFuture<String> read(InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofPlatform().daemon().name("troupe-ssh-answer").start(task));
  }
}
