package org.troupe.deployment.batch;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs jobs through the DRMAA library of its machine and prints the results, which a test reads.
 */
final class NativeJob {

  private NativeJob() {}

  public static void main(String[] arguments)
      throws BatchException, ExecutionException, InterruptedException, TimeoutException {
    BatchSystem system;
    try {
      system = NativeSession.open(Optional.empty(), Optional.empty());
    } catch (BatchException e) {
      System.out.println(e.getMessage());
      return;
    }
    try (var watch = new JobWatch<>("DRMAA", system)) {
      var id = system.submit(job("exit 3"));
      System.out.println(watch.watch(id).get(60, TimeUnit.SECONDS).text());

      var waiting = system.submit(job("true", "-h"));
      System.out.println(system.report(List.of(waiting)).get(waiting).text());
      system.terminate(waiting);
      System.out.println(watch.watch(waiting).get(60, TimeUnit.SECONDS).text());
    }
    try {
      system.submit(job("true", "-q", "nope"));
    } catch (BatchException e) {
      System.out.println(e.getMessage());
    }
  }

  private static JobTemplate job(String script, String... options) {
    return new JobTemplate(
        "troupe-native",
        "/tmp",
        List.of(options),
        List.of("/bin/sh", "-c", script),
        Optional.empty());
  }
}
