package org.troupe.groups.spmd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.troupe.groups.Slice;

/** Messages that waits take from a mailbox. */
class MailboxTest {

  private static final long TAG = 7;

  private final Mailbox mailbox = new Mailbox(2);
  private int taken;

  private final Mailbox.Wait wait =
      new Mailbox.Wait() {
        @Override
        public String describe() {
          return "a test";
        }

        @Override
        public void check() {}

        @Override
        public void reportDelay(List<Integer> missing, long waitedNanos) {}

        @Override
        public @Nullable Long deadline() {
          return null;
        }

        @Override
        public RuntimeException timedOut(List<Integer> missing) {
          throw new AssertionError("there is no deadline");
        }

        @Override
        public void takenFromLink() {
          taken++;
        }
      };

  /** The count of these messages puts those on a board in order. */
  @Test
  void areCountedEvenIfTheActionBeforeTheWaitFails() {
    var numbers = new double[200];
    assertThatThrownBy(
            () ->
                mailbox.take(
                    1,
                    TAG,
                    Slice.of(numbers),
                    wait,
                    () -> {
                      var buffer = mailbox.acquireBuffer(1, TAG, double.class, numbers.length);
                      Objects.requireNonNull(buffer, "the slice is posted").release().run();
                      mailbox.put(1, new Mailbox.Message(1, TAG, () -> numbers));
                      throw new IllegalStateException("the send has failed");
                    }))
        .hasMessage("the send has failed");
    assertThat(mailbox.hasMessage(1)).isFalse();
    assertThat(taken).isEqualTo(1);
  }
}
