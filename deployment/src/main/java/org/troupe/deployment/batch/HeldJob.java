package org.troupe.deployment.batch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.BatchJvms.Scheduler.Drmaa;
import org.troupe.descriptors.BatchJvms.Scheduler.Htcondor;
import org.troupe.descriptors.SourceProblem;

/** Submits jobs that hold their machines for several runs. */
public final class HeldJob {

  private static final Duration LONGEST_COMMAND = Duration.ofSeconds(60);

  private HeldJob() {}

  /** Returns the reasons for which the machines of an element cannot be held. */
  public static List<String> problems(BatchJvms element) {
    if (element.scheduler() instanceof Drmaa) {
      return List.of(
          problem(
              element,
              "the machines of a <drmaa> element cannot be held",
              "use the element for the commands of the batch system"));
    }
    if (element.scheduler() instanceof Htcondor) {
      return List.of(
          problem(
              element,
              "the machines of '%s' cannot be held, since HTCondor gives and takes each alone"
                  .formatted(element.id()),
              "run programs on it without 'hold'"));
    }
    return element.wallTime().isEmpty()
        ? List.of(
            problem(
                element,
                "the machines of '%s' would be held without a time limit".formatted(element.id()),
                "add 'wallTime', after which they are given back"))
        : List.of();
  }

  private static String problem(BatchJvms element, String what, String remedy) {
    return new SourceProblem(element.place(), what, remedy).toString();
  }

  /**
   * Submits the job, and records it before.
   *
   * @param machine that has the batch system's commands
   * @return the id of the job
   * @throws IOException if there is no job; the message has the reason
   */
  public static String submit(BatchJvms element, Machine machine, RunJournal run)
      throws IOException {
    var folder = RunJournal.RUNS + run.id() + "-" + element.id();
    var system = BatchSystems.open(element.scheduler(), element.via(), machine);
    run.job(element, folder);
    run.held(element, folder);
    var answer =
        new MachineCommands(machine, LONGEST_COMMAND)
            .run(
                List.of(
                    "/bin/sh",
                    "-c",
                    "umask 077; cd && mkdir -p \"$1\" && cd \"$1\" && pwd -P",
                    "sh",
                    folder));
    if (answer.exitCode() != 0) {
      throw new IOException(
          "the folder ~/%s cannot be made on %s: %s"
              .formatted(folder, machine.name(), answer.message()));
    }
    var path = answer.output().strip();
    machine.put(
        HoldScript.of(element, path, element.wallTime().orElseThrow())
            .getBytes(StandardCharsets.UTF_8),
        path + "/job");
    try {
      var id = system.submit(BatchJob.template(element, path, system));
      run.submitted(folder, id);
      machine.put((id + "\n").getBytes(StandardCharsets.UTF_8), path + "/id");
      return id;
    } catch (BatchException e) {
      throw new IOException(
          problem(
              element,
              "'%s' got no job from %s: %s"
                  .formatted(element.id(), BatchSystems.name(element), e.getMessage()),
              "correct the element"),
          e);
    }
  }
}
