package org.troupe.testing;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Comparator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Ends the JVM of a test that runs for longer than ten minutes, after a dump of its threads, so
 * that a test that hangs fails the build with its reason instead of holding it up.
 *
 * <p>JUnit's own time limits interrupt the thread of the test. A wait that ignores interrupts
 * outlasts them, and their dump of threads lacks the virtual ones. The system property {@code
 * troupe.test.minutes} changes the limit, for soaks.
 */
public final class HungTestExtension
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

  private static final int EXIT_STATUS = 70;
  private static final TestWatch WATCH =
      new TestWatch(
          Duration.ofMinutes(Integer.getInteger("troupe.test.minutes", 10)),
          HungTestExtension::endJvm);

  static {
    Thread.ofPlatform().name("watch of hung tests").daemon().start(HungTestExtension::watch);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    WATCH.begin("the set-up of " + context.getDisplayName(), System.nanoTime());
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    WATCH.begin(
        context.getRequiredTestClass().getName() + ", " + context.getDisplayName(),
        System.nanoTime());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    WATCH.begin("what follows " + context.getDisplayName(), System.nanoTime());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    WATCH.end();
  }

  private static void watch() {
    while (true) {
      WATCH.check(System.nanoTime());
      try {
        Thread.sleep(Duration.ofSeconds(1));
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  /** Writes to the descriptor: the build redirects {@code System.err} into a file per class. */
  private static void endJvm(String test, Duration time) {
    var stderr = new PrintStream(new FileOutputStream(FileDescriptor.err), true);
    stderr.printf("%s has run for %d s and is taken to hang:%n", test, time.toSeconds());
    try {
      stderr.print(threads());
    } catch (IOException | UncheckedIOException failure) {
      stderr.println("the threads cannot be listed: " + failure);
    }
    Runtime.getRuntime().halt(EXIT_STATUS);
  }

  /**
   * Returns the stacks of the threads that run code of this project, virtual ones too. The test's
   * own thread is the last, as reports tend to keep the end of the output.
   */
  static String threads() throws IOException {
    var folder = Files.createTempDirectory("troupe-threads");
    var file = folder.resolve("dump");
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
      return Pattern.compile("\\n\\s*\\n")
          .splitAsStream(Files.readString(file, StandardCharsets.UTF_8))
          .filter(each -> each.contains("org.troupe."))
          .sorted(Comparator.comparing((String each) -> each.contains("\"main\"")))
          .collect(Collectors.joining("\n\n", "", "\n"));
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }
}
