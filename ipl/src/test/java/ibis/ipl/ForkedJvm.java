package ibis.ipl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A JVM of its own that runs a class of the tests; its lines can be waited for. */
public final class ForkedJvm implements AutoCloseable {

  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private boolean ended;

  private ForkedJvm(Process process) {
    this.process = process;
    Thread.ofPlatform().daemon().start(this::read);
  }

  /** Starts a class with options of the JVM, in a folder. */
  public static ForkedJvm start(Path folder, Class<?> main, List<String> options, String... args)
      throws IOException {
    return start(folder, System.getProperty("java.class.path"), main, options, args);
  }

  public static ForkedJvm start(
      Path folder, String classPath, Class<?> main, List<String> options, String... args)
      throws IOException {
    var command = new ArrayList<String>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", classPath));
    command.addAll(options);
    command.add(main.getName());
    command.addAll(List.of(args));
    return new ForkedJvm(
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start());
  }

  private void read() {
    try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        add(line);
      }
    } catch (IOException e) {
      add("the output broke: " + e);
    }
    end();
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Waits for a line that begins so, and returns the rest of it. */
  public synchronized String await(String begin) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    while (true) {
      for (String line : lines) {
        if (line.startsWith(begin)) {
          return line.substring(begin.length()).strip();
        }
      }
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      assertThat(!ended && left > 0)
          .as("the JVM may still say '%s', after %s", begin, lines)
          .isTrue();
      wait(left);
    }
  }

  /** Sends a line to its standard input. */
  public void say(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  /** Ends its standard input; returns its exit code. */
  public int endInput() throws Exception {
    process.getOutputStream().close();
    assertThat(process.waitFor(40, TimeUnit.SECONDS)).as("ended in time").isTrue();
    return process.exitValue();
  }

  public void kill() {
    process.destroyForcibly(); // SIGKILL
  }

  /** Stops it without ending it. */
  public void freeze() throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor())
        .isZero();
  }

  public CompletableFuture<Process> exit() {
    return process.onExit();
  }

  @Override
  public void close() {
    kill();
    process.onExit().join();
  }
}
