package org.troupe.deployment.launch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.journal.RunRecord;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.SourceProblem;

/**
 * The machines that an earlier {@code troupe hold} has got for runs such as this one.
 *
 * @param id the id of the hold
 * @param jobs its jobs; empty if there is no such hold
 */
record HeldMachines(String id, List<RunRecord.Job> jobs) {

  /** The property that names the hold whose machines a run uses; {@code run --on} sets it. */
  static final String PROPERTY = "troupe.on";

  HeldMachines {
    jobs = List.copyOf(jobs);
  }

  /** Returns the held machines that this program uses; empty if it asks for its own. */
  static Optional<HeldMachines> ofThisProgram() {
    var id = System.getProperty(PROPERTY, "");
    return id.isEmpty() ? Optional.empty() : Optional.of(read(id));
  }

  private static HeldMachines read(String id) {
    var jobs = new ArrayList<RunRecord.Job>();
    try {
      RunRecord.read(RunJournal.home().resolve(id))
          .ifPresent(
              recorded ->
                  recorded.jobs().stream().filter(RunRecord.Job::isHeld).forEach(jobs::add));
    } catch (IOException e) {
      // Reported as a hold that does not exist: the file is damaged.
    }
    return new HeldMachines(id, jobs);
  }

  /** Returns the job that holds the machines of an element; empty if there is none. */
  Optional<RunRecord.Job> of(BatchJvms element) {
    return jobs.stream().filter(job -> job.element().equals(element.id())).findFirst();
  }

  /** Returns the reasons for which an element cannot use these machines. */
  List<String> problems(BatchJvms element) {
    if (jobs.isEmpty()) {
      return List.of(
          problem(
              element,
              "there is no hold '%s'".formatted(id),
              "'troupe ps' shows those that exist, and 'troupe hold' makes one"));
    }
    var job = of(element);
    if (job.isEmpty()) {
      return List.of(
          problem(
              element,
              "'%s' is not part of the hold '%s', which has %s"
                  .formatted(element.id(), id, jobs.stream().map(RunRecord.Job::element).toList()),
              "use the descriptor of the hold, or run without '--on'"));
    }
    var held = job.get();
    if (held.number().isEmpty()) {
      return List.of(
          problem(
              element,
              "the job of '%s' in the hold '%s' was never submitted".formatted(element.id(), id),
              "end the hold by 'troupe cancel --of %s'".formatted(id)));
    }
    return element.nodes() > held.heldNodes() || element.jvmsPerNode() > held.heldJvms()
        ? List.of(
            problem(
                element,
                "'%s' asks for %d machines with %d JVMs each, and the hold '%s' has %d with %d"
                    .formatted(
                        element.id(),
                        element.nodes(),
                        element.jvmsPerNode(),
                        id,
                        held.heldNodes(),
                        held.heldJvms()),
                "ask for no more than that, or hold more"))
        : List.of();
  }

  private static String problem(BatchJvms element, String what, String remedy) {
    return new SourceProblem(element.place(), what, remedy).toString();
  }
}
