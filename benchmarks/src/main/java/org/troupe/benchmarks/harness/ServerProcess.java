package org.troupe.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/** The other JVM of a client: with the same options, and on the cores that it inherits. */
public final class ServerProcess implements AutoCloseable {

  private final Process process;
  private final BufferedReader said;
  private final PrintWriter told;

  private ServerProcess(Process process) {
    this.process = process;
    said = process.inputReader(StandardCharsets.UTF_8);
    told = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /** Starts it; it ends when its standard input does, so at the latest with this JVM. */
  public static ServerProcess start(Class<?> main, Object... arguments) throws IOException {
    var options = ManagementFactory.getRuntimeMXBean().getInputArguments();
    var command = JvmCommand.command(main.getName(), options, arguments);
    return new ServerProcess(new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
  }

  public void tell(String line) {
    told.println(line);
  }

  /** Waits for a line. */
  public String listen() throws IOException {
    var line = said.readLine();
    if (line == null) {
      throw new IOException("the server ended early; its own words are above");
    }
    return line;
  }

  @Override
  public void close() {
    told.close();
    JvmCommand.awaitEnd(process);
  }
}
