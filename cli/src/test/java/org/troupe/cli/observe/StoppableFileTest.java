package org.troupe.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that a verb fills until Ctrl-C. */
@Timeout(60)
class StoppableFileTest {

  private final List<String> events = new ArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);

  @TempDir private Path folder;

  private int stopped(StoppableFile file, String text) throws Exception {
    var stopping =
        CompletableFuture.runAsync(
            () -> {
              begun.countDown();
              file.stop();
              events.add("the process ends");
            });
    begun.await();
    var code =
        file.write(
            (out, isStopped) -> {
              while (!isStopped.getAsBoolean()) {
                Thread.onSpinWait();
              }
              out.write(text.getBytes());
              return !text.isEmpty();
            },
            isWritten -> {
              events.add("written: " + isWritten);
              return 7;
            });
    stopping.join();
    return code;
  }

  @Test
  void theReportIsPrintedBeforeTheProcessEnds() throws Exception {
    var file = folder.resolve("run.csv");
    assertThat(stopped(new StoppableFile(file), "a call")).isEqualTo(7);
    assertThat(events).containsExactly("written: true", "the process ends");
    assertThat(file).hasContent("a call");
  }

  @Test
  void nothingIsWrittenIfThereIsNothing() throws Exception {
    var file = Files.writeString(folder.resolve("run.csv"), "a former run");
    assertThat(stopped(new StoppableFile(file), "")).isEqualTo(7);
    assertThat(events).containsExactly("written: false", "the process ends");
    assertThat(file).hasContent("a former run");
    assertThat(folder).isDirectoryContaining(file::equals);
  }
}
