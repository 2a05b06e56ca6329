package org.troupe.deployment.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.troupe.descriptors.BatchJvms.Scheduler;
import org.troupe.descriptors.BatchJvms.Scheduler.Drmaa;
import org.troupe.descriptors.BatchJvms.Scheduler.Flux;
import org.troupe.descriptors.BatchJvms.Scheduler.GridEngine;
import org.troupe.descriptors.BatchJvms.Scheduler.Htcondor;
import org.troupe.descriptors.BatchJvms.Scheduler.Lsf;
import org.troupe.descriptors.BatchJvms.Scheduler.Oar;
import org.troupe.descriptors.BatchJvms.Scheduler.Pbs;
import org.troupe.descriptors.BatchJvms.Scheduler.Slurm;

/** Schedulers as the journal writes them and the record reads them. */
class RecordedSchedulerTest {

  @Test
  void everySchedulerIsReadBackAsItself() {
    var schedulers =
        Stream.<Scheduler>of(
                new Slurm(),
                new Pbs(),
                new GridEngine(Optional.empty()),
                new Oar(),
                new Flux(),
                new Htcondor(),
                new Lsf(),
                new Drmaa(Optional.of(Path.of("/opt/lib/libdrmaa.so")), Optional.empty()))
            .toList();

    assertThat(schedulers)
        .as("one of each kind")
        .extracting(each -> (Object) each.getClass())
        .containsExactlyInAnyOrder((Object[]) Scheduler.class.getPermittedSubclasses());
    for (var scheduler : schedulers) {
      var words = RecordedScheduler.words(scheduler);
      assertThat(RecordedScheduler.read(words[0], words[1])).isEqualTo(scheduler);
    }
  }

  @Test
  void aNameOfALaterVersionIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordedScheduler.read("loadleveler", ""))
        .withMessageContaining("'loadleveler'");
  }
}
