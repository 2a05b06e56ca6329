package org.troupe.tasks.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.tasks.LongJob;

/** The numbers by which jobs are recognised that are forked again. */
class FingerprintTest {

  /** A job with an argument. */
  static final class Work extends LongJob {
    private final Object argument;

    Work(Object argument) {
      this.argument = argument;
    }

    @Override
    protected long compute() {
      return argument.hashCode();
    }
  }

  /** An active object. */
  public static class Holder {}

  @Test
  void tellsArgumentsApart() {
    assertThat(Fingerprint.of(new Work("one")))
        .isPresent()
        .isEqualTo(Fingerprint.of(new Work("one")));
    assertThat(Fingerprint.of(new Work("one"))).isNotEqualTo(Fingerprint.of(new Work("two")));
  }

  @Test
  void isMissingIfAnArgumentDependsOnItsNode() {
    var stub = ActiveObjects.here().create(Holder.class);

    assertThat(Fingerprint.of(new Work(stub))).isEmpty();
    assertThat(Fingerprint.of(new Work(new Thread("of this JVM")))).isEmpty();

    ActiveObjects.ref(stub).terminate();
  }
}
