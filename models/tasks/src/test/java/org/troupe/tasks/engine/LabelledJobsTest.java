package org.troupe.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The queues of jobs with labels. */
class LabelledJobsTest {

  private final LabelledJobs jobs = new LabelledJobs();

  private static final class Labelled extends Spawn {

    Labelled(String label) {
      state().label = label;
    }

    @Override
    protected void execute() {}

    @Override
    protected @Nullable Object outcome() {
      return null;
    }

    @Override
    protected void setOutcome(@Nullable Object result) {}
  }

  private Spawn added(String label) {
    var job = new Labelled(label);
    jobs.queue(label).add(job);
    return job;
  }

  @Test
  void giveTheOldestWithALabel() {
    var first = added("gpu");
    added("disk");
    var second = added("gpu");

    assertThat(jobs.poll("gpu"::equals)).isSameAs(first);
    assertThat(jobs.poll("gpu"::equals)).isSameAs(second);
    assertThat(jobs.poll("gpu"::equals)).isNull();
    assertThat(jobs.ofWaiting()).containsExactly("disk");
  }

  @Test
  void giveANodeThoseOfItsOwnLabels() {
    jobs.set(Set.of("gpu"), Set.of("gpu", "disk"));
    added("disk");
    assertThat(jobs.hasOwn()).isFalse();
    assertThat(jobs.pollOwn(_ -> true)).isNull();
    var own = added("gpu");
    assertThat(jobs.hasOwn()).isTrue();
    assertThat(jobs.pollOwn(job -> job != own)).isNull();
    assertThat(jobs.pollOwn(_ -> true)).isSameAs(own);
  }

  @Test
  void letNoLabelWaitForAllJobsOfAnotherOne() {
    jobs.set(Set.of("gpu", "disk"), Set.of("gpu", "disk"));
    for (int i = 0; i < 200; i++) {
      added("gpu");
      added("disk");
    }

    var served = new HashSet<String>();
    for (int i = 0; i < 200; i++) { // all are of one label with a probability of 2^-199
      var job = jobs.pollOwn(_ -> true);
      assertThat(job).isNotNull();
      served.add(LabelledJobs.label(job));
    }

    assertThat(served).hasSameElementsAs(List.of("gpu", "disk"));
  }
}
