package org.troupe.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.troupe.deployment.runs.GridFutures;
import org.troupe.deployment.runs.RunningGrid;

/**
 * The failure of a transfer whose answer has not come in time. An answer may be late, on a machine
 * with other work, or lost, so the failure tells these apart, and writes what all processes know.
 */
final class UnansweredTransfer extends AssertionError {

  private static final long serialVersionUID = 1;

  private static final long LATE_SECONDS = 180;
  private static final long DUMP_SECONDS = 60;

  private final transient CompletableFuture<Integer> reply;

  UnansweredTransfer(String what, CompletableFuture<Integer> reply) {
    super(what);
    this.reply = reply;
  }

  /**
   * Writes the results that have not arrived, the objects, the threads and the heaps of all
   * processes of a grid, waits for the answer some more, and writes all but the heaps again.
   *
   * @param run the id of the grid's run
   * @param processes the ids of its processes, this one among them
   * @return the failure with what has been found
   */
  AssertionError explained(String when, String run, Collection<Long> processes) throws Exception {
    var folder =
        Files.createTempDirectory(Files.createDirectories(Path.of("target")), "unanswered");
    var pending = write(run, folder, "first");
    for (var each : processes) {
      dumpHeap(each, folder.resolve(each + ".hprof"));
    }
    var fate = fate();
    write(run, folder, "second");
    return new AssertionError(
        "%s: %s; %s; what the processes knew is in %s. Results that had not arrived:%n%s"
            .formatted(
                when,
                getMessage(),
                fate,
                folder.toAbsolutePath(),
                pending.stream()
                    .map(GridFutures.Pending::toString)
                    .collect(Collectors.joining("\n"))),
        this);
  }

  /** Waits for the answer some more; returns what has become of it. */
  private String fate() throws InterruptedException {
    var began = System.nanoTime();
    try {
      var answer = reply.get(LATE_SECONDS, TimeUnit.SECONDS);
      return "it came %d s later: %d".formatted(secondsSince(began), answer);
    } catch (ExecutionException failure) {
      return "it failed %d s later: %s".formatted(secondsSince(began), failure.getCause());
    } catch (TimeoutException e) {
      return "it did not come within %d s more, either".formatted(LATE_SECONDS);
    }
  }

  private static long secondsSince(long began) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
  }

  private static List<GridFutures.Pending> write(String run, Path folder, String what)
      throws IOException {
    var grid = RunningGrid.ofThisProgram(run).orElseThrow();
    var futures = grid.futures("");
    Files.writeString(folder.resolve(what + "-futures.json"), RunningGrid.toJson(List.of(futures)));
    var objects = grid.objects("", "", RunningGrid.MOST_OBJECTS);
    Files.writeString(folder.resolve(what + "-objects.json"), RunningGrid.toJson(List.of(objects)));
    Files.writeString(folder.resolve(what + "-stacks.txt"), grid.stack(""));
    return futures.pending();
  }

  /** Writes the heap of a process, which may have just ended. */
  private static void dumpHeap(long process, Path file) throws Exception {
    var command = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    var dump =
        new ProcessBuilder(
                command, Long.toString(process), "GC.heap_dump", file.toAbsolutePath().toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!dump.waitFor(DUMP_SECONDS, TimeUnit.SECONDS)) {
      dump.destroyForcibly();
    }
  }
}
