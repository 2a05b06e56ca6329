package org.troupe.store.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A server of PostgreSQL, from the package of the system, in a folder and with a port of its own.
 */
final class PostgresServer {

  private static final int ATTEMPTS = 5; // another process may take the port
  private static final long PATIENCE_SECONDS = 60;

  private final Path folder;
  private final int port;
  private final String password;
  private final Process process;

  private PostgresServer(Path folder, int port, String password, Process process) {
    this.folder = folder;
    this.port = port;
    this.password = password;
    this.process = process;
  }

  private static @Nullable Path programs() {
    try (var versions = Files.list(Path.of("/usr/lib/postgresql"))) {
      return versions
          .map(each -> each.resolve("bin"))
          .filter(each -> Files.isExecutable(each.resolve("initdb")))
          .sorted()
          .reduce((older, newer) -> newer)
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }

  /** Returns why no server can be started here; {@code null} if one can. */
  static @Nullable String obstacle() {
    if (programs() == null) {
      return "PostgreSQL is not installed in /usr/lib/postgresql; install Debian's package 'postgresql'";
    }
    return isRoot() && !Files.isExecutable(Path.of("/usr/bin/setpriv"))
        ? "PostgreSQL does not run as root, and setpriv is not installed"
        : null;
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** Returns a command that is run by a user that is not root. */
  private static List<String> command(String... command) {
    List<String> all = new ArrayList<>();
    if (isRoot()) {
      all.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
    }
    all.addAll(List.of(command));
    return all;
  }

  private static String run(String... command) throws IOException {
    var process =
        new ProcessBuilder(command(command))
            .directory(Path.of("/tmp").toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " failed: " + output);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return output.strip();
  }

  static PostgresServer start() throws IOException {
    var programs = programs();
    var folder = Path.of(run("mktemp", "-d", "/tmp/troupe-postgres-XXXXXX"));
    var password = UUID.randomUUID().toString();
    var secret = folder.resolve("secret").toString();
    run("sh", "-c", "umask 077; echo " + password + " > " + secret);
    var data = folder.resolve("data").toString();
    run(
        programs.resolve("initdb").toString(),
        "--no-sync",
        "-D",
        data,
        "-U",
        "postgres",
        "-A",
        "md5", // SCRAM would hash some 8,000 times on each side for each of many connections
        "--pwfile=" + secret,
        "-E",
        "UTF8",
        "--locale=C");
    IOException failure = null;
    for (int i = 0; i < ATTEMPTS; i++) {
      int port;
      try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      var process =
          new ProcessBuilder(
                  command(
                      programs.resolve("postgres").toString(),
                      "-D",
                      data,
                      "-p",
                      Integer.toString(port),
                      "-k",
                      folder.toString(),
                      "-c",
                      "listen_addresses=127.0.0.1",
                      "-c",
                      "fsync=off"))
              .directory(Path.of("/tmp").toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      var server = new PostgresServer(folder, port, password, process);
      try {
        server.awaitConnections();
        return server;
      } catch (IOException e) {
        failure = e;
        process.destroyForcibly();
      }
    }
    throw failure;
  }

  private void awaitConnections() throws IOException {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    for (; ; ) {
      try (var connection = DriverManager.getConnection(url(), "postgres", password)) {
        return;
      } catch (SQLException notYet) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new IOException("PostgreSQL does not accept connections", notYet);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  String password() {
    return password;
  }

  void stop() throws IOException {
    try {
      run(
          programs().resolve("pg_ctl").toString(),
          "stop",
          "-D",
          folder.resolve("data").toString(),
          "-m",
          "immediate");
      process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
      run("rm", "-rf", folder.toString());
    }
  }
}
