package org.troupe.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One side of a comparison: a process that measures in its turns. Not thread-safe. */
public final class ContenderProcess implements AutoCloseable {

  /** A line that a JVM with an incubator module prints. */
  private static final String INCUBATOR = "WARNING: Using incubator modules: ";

  private final String name;
  private final Process process;
  private final BufferedReader output;
  private final PrintWriter input;

  private ContenderProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    output = process.inputReader(StandardCharsets.UTF_8);
    input = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /**
   * Starts a JVM and waits until it is ready to measure.
   *
   * @param main a class whose main method calls {@link TurnProtocol#serve}
   */
  public static ContenderProcess start(
      Class<?> main, CorePinning pinning, List<String> options, Object... arguments)
      throws IOException {
    var command = new ArrayList<>(pinning.prefix());
    command.addAll(JvmCommand.command(main.getName(), options, arguments));
    return start(main.getSimpleName(), command);
  }

  /**
   * Starts any program that follows {@link TurnProtocol}, and waits until it is ready.
   *
   * @param name the name in messages
   */
  public static ContenderProcess start(String name, List<String> command) throws IOException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var started = new ContenderProcess(name, process);
    started.await(TurnProtocol.READY);
    return started;
  }

  /** Lets the process warm up for a load until its figures have settled. */
  public void warmUp(String load) throws IOException {
    input.println(TurnProtocol.WARM_UP + load);
    await(TurnProtocol.FIGURE);
  }

  /** Measures the only load. */
  public double turn() throws IOException {
    begin();
    return end();
  }

  /** Measures one of several loads. */
  public double turn(String load) throws IOException {
    input.println(TurnProtocol.GO + load);
    return end();
  }

  /** Starts a measurement of the only load, for contenders that measure at the same time. */
  public void begin() {
    input.println(TurnProtocol.GO);
  }

  /** Waits for the figure of the measurement. */
  public double end() throws IOException {
    return Double.parseDouble(await(TurnProtocol.FIGURE));
  }

  private String await(String prefix) throws IOException {
    for (String line; (line = output.readLine()) != null; ) {
      if (line.startsWith(prefix)) {
        return line.substring(prefix.length());
      }
      if (!line.startsWith(INCUBATOR)) {
        System.err.println(name + ": " + line);
      }
    }
    throw new IOException(
        "the process that measures " + name + " ended early; its output is above");
  }

  /** Ends the process. */
  @Override
  public void close() {
    input.close();
    JvmCommand.awaitEnd(process);
  }
}
