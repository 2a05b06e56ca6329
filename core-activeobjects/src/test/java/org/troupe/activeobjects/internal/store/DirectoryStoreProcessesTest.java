package org.troupe.activeobjects.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.JvmOfTests;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.store.StoreUser;

/** A directory that several processes use, some of which are killed. */
@Timeout(300)
class DirectoryStoreProcessesTest {

  @TempDir private Path temporary;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void killWhatIsLeft() {
    started.forEach(Process::destroyForcibly);
  }

  private static int size(long number) {
    return (int) (8 + number * 7919 % 5000);
  }

  /** Appends records, and images of them, until it is killed; prints what is stable. */
  static final class Appender {
    public static void main(String[] args) throws Exception {
      var directory = Store.directory(Path.of(args[0]));
      var isSynced = Boolean.parseBoolean(args[1]);
      var user = new StoreUser(args[2], ProcessHandle.current().pid(), "h", Instant.now());
      try (var store = (isSynced ? directory.synced() : directory).open(user);
          var journal = store.open("a", 0)) {
        System.out.println("open");
        for (var i = journal.last() + 1; ; i++) {
          var content = ByteBuffer.allocate(size(i)).putLong(0, i);
          var number = journal.append(content);
          journal.stable(number).join();
          if (number % 100 == 0) {
            journal.replace(number, ByteBuffer.wrap(("image up to " + number).getBytes(UTF_8)));
          }
          System.out.println(number);
        }
      }
    }
  }

  private Process appender(boolean isSynced, String run) throws IOException {
    var process =
        JvmOfTests.of(
                Appender.class,
                List.of(),
                temporary.resolve("s").toString(),
                Boolean.toString(isSynced),
                run)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    started.add(process);
    return process;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void findsAllThatWasStableInAProcessThatWasKilled(boolean isSynced) throws Exception {
    var last = 0L;
    for (int round = 1; round <= 5; round++) {
      var process = appender(isSynced, "run" + round);
      try (var output = process.inputReader()) {
        assertThat(output.readLine()).isEqualTo("open");
        last = read(output, last + 200L * round + 13);
        process.destroyForcibly();
        last = Math.max(last, rest(output));
      }
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      verify(last);
    }
  }

  private static long read(BufferedReader output, long until) throws IOException {
    long number;
    do {
      number = Long.parseLong(output.readLine());
    } while (number < until);
    return number;
  }

  /** Reads what the process has printed before its end; the last line may be incomplete. */
  private static long rest(BufferedReader output) throws IOException {
    var text = new StringBuilder();
    try {
      for (int c; (c = output.read()) >= 0; ) {
        text.append((char) c);
      }
    } catch (IOException e) {
      // The stream of a killed process may be closed at any place.
    }
    var whole = text.substring(0, text.lastIndexOf("\n") + 1);
    return whole.lines().mapToLong(Long::parseLong).max().orElse(0);
  }

  private void verify(long stable) throws IOException {
    var user = new StoreUser("verifier", ProcessHandle.current().pid(), "h", Instant.now());
    try (var store = Store.directory(temporary.resolve("s")).open(user);
        var journal = store.open("a", 0)) {
      var image = journal.image().orElseThrow();
      assertThat(new String(image.content(), UTF_8)).isEqualTo("image up to " + image.upTo());
      var next = new long[] {image.upTo() + 1};
      journal.records(
          (number, content) -> {
            assertThat(number).isEqualTo(next[0]++);
            assertThat(content).hasSize(size(number));
            assertThat(ByteBuffer.wrap(content).getLong()).isEqualTo(number);
          });
      assertThat(journal.last()).isEqualTo(next[0] - 1).isGreaterThanOrEqualTo(stable);
    }
  }

  @Test
  void refusesAProcessOfAnotherRunUntilTheFirstHasEnded() throws Exception {
    var process = appender(false, "r17");
    try (var output = process.inputReader()) {
      assertThat(output.readLine()).isEqualTo("open");
      var other = new StoreUser("r18", 1, "h", Instant.now());
      var directory = Store.directory(temporary.resolve("s"));
      assertThatThrownBy(() -> directory.open(other))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(
              "the store %s is used by the run 'r17' (process %d on host h) since "
                  .formatted(directory, process.pid()))
          .hasMessageEndingWith("; end that, or give another");

      var same = new StoreUser("r17", 2, "h", Instant.now());
      try (var shared = directory.open(same)) {
        assertThat(shared.names()).containsExactly("a");
        process.destroyForcibly();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> directory.open(other)).hasMessageContaining("the run 'r17'");
      }
      directory.open(other).close();
    }
  }
}
