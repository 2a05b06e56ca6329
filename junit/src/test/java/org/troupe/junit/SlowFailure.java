package org.troupe.junit;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** An exception whose decoding waits until a test releases it. */
final class SlowFailure extends RuntimeException {

  private static final long serialVersionUID = 1;
  private static final int MOST_SECONDS = 60;

  /** Released ones are replaced, since the tests of a JVM use them one after the other. */
  private static final AtomicReference<Decoding> DECODING = new AtomicReference<>(new Decoding());

  private static final class Decoding {
    private final CountDownLatch hasBegun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
  }

  SlowFailure(String message) {
    super(message);
  }

  /** Waits until the decoding of a failure has begun. */
  static void awaitDecoding() throws InterruptedException {
    await(DECODING.get().hasBegun);
  }

  /** Waits until the decoding of a failure has begun, and lets it end. */
  static void releaseNext() throws InterruptedException {
    awaitDecoding();
    release();
  }

  /** Lets the decoding end that may have begun. */
  static void release() {
    DECODING.getAndSet(new Decoding()).mayEnd.countDown();
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(MOST_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the test did not go on within " + MOST_SECONDS + " s");
    }
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    var decoding = DECODING.get();
    decoding.hasBegun.countDown();
    try {
      await(decoding.mayEnd);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
