package org.troupe.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One side of a comparison: a process that measures when it is its turn. For one thread. */
public final class ContenderProcess implements AutoCloseable {

  /** How a JVM begins that was given such a module. */
  private static final String INCUBATOR = "WARNING: Using incubator modules: ";

  private final String name;
  private final Process process;
  private final BufferedReader said;
  private final PrintWriter told;

  private ContenderProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    said = process.inputReader(StandardCharsets.UTF_8);
    told = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /**
   * Starts the JVM, and waits until it is ready to measure.
   *
   * @param main whose {@code main} calls {@link TurnProtocol#take}
   */
  public static ContenderProcess start(
      Class<?> main, CorePinning pinning, List<String> options, Object... arguments)
      throws IOException {
    var command = new ArrayList<>(pinning.prefix());
    command.addAll(JvmCommand.command(main.getName(), options, arguments));
    return start(main.getSimpleName(), command);
  }

  /**
   * Starts any program that takes turns as {@link TurnProtocol} does, and waits until it is ready.
   *
   * @param name for messages
   */
  public static ContenderProcess start(String name, List<String> command) throws IOException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var started = new ContenderProcess(name, process);
    started.await(TurnProtocol.READY);
    return started;
  }

  /** Lets it run until what it measures has settled. */
  public void warmUp(String load) throws IOException {
    told.println(TurnProtocol.WARM_UP + load);
    await(TurnProtocol.FIGURE);
  }

  /** Lets it measure. */
  public double turn() throws IOException {
    begin();
    return end();
  }

  /** Lets it measure one of several things. */
  public double turn(String load) throws IOException {
    told.println(TurnProtocol.GO + load);
    return end();
  }

  /** Lets it begin to measure, for contenders that run at the same time. */
  public void begin() {
    told.println(TurnProtocol.GO);
  }

  /** Waits for what it measures. */
  public double end() throws IOException {
    return Double.parseDouble(await(TurnProtocol.FIGURE));
  }

  private String await(String beginning) throws IOException {
    for (String line; (line = said.readLine()) != null; ) {
      if (line.startsWith(beginning)) {
        return line.substring(beginning.length());
      }
      if (!line.startsWith(INCUBATOR)) {
        System.err.println(name + ": " + line);
      }
    }
    throw new IOException(
        "the process that measures " + name + " ended early; its own words are above");
  }

  /** Ends the process. */
  @Override
  public void close() {
    told.close();
    JvmCommand.awaitEnd(process);
  }
}
