package org.troupe.cli.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.files.FileWriteException;

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

  private static String printed(Callable<?> action, OutputStream to) throws Exception {
    var before = System.out;
    System.setOut(new PrintStream(to, true, UTF_8));
    try {
      action.call();
      return to.toString();
    } finally {
      System.setOut(before);
    }
  }

  private StoppableFile standardOutput() {
    return new StoppableFile(Path.of("-"), code -> events.add("halt " + code));
  }

  @Test
  void theReaderOfTheStandardOutputLearnsWhetherItIsWhole() throws Exception {
    assertThat(printed(() -> stopped(standardOutput(), "a call"), new ByteArrayOutputStream()))
        .isEqualTo("a call");
    assertThat(events).containsExactly("written: true", "halt 7", "the process ends");
  }

  @Test
  void theReaderOfTheStandardOutputLearnsThatThereIsNothing() throws Exception {
    assertThat(printed(() -> stopped(standardOutput(), ""), new ByteArrayOutputStream())).isEmpty();
    assertThat(events).containsExactly("written: false", "halt 7", "the process ends");
  }

  @Test
  void aFailureEndsTheProcessByTheSignal() throws Exception {
    var file = standardOutput();
    assertThatThrownBy(() -> file.write((_, _) -> fail(), _ -> 0)).hasMessage("no answer");
    file.stop();
    assertThat(events).isEmpty();
  }

  private static boolean fail() throws IOException {
    throw new IOException("no answer");
  }

  @Test
  void theFillingEndsWhenTheReaderOfTheStandardOutputHasGone() {
    var gone =
        new OutputStream() {
          @Override
          public void write(int each) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    assertThatThrownBy(
            () -> printed(() -> standardOutput().write((out, _) -> twice(out), _ -> 0), gone))
        .isInstanceOf(FileWriteException.class)
        .hasMessageContaining("behind a pipe whose reader has ended");
    assertThat(events).containsExactly("first");
  }

  private boolean twice(OutputStream out) throws IOException {
    events.add("first");
    out.write(new byte[10]);
    events.add("second");
    return true;
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theReportOfNothingTellsWhetherAFormerFileIsLost() {
    assertThat(RecordCommand.withoutContent(folder.resolve("run.csv")))
        .endsWith("run.csv' was not written");
    assertThat(RecordCommand.withoutContent(Path.of("/dev/null")))
        .isEqualTo("'/dev/null' had to be overwritten, and is no recording");
    assertThat(RecordCommand.withoutContent(Path.of("-")))
        .isEqualTo("what was printed is no recording");
  }
}
