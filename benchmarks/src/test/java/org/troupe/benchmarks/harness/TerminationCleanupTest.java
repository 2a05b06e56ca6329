package org.troupe.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TerminationCleanupTest {

  @Test
  void aTerminatedBenchmarkEndsItsProgramAndLeavesNoFile() throws Exception {
    var benchmark =
        new ProcessBuilder(JvmCommand.command(Benchmark.class.getName(), List.of())).start();
    try (var output = benchmark.inputReader()) {
      var file = Path.of(output.readLine());
      var folder = Path.of(output.readLine());
      var program = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
      assertThat(file).exists();
      benchmark.destroy();
      benchmark.waitFor();
      assertThat(program.isAlive()).isFalse();
      assertThat(file).doesNotExist();
      assertThat(folder).doesNotExist();
    } finally {
      benchmark.destroyForcibly();
    }
  }

  /** Prints its temporary file, its folder and its program, and waits. */
  static final class Benchmark {
    static void main(String[] arguments) throws IOException, InterruptedException {
      var file = TerminationCleanup.file(".txt");
      var folder = TerminationCleanup.folder();
      Files.createFile(folder.resolve("inside"));
      var program = TerminationCleanup.start(new ProcessBuilder("sleep", "60"));
      System.out.println(file);
      System.out.println(folder);
      System.out.println(program.pid());
      program.waitFor();
      Thread.sleep(60_000);
    }
  }
}
