package org.troupe.transport.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.transport.Transport.EndpointOptions;
import org.troupe.links.Driver;
import org.troupe.links.Secret;

/** A grid of this JVM and another one, over one driver. */
final class TwoJvms implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration SILENCE =
      Duration.ofSeconds(30); // the end of a process is detected earlier

  private final GridMember host;
  private final Process process;
  private final Node there;
  private final BlockingQueue<String> printed; // by the other JVM on its error output
  private boolean mayPrint;

  private TwoJvms(GridMember host, Process process, Node there, BlockingQueue<String> printed) {
    this.host = host;
    this.process = process;
    this.there = there;
    this.printed = printed;
  }

  static TwoJvms start(Driver driver) throws Exception {
    return start(driver, "1g");
  }

  /**
   * Starts both.
   *
   * @param heap how much memory the other one has for objects
   */
  static TwoJvms start(Driver driver, String heap) throws Exception {
    Drivers.only(driver);
    var secret = Secret.random().reveal();
    var host = GridMember.open(settings("here", secret));
    Process process = null;
    try {
      host.coordinate();
      var command = new ArrayList<String>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
      command.addAll(compilers(driver));
      command.addAll(List.of("-Xmx" + heap, Drivers.option(driver)));
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), Other.class.getName()));
      process = new ProcessBuilder(command).start();
      var printed = new LinkedBlockingQueue<String>();
      var errors = process.errorReader();
      Thread.ofPlatform().daemon().start(() -> readAll(errors, printed));
      var told = process.outputWriter();
      told.write(host.contact() + "\n" + secret + "\n");
      told.flush();
      var there = host.nodes("others").await(Nodes.atLeast(1), PATIENCE).first();
      return new TwoJvms(host, process, there, printed);
    } catch (Exception | Error e) {
      if (process != null) {
        process.destroyForcibly();
      }
      host.close();
      throw e;
    }
  }

  /**
   * Returns the options for the compilers of the other JVM. Only encryption needs the second one,
   * and there it waits as it does in this JVM: its work costs more than the rest.
   */
  private static List<String> compilers(Driver driver) {
    return driver == Driver.TLS
        ? ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(option -> option.startsWith("-XX:Tier"))
            .toList()
        : List.of("-XX:TieredStopAtLevel=1");
  }

  private static void readAll(BufferedReader errors, BlockingQueue<String> printed) {
    try {
      errors.lines().forEach(printed::add);
    } catch (UncheckedIOException e) {
      // The JVM was killed, which closes the stream on this side.
    }
  }

  private static GridMember.Settings settings(String name, String secret) {
    return new GridMember.Settings(
        name,
        name.equals("here") ? List.of() : List.of("others"),
        "localhost",
        Map.of(),
        "ibis",
        new EndpointOptions(secret, "127.0.0.1", 0),
        SILENCE);
  }

  /** The main class of the other JVM, which ends with its standard input. */
  static final class Other {
    public static void main(String[] arguments) throws Exception {
      var told = new BufferedReader(new InputStreamReader(System.in));
      var contact = told.readLine();
      var host = GridMember.open(settings("there", told.readLine()));
      host.join(contact, PATIENCE);
      told.readLine();
      System.exit(0);
    }
  }

  Node here() {
    return host.self();
  }

  Node there() {
    return there;
  }

  /** Kills the other JVM, which gets no chance to close anything. */
  void killTheOther() {
    assertThat(process.destroyForcibly()).isNotNull();
  }

  /** Waits until the other JVM has printed a line; it may print more. */
  void awaitPrinted(String part) throws InterruptedException {
    mayPrint = true;
    String line;
    do {
      line = printed.poll(30, TimeUnit.SECONDS);
      assertThat(line)
          .as("a line with '%s' on the error output of the other JVM", part)
          .isNotNull();
    } while (!line.contains(part));
  }

  /** Ends both, and asserts that the other JVM has printed nothing that was not waited for. */
  @Override
  public void close() throws InterruptedException, IOException {
    try {
      process.outputWriter().close();
    } finally {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      host.close();
      Drivers.any();
    }
    if (!mayPrint) {
      assertThat(printed).as("error output of the other JVM").isEmpty();
    }
  }
}
