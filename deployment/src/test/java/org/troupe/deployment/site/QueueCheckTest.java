package org.troupe.deployment.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.OneElement;
import org.troupe.deployment.site.QueueCheck.Fact;
import org.troupe.descriptors.BatchJvms;

/** Elements against queues, on answers recorded from real schedulers. */
class QueueCheckTest {

  private static final String OPEN_PBS =
      """
      Queue: workq
          enabled = True
          started = True
      Queue: short
          resources_max.walltime = 00:05:00
          enabled = True
          started = True
      Queue: old
          enabled = True
          started = False
      Queue: gone
          enabled = False
          started = True
      Queue: routed
          from_route_only = True
          enabled = True
          started = True
      """;

  @TempDir private Path folder;

  private List<Fact> check(String element, RecordedCommands commands) throws IOException {
    var descriptor = OneElement.descriptor(folder, "job", element);
    return QueueCheck.of(commands, (BatchJvms) descriptor.infrastructure().getFirst());
  }

  private List<Fact> pbs(String attributes) throws IOException {
    var commands = RecordedCommands.of("iota.txt").with("qstat -Q -f", 0, OPEN_PBS, "");
    return check("<pbs id='job' %s/>".formatted(attributes), commands);
  }

  @Test
  void aQueueThatTakesJobs() throws IOException {
    assertThat(pbs("queue='short' wallTime='5m' nodes='2'"))
        .containsExactly(new Fact(false, "queue 'short' takes jobs", ""));
    assertThat(pbs("wallTime='100h'")).as("no queue named, and no limit").isEmpty();
  }

  @Test
  void queuesThatDoNotTakeThem() throws IOException {
    var choice = "choose from 'workq', 'short'";

    assertThat(pbs("queue='shrt'"))
        .containsExactly(new Fact(true, "there is no queue 'shrt'", choice));
    assertThat(pbs("queue='old'"))
        .containsExactly(new Fact(true, "queue 'old' is stopped: jobs only wait there", choice));
    assertThat(pbs("queue='gone'"))
        .containsExactly(new Fact(true, "queue 'gone' is not enabled", choice));
    assertThat(pbs("queue='routed'"))
        .containsExactly(
            new Fact(true, "queue 'routed' takes jobs from other queues only", choice));
  }

  @Test
  void aTimeThatIsLongerThanTheLimit() throws IOException {
    assertThat(pbs("queue='short' wallTime='1h'"))
        .contains(
            new Fact(
                true,
                "'job' asks for a wallTime of 01:00:00, but jobs in queue short may take 00:05:00 at"
                    + " most",
                "shorten wallTime, or choose another queue"));
  }

  @Test
  void moreMachinesThanThereAre() throws IOException {
    assertThat(pbs("nodes='3'"))
        .containsExactly(
            new Fact(
                false,
                "'job' asks for 3 machines, but queue workq (the usual one) has 2",
                "reduce nodes, or start more JVMs on each by jvmsPerNode"));
  }

  @Test
  void oarKeepsItsQueuesToItself() throws IOException {
    var facts = check("<oar id='job' queue='nope' nodes='3'/>", RecordedCommands.of("eta.txt"));

    assertThat(facts).noneMatch(Fact::isFatal);
    assertThat(facts)
        .extracting(Fact::what)
        .containsExactly(
            "OAR does not tell users its queues and limits: only a job shows whether 'nope' takes"
                + " it",
            "'job' asks for 3 machines, but the usual queue has 2");
  }

  @Test
  void slurmSaysPartition() throws IOException {
    assertThat(check("<slurm id='job' queue='mian'/>", RecordedCommands.of("alpha.txt")))
        .containsExactly(new Fact(true, "there is no partition 'mian'", "choose from 'main'"));
  }

  @Test
  void theMemoryThatHtcondorGivesIsTooLittle() throws IOException {
    var commands =
        RecordedCommands.of("theta.txt")
            .with(
                "condor_status -constraint SlotType =!= \"Dynamic\" -af Machine TotalSlotCpus",
                0,
                "delta-gw 4\n",
                "");

    assertThat(check("<htcondor id='job' nodes='3'/>", commands))
        .singleElement()
        .satisfies(fact -> assertThat(fact.what()).startsWith("'job' has no memory: "));
    assertThat(check("<htcondor id='job' memory='2g'/>", commands)).isEmpty();
  }
}
