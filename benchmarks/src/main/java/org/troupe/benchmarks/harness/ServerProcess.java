package org.troupe.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The server JVM of a client: it has the client's JVM options, and inherits its pinning. */
public final class ServerProcess implements AutoCloseable {

  private final Process process;
  private final BufferedReader output;
  private final PrintWriter input;

  private ServerProcess(Process process) {
    this.process = process;
    output = process.inputReader(StandardCharsets.UTF_8);
    input = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /** Starts the server; it ends with its standard input, hence at the latest with this JVM. */
  public static ServerProcess start(Class<?> main, Object... arguments) throws IOException {
    return start(List.of(), main, arguments);
  }

  /** Starts the server by a command with the given prefix. */
  public static ServerProcess start(List<String> prefix, Class<?> main, Object... arguments)
      throws IOException {
    var options = ManagementFactory.getRuntimeMXBean().getInputArguments();
    var command = new ArrayList<>(prefix);
    command.addAll(JvmCommand.command(main.getName(), options, arguments));
    return of(command);
  }

  /** Starts any program that ends with its standard input. */
  public static ServerProcess of(List<String> command) throws IOException {
    return new ServerProcess(new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
  }

  public void send(String line) {
    input.println(line);
  }

  /** Waits for a line of the server's output. */
  public String receive() throws IOException {
    var line = output.readLine();
    if (line == null) {
      throw new IOException("the server ended early; its output is above");
    }
    return line;
  }

  /** Waits for a line with a prefix, and returns the rest of it; prints the lines before it. */
  public String receive(String prefix) throws IOException {
    var line = receive();
    for (; !line.startsWith(prefix); line = receive()) {
      System.err.println(line);
    }
    return line.substring(prefix.length());
  }

  @Override
  public void close() {
    input.close();
    JvmCommand.awaitEnd(process);
  }
}
