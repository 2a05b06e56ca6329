package org.troupe.deployment.runs;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.troupe.deployment.batch.BatchOptions;
import org.troupe.deployment.batch.BatchSystems;
import org.troupe.deployment.batch.HeldJob;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.ssh.SshConfig;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.Descriptor;

/**
 * Machines of batch systems that outlive runs: a changed program runs on them again without another
 * wait in the queue.
 *
 * @param id its id, which {@code ps}, {@code run --on} and {@code cancel} use
 * @param lines a description of each job
 */
public record Hold(String id, List<String> lines) {

  /*
   * A hold is a recorded run without a program: its record, and the folders of its jobs, are all that exists of it. It
   * ends when its jobs do, or when the record is cleaned by force, which cancels them.
   */

  /** Copies the list. */
  public Hold {
    lines = List.copyOf(lines);
  }

  /**
   * Submits a job for each element of a batch system that virtual nodes are mapped to.
   *
   * @throws IllegalArgumentException if the descriptor has no such element, or one that cannot be
   *     held; the message lists all reasons
   * @throws IOException if a job is not accepted; those submitted before it are cancelled
   */
  public static Hold of(Descriptor descriptor) throws IOException {
    var elements =
        descriptor.infrastructure().stream()
            .filter(BatchJvms.class::isInstance)
            .map(BatchJvms.class::cast)
            .filter(
                element ->
                    descriptor.mapping().stream().anyMatch(map -> map.to().equals(element.id())))
            .toList();
    var problems = new ArrayList<String>();
    if (elements.isEmpty()) {
      problems.add(
          "the descriptor has no element of a batch system that a virtual node is mapped to, so there is nothing to hold; pods and the machines of <local> and <ssh> cannot be held");
    }
    for (var element : elements) {
      problems.addAll(HeldJob.problems(element));
      problems.addAll(BatchOptions.problems(element));
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", problems));
    }
    var run = RunJournal.create(List.of());
    try (var machines = new MachineRegistry("", run)) {
      run.begin(elements, System.getProperty(SshConfig.FILE, ""));
      var lines = new ArrayList<String>();
      for (var element : elements) {
        var job = HeldJob.submit(element, machines.of(element.via()), run);
        lines.add(
            "job %s of %s for '%s': %d machine%s, for %s from its start"
                .formatted(
                    job,
                    BatchSystems.name(element),
                    element.id(),
                    element.nodes(),
                    element.nodes() == 1 ? "" : "s",
                    element.wallTime().map(Hold::clock).orElse("")));
      }
      return new Hold(run.id(), lines);
    } catch (IOException | RuntimeException e) {
      withdraw(run.id(), e);
      throw e;
    }
  }

  private static String clock(Duration time) {
    return "%02d:%02d:%02d".formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }

  private static void withdraw(String id, Exception cause) {
    try {
      for (var each : RecordedRun.all()) {
        if (each.id().equals(id)) {
          each.giveBack();
        }
      }
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** Returns all holds that are recorded on this machine, whether their jobs have ended or not. */
  public static List<RecordedRun> all() throws IOException {
    return RecordedRun.all().stream().filter(RecordedRun::isHold).toList();
  }
}
