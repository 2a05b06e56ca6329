package org.troupe.deployment.site;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.Writer;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.process.ShellLine;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.ssh.SshMachine;
import org.troupe.descriptors.Login;

/** The command {@code troupe} of another machine, such as the front end on which a program runs. */
public final class RemoteTroupe {

  /*
   * Design: the channel. The command runs there over one ssh connection, whose standard streams carry its output; no port
   * is opened. Its own input is empty. The end of the connection's input, which a broken connection or the end of this
   * program causes, ends the command, so that none stays there.
   *
   * A page of the command is served there, at a port of the loopback address, and is reached over the same connection at a port of this machine. The page's own
   * tokens hold.
   *
   * The command compares the version in its environment with its own, and says on its standard error that they differ.
   */
  private static final String START =
      """
      troupe=$1; shift
      if [ -z "$troupe" ]; then
        for each in "$(command -v troupe)" "$(sh -lc 'command -v troupe' 2>/dev/null </dev/null)" \\
          "$HOME"/bin/troupe "$HOME"/.local/bin/troupe "$HOME"/troupe*/bin/troupe "$HOME"/troupe/troupe; do
          if [ -f "$each" ] && [ -x "$each" ]; then
            troupe=$each
            break
          fi
        done
      fi
      [ -f "$troupe" ] && [ -x "$troupe" ] || exit 121
      exec 3<&0
      "$troupe" "$@" </dev/null 3<&- &
      child=$!
      (while read -r nothing; do :; done <&3; kill -TERM "$child") >/dev/null 2>&1 &
      watcher=$!
      exec 3<&-
      wait "$child"
      code=$?
      kill "$watcher" 2>/dev/null
      exit "$code"
      """;

  /** The variable of the command's environment that has the version of the caller. */
  public static final String CALLER_VERSION = "TROUPE_CALLER_VERSION";

  /** The variable of the command's environment that has the columns and rows of a terminal. */
  public static final String TERMINAL = "TROUPE_TERMINAL";

  /** The exit code of a command that has printed a file which lacks a part. */
  public static final int PARTIAL_FILE = 4;

  private static final int NOT_FOUND = 121; // no code of the command itself

  private static final Pattern PAGE = Pattern.compile("http://127\\.0\\.0\\.1:(\\d{1,5})(/\\S*)");
  private static final String LOOPBACK = "127.0.0.1";
  private static final int LONGEST_ADDRESS = 4096;
  private static final int PAGE_MILLIS = 20_000;

  private final Login login;
  private final Optional<String> command;
  private final Map<String, String> environment;

  /**
   * @param command the path of the command there, absolute or from the home directory, which may be
   *     written as {@code ~}; empty to look for it
   * @param version the version of this program
   * @param terminal the columns and rows of the terminal that shows its output; empty if there is
   *     none
   */
  public RemoteTroupe(
      Login login, Optional<String> command, String version, Optional<String> terminal) {
    this.login = login;
    this.command = command;
    var variables = new LinkedHashMap<String, String>();
    variables.put(CALLER_VERSION, version);
    terminal.ifPresent(size -> variables.put(TERMINAL, size));
    environment = Map.copyOf(variables);
  }

  /**
   * Runs the command, and passes its output on as it arrives; blocks until it has ended.
   *
   * @return its exit code
   * @throws IOException if the login fails, the connection breaks, or the command is not there; the
   *     message has the remedy
   */
  public int run(List<String> arguments, Writer out, Writer err) throws IOException {
    return run(arguments, err, (_, command) -> pass(command.process().getInputStream(), out));
  }

  /**
   * Runs the command, whose standard output is a file, and writes that file here; blocks until the
   * command has ended. After Ctrl-C a command may still complete the file with what there is, which
   * is awaited for some seconds.
   *
   * @param report takes the exit code, before this program ends also after Ctrl-C
   * @param attributes of the file, as {@link AtomicFile#write} takes them
   * @return the exit code of the command; nothing is written unless it is 0 or {@link
   *     #PARTIAL_FILE}
   * @throws IOException if the login fails, the connection breaks, the command is not there, or the
   *     file cannot be written; the message has the remedy
   */
  public int runFile(
      List<String> arguments,
      Path file,
      Writer err,
      IntConsumer report,
      FileAttribute<?>... attributes)
      throws IOException {
    try (var output = new RemoteFile(file, err, report, attributes)) {
      return run(arguments, err, output);
    }
  }

  /**
   * Runs the command, which serves a page and prints its address first. Lets the page be reached at
   * a port of this machine, and passes the other output on; blocks until the command has ended.
   *
   * @param page takes the address for this machine
   * @return its exit code
   * @throws IOException if the login fails, the connection breaks, the command is not there, or its
   *     page cannot be reached; the message has the remedy
   */
  public int runPage(List<String> arguments, Consumer<? super String> page, Writer out, Writer err)
      throws IOException {
    return run(
        arguments,
        err,
        (machine, command) -> {
          var from = command.process().getInputStream();
          var isReached = false; // the start files of the shell there may print lines before
          for (String line; !isReached && !(line = nextLine(from)).isEmpty(); ) {
            var address = PAGE.matcher(line.strip());
            isReached = address.matches();
            if (isReached) {
              var port = machine.reach(Integer.parseInt(address.group(1)));
              check(port);
              page.accept("http://" + LOOPBACK + ":" + port + address.group(2));
            } else {
              out.write(line);
              out.flush();
            }
          }
          pass(from, out);
        });
  }

  /** Takes the output of a command on a machine. */
  interface Output extends AutoCloseable {
    void take(SshMachine machine, StartedProcess command) throws IOException;

    /** Takes the exit code of the command, whose messages have been passed on. */
    default void ended(int code) {}

    /** Takes what there is, since this program is ending. */
    default void stop() {}

    /** Awaits that nothing unfinished is left, since the connection is closed. */
    default void awaitEnd() {}

    @Override
    default void close() {}
  }

  /** Returns the next line with its end, or the part of it that has arrived. */
  private static String nextLine(InputStream from) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int next; line.size() < LONGEST_ADDRESS && (next = from.read()) >= 0; ) {
      line.write(next);
      if (next == '\n') {
        break;
      }
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  /** Asks the page for something: ssh accepts connections here also if it cannot lead them on. */
  private void check(int port) throws IOException {
    IOException cause = null;
    try (var socket = new Socket(LOOPBACK, port)) {
      socket.setSoTimeout(PAGE_MILLIS);
      var request = "GET / HTTP/1.0\r\nHost: " + LOOPBACK + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      if (socket.getInputStream().read() >= 0) {
        return;
      }
    } catch (IOException e) {
      cause = e;
    }
    throw new IOException(
        "%s: ssh does not lead to the page there; ask for AllowTcpForwarding in its sshd_config"
            .formatted(login.host()),
        cause);
  }

  private int run(List<String> arguments, Writer err, Output output) throws IOException {
    var there = command.map(ShellLine::fromHome).orElse(""); // no shell there expands a tilde
    var words = new ArrayList<>(List.of("/bin/sh", "-c", START, "sh", there));
    words.addAll(arguments);
    try (var machines = new MachineRegistry("")) {
      var ending = Thread.ofPlatform().unstarted(() -> end(output, machines));
      Runtime.getRuntime().addShutdownHook(ending); // Ctrl-C ends the command there, too
      try {
        return run(machines, words, err, output);
      } finally {
        removeHook(ending);
      }
    }
  }

  private static void end(Output output, MachineRegistry machines) {
    output.stop();
    machines.close();
    output.awaitEnd();
  }

  private static void removeHook(Thread ending) {
    try {
      Runtime.getRuntime().removeShutdownHook(ending);
    } catch (IllegalStateException e) {
      // This program is ending.
    }
  }

  private int run(MachineRegistry machines, List<String> words, Writer err, Output output)
      throws IOException {
    var machine = machines.of(login);
    var started = machine.start(words, environment, Optional.empty());
    var process = started.process();
    var errors = Thread.ofPlatform().daemon().start(() -> pass(process.getErrorStream(), err));
    try {
      output.take(machine, started);
      errors.join();
      var code = process.waitFor();
      if (started.explanation().isPresent()) {
        throw new IOException(login.host() + ": " + started.explanation().get());
      }
      if (code == NOT_FOUND) {
        throw new IOException(missing());
      }
      output.ended(code);
      return code;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while troupe ran on " + login.host(), e);
    } finally {
      process.destroyForcibly();
    }
  }

  private String missing() {
    return command
        .map(
            path ->
                "%s: there is no command '%s'; correct '--at-command'"
                    .formatted(login.host(), path))
        .orElseGet(
            () ->
                "%s: the command 'troupe' is neither on the PATH there nor in ~/troupe*/bin; name it by '--at-command PATH', or unpack the archive there"
                    .formatted(login.host()));
  }

  /** Copies text as it arrives; ends when the other side, or the receiver, has gone. */
  private static void pass(InputStream from, Writer to) {
    try (Reader text = new InputStreamReader(from, StandardCharsets.UTF_8)) {
      var buffer = new char[8192];
      for (int read; (read = text.read(buffer)) >= 0; ) {
        to.write(buffer, 0, read);
        to.flush();
      }
    } catch (IOException e) {
      // The connection has broken, which the end of the process tells.
    }
  }
}
