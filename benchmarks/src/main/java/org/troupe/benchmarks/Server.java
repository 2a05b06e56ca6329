package org.troupe.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/** The other JVM of a client: with the same options, and on the cores that it inherits. */
final class Server implements AutoCloseable {

  private final Process process;
  private final BufferedReader said;
  private final PrintWriter told;

  private Server(Process process) {
    this.process = process;
    said = process.inputReader(StandardCharsets.UTF_8);
    told = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /** Starts it; it ends when its standard input does, so at the latest with this JVM. */
  static Server start(Class<?> main, Object... arguments) throws IOException {
    var options = ManagementFactory.getRuntimeMXBean().getInputArguments();
    var command = Jvm.command(main.getName(), options, arguments);
    return new Server(new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
  }

  void tell(String line) {
    told.println(line);
  }

  /** Waits for a line. */
  String listen() throws IOException {
    var line = said.readLine();
    if (line == null) {
      throw new IOException("the server ended early; its own words are above");
    }
    return line;
  }

  @Override
  public void close() {
    told.close();
    Jvm.awaitEnd(process);
  }
}
