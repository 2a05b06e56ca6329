package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.futures.WaitInterruptedException;

@Timeout(60)
class OrderTest {

  private static final AtomicInteger inside = new AtomicInteger();
  private static final AtomicInteger overlaps = new AtomicInteger();

  static class Journal {
    private final int[] last = new int[64];
    private int notes;
    private int outOfOrder;

    void note(int sender, int number) {
      if (inside.incrementAndGet() != 1) {
        overlaps.incrementAndGet();
      }
      if (number != last[sender] + 1) {
        outOfOrder++;
      }
      last[sender] = number;
      notes++;
      inside.decrementAndGet();
    }

    int number(int sender, int number) {
      note(sender, number);
      return number;
    }

    void pass(Gate gate) {
      gate.pass();
    }

    int notes() {
      return notes;
    }

    int outOfOrder() {
      return outOfOrder;
    }
  }

  @BeforeEach
  void reset() {
    Gate.closeAll();
    inside.set(0);
    overlaps.set(0);
  }

  @Test
  void keepsTheOrderOfEachOfManySendersAndServesOneAtATime() throws Exception {
    var journal = ActiveObjects.here().create(Journal.class);
    var ref = ActiveObjects.ref(journal);
    var senders = 16;
    var each = 2_000;
    var ready = new CountDownLatch(senders);
    List<Thread> threads = new ArrayList<>();
    for (var i = 0; i < senders; i++) {
      var sender = i;
      Runnable work =
          () -> {
            ready.countDown();
            for (var n = 1; n <= each; n++) {
              switch (n % 50) {
                case 0 -> journal.number(sender, n);
                case 1 -> number(ref, sender, n);
                default -> journal.note(sender, n);
              }
            }
          };
      threads.add((i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform()).start(work));
    }
    for (var thread : threads) {
      thread.join();
    }
    assertThat(journal.notes()).isEqualTo(senders * each);
    assertThat(journal.outOfOrder()).isZero();
    assertThat(overlaps).hasValue(0);
  }

  private static CompletableFuture<Integer> number(Ref<Journal> ref, int sender, int n) {
    return ref.ask(journal -> journal.number(sender, n));
  }

  @Test
  void servesWhatWaitedInOrderWhenItBecomesFree() {
    var journal = ActiveObjects.here().create(Journal.class);
    journal.pass(Gate.ONE);
    Gate.ONE.awaitArrival();
    for (var n = 1; n <= 10_000; n++) {
      journal.note(0, n);
    }
    Gate.ONE.open();
    assertThat(journal.notes()).isEqualTo(10_000);
    assertThat(journal.outOfOrder()).isZero();
  }

  static class Sleeper {
    void interruptItself() {
      Thread.currentThread().interrupt();
    }

    boolean isInterrupted() {
      return Thread.currentThread().isInterrupted();
    }

    void pass(Gate gate) {
      gate.pass();
    }
  }

  @Test
  void anInterruptEndsWithTheRequestThatItWasMeantFor() {
    var sleeper = ActiveObjects.here().create(Sleeper.class);
    sleeper.pass(Gate.ONE); // so that both are served by one thread
    sleeper.interruptItself();
    var interrupted = ActiveObjects.ref(sleeper).ask(Sleeper::isInterrupted);
    Gate.ONE.open();
    assertThat(interrupted.join()).isFalse();
  }

  @Test
  void anInterruptedThreadMakesNoWaitingCall() throws Exception {
    var sleeper = ActiveObjects.here().create(Sleeper.class);
    var failure = new CompletableFuture<Throwable>();
    var flag = new CompletableFuture<Boolean>();
    var caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  Thread.currentThread().interrupt();
                  failure.complete(catchThrowable(sleeper::isInterrupted));
                  flag.complete(Thread.currentThread().isInterrupted());
                });
    caller.join();
    assertThat(failure.join())
        .isInstanceOf(WaitInterruptedException.class)
        .hasMessage("interrupted before Sleeper.isInterrupted() on node 'main' was called");
    assertThat(flag).isCompletedWithValue(true);
  }
}
