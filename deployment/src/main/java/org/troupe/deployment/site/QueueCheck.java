package org.troupe.deployment.site;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.site.QueueSurvey.Queues;
import org.troupe.deployment.site.SiteFacts.Queue;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.BatchJvms.Scheduler.Drmaa;
import org.troupe.descriptors.BatchJvms.Scheduler.Flux;
import org.troupe.descriptors.BatchJvms.Scheduler.GridEngine;
import org.troupe.descriptors.BatchJvms.Scheduler.Htcondor;
import org.troupe.descriptors.BatchJvms.Scheduler.Lsf;
import org.troupe.descriptors.BatchJvms.Scheduler.Oar;
import org.troupe.descriptors.BatchJvms.Scheduler.Pbs;
import org.troupe.descriptors.BatchJvms.Scheduler.Slurm;

/** Compares the requests of an element with the queues of its batch system. Submits no job. */
public final class QueueCheck {

  private final BatchJvms element;
  private final Queues queues;
  private final List<Fact> facts = new ArrayList<>();

  /**
   * The result of one comparison.
   *
   * @param isFatal whether the batch system will refuse the job, or never start it
   * @param remedy empty if nothing is wrong
   */
  public record Fact(boolean isFatal, String what, String remedy) {}

  private QueueCheck(BatchJvms element, Queues queues) {
    this.element = element;
    this.queues = queues;
  }

  /**
   * Asks for the queues and compares; an element behind a DRMAA library has no facts.
   *
   * @throws IOException if the machine cannot be asked any more
   */
  public static List<Fact> of(CommandRunner commands, BatchJvms element) throws IOException {
    var survey = survey(element.scheduler());
    if (survey.isEmpty()) {
      return List.of();
    }
    var check = new QueueCheck(element, survey.get().queues(commands));
    check.compare();
    return List.copyOf(check.facts);
  }

  private static Optional<QueueSurvey> survey(BatchJvms.Scheduler kind) {
    return switch (kind) {
      case Slurm _ -> Optional.of(new SlurmSurvey());
      case Pbs _ -> Optional.of(new PbsSurvey());
      case GridEngine _ -> Optional.of(new GridEngineSurvey());
      case Oar _ -> Optional.of(new OarSurvey());
      case Flux _ -> Optional.of(new FluxSurvey());
      case Htcondor _ -> Optional.of(new HtcondorSurvey());
      case Lsf _ -> Optional.of(new LsfSurvey());
      case Drmaa _ -> Optional.empty();
    };
  }

  private void compare() {
    queues.remarks().forEach(remark -> warn(remark, "try its own commands on that machine"));
    if (queues.open().isEmpty() && queues.closed().isEmpty()) {
      return; // it tells nothing
    }
    var queue = element.queue().isPresent() ? named(element.queue().get()) : usual();
    queue.ifPresent(this::compareTime);
    queue.ifPresent(this::compareMachines);
    if (element.scheduler() instanceof Htcondor && element.memoryBytesPerJvm().isEmpty()) {
      warn(
          "'%s' has no memory: unless the site says otherwise, HTCondor gives a job 128 MB, which"
                  .formatted(element.id())
              + " is too little for a JVM",
          "add it, such as memory=\"2g\"");
    }
  }

  private Optional<Queue> usual() {
    return queues.open().stream().filter(Queue::isUsual).findFirst();
  }

  private Optional<Queue> named(String name) {
    if (element.scheduler() instanceof Oar) {
      facts.add(
          new Fact(
              false,
              "OAR does not tell users its queues and limits: only a job shows whether '%s' takes it"
                  .formatted(name),
              ""));
      return usual();
    }
    // Grid Engine also accepts a list of queues, each with machines behind it; Slurm a list of
    // partitions.
    for (var each : name.split(",")) {
      var queue = each.split("@")[0];
      var closed = queues.closed().stream().filter(its -> its.name().equals(queue)).findFirst();
      if (closed.isPresent()) {
        fatal(noun() + " '" + queue + "' " + closed.get().why(), choice());
      } else if (open(queue).isEmpty()) {
        fatal("there is no " + noun() + " '" + queue + "'", choice());
      } else {
        facts.add(new Fact(false, noun() + " '" + queue + "' takes jobs", ""));
      }
    }
    return open(name);
  }

  private Optional<Queue> open(String name) {
    return queues.open().stream().filter(each -> each.name().equals(name)).findFirst();
  }

  private String noun() {
    return element.scheduler() instanceof Slurm ? "partition" : "queue";
  }

  private String choice() {
    var names = queues.open().stream().filter(Queue::hasName).map(Queue::name).toList();
    return names.isEmpty()
        ? "leave it out, as no %s has a name".formatted(noun())
        : "choose from " + names.stream().map(each -> "'" + each + "'").collect(joining(", "));
  }

  private void compareTime(Queue queue) {
    var longest = queue.longestSeconds();
    if (longest > 0 && element.wallTime().filter(time -> time.toSeconds() > longest).isPresent()) {
      fatal(
          "'%s' asks for a wallTime of %s, but jobs in %s may take %s at most"
              .formatted(
                  element.id(),
                  SiteText.time(element.wallTime().get().toSeconds()),
                  queue.title(),
                  SiteText.time(longest)),
          "shorten wallTime, or choose another " + noun());
    }
  }

  /** The jobs of HTCondor may share a machine. */
  private void compareMachines(Queue queue) {
    if (queue.nodes() > 0
        && element.nodes() > queue.nodes()
        && !(element.scheduler() instanceof Htcondor)) {
      warn(
          "'%s' asks for %d machines, but %s has %d"
              .formatted(element.id(), element.nodes(), queue.title(), queue.nodes()),
          "reduce nodes, or start more JVMs on each by jvmsPerNode");
    }
  }

  private void fatal(String what, String remedy) {
    facts.add(new Fact(true, what, remedy));
  }

  private void warn(String what, String remedy) {
    facts.add(new Fact(false, what, remedy));
  }
}
