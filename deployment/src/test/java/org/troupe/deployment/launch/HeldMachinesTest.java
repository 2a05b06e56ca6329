package org.troupe.deployment.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.BatchElements;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.descriptors.BatchJvms;

/** The held machines that a run names, and the reasons for which it cannot use them. */
class HeldMachinesTest {

  private static final String HOME = "user.home";
  private static final BatchJvms ELEMENT =
      BatchElements.of(new BatchJvms.Scheduler.Pbs(), Optional.empty(), 2, 1);

  @TempDir private Path folder;
  private final String home = System.getProperty(HOME);

  @BeforeEach
  void moveHome() {
    System.setProperty(HOME, folder.toString());
  }

  @AfterEach
  void moveBack() {
    System.setProperty(HOME, home);
    System.clearProperty(HeldMachines.PROPERTY);
  }

  private RunJournal record() {
    var run = RunJournal.create(List.of());
    run.begin(List.of(ELEMENT), "");
    run.job(ELEMENT, "runs/1");
    System.setProperty(HeldMachines.PROPERTY, run.id());
    return run;
  }

  private static HeldMachines held() {
    return HeldMachines.ofThisProgram().orElseThrow();
  }

  private static List<String> problems(BatchJvms element) {
    return held().problems(element);
  }

  @Test
  void aProgramUsuallyHasMachinesOfItsOwn() {
    assertThat(HeldMachines.ofThisProgram()).isEmpty();
  }

  @Test
  void theElementFindsItsJob() {
    var run = record();
    run.held(ELEMENT, "runs/1");
    run.submitted("runs/1", "17");

    assertThat(problems(ELEMENT)).isEmpty();
    assertThat(held().of(ELEMENT))
        .hasValueSatisfying(
            job -> {
              assertThat(job.number()).isEqualTo("17");
              assertThat(job.folder()).isEqualTo("runs/1");
            });
    assertThat(problems(ELEMENT.withNodes(1))).isEmpty();
    assertThat(problems(ELEMENT.withNodes(3)))
        .singleElement()
        .asString()
        .contains("'bundle' asks for 3 machines with 1 JVMs each")
        .endsWith("has 2 with 1; ask for no more than that, or hold more");
  }

  @Test
  void anOrdinaryRunHoldsNothing() {
    record();

    assertThat(problems(ELEMENT)).singleElement().asString().contains("there is no hold '");
  }

  @Test
  void anotherElementIsNotPartOfTheHold() {
    var run = record();
    run.job(ELEMENT, "runs/1");
    run.held(ELEMENT, "runs/1");
    run.submitted("runs/1", "17");
    var other =
        new BatchJvms(
            "other",
            ELEMENT.scheduler(),
            ELEMENT.via(),
            1,
            1,
            ELEMENT.cpusPerJvm(),
            ELEMENT.memoryBytesPerJvm(),
            ELEMENT.wallTime(),
            ELEMENT.queue(),
            ELEMENT.account(),
            ELEMENT.options(),
            ELEMENT.prologue(),
            ELEMENT.skip(),
            ELEMENT.jvm(),
            ELEMENT.cluster(),
            ELEMENT.workingDirectory(),
            ELEMENT.place());

    assertThat(problems(other))
        .singleElement()
        .asString()
        .contains("'other' is not part of the hold")
        .contains("which has [bundle]");
  }

  @Test
  void aHoldWhoseSubmissionWasCutOffIsNotUsed() {
    record().held(ELEMENT, "runs/1");

    assertThat(problems(ELEMENT)).singleElement().asString().contains("was never submitted");
  }
}
