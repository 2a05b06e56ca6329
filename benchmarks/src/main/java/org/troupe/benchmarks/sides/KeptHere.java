package org.troupe.benchmarks.sides;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.benchmarks.harness.TerminationCleanup;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.graph.Serializer;

/** Makes images of active objects of its JVM, and lets them serve their logs again. */
public final class KeptHere {

  /** Milliseconds for which an object of 64 MiB serves nothing while an image of it is made. */
  public static final String IMAGE_PAUSE = "image-pause";

  /** Milliseconds to encode such an object. */
  public static final String ENCODING = "encoding";

  /** Requests a second that are served and logged, with all of them in the queue. */
  public static final String SERVED = "served";

  /** Requests a second that are served again from the log. */
  public static final String REPLAYED = "replayed";

  private static final int MEBIBYTES = 64;

  /** Fewer than those behind which an image replaces the log. */
  private static final int REQUESTS_OF_EACH = 5_000;

  private static final int LEDGERS = 20;
  private static final long LIMIT_SECONDS = 60;

  private final Store store;

  private KeptHere() throws IOException {
    store = Store.directory(TerminationCleanup.folder().resolve("store"));
  }

  /** Has an array as its state. */
  static class Field {
    private final double[] values = new double[(MEBIBYTES << 20) / Double.BYTES];

    int call() {
      return values.length;
    }
  }

  /** By which a ledger fails. */
  static final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** The moments of one ledger, which it passes again when it is made again. */
  private static final class Moments {
    final CountDownLatch isQueued = new CountDownLatch(1);
    volatile long began;
    volatile long ended;
  }

  private static volatile Moments moments = new Moments();

  /** Notes when an image that has it is decoded, before the log behind the image is read. */
  static final class ReadingBegin implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      moments.began = System.nanoTime();
    }
  }

  /** Adds numbers. */
  static class Ledger {
    @SuppressWarnings("unused") // is decoded
    private final ReadingBegin reading = new ReadingBegin();

    private long sum;
    private int count;

    void begin() {
      await(moments.isQueued, "the requests");
      if (moments.began == 0) { // else it is served again
        moments.began = System.nanoTime();
      }
    }

    void add(long value) {
      sum += value;
      if (++count == REQUESTS_OF_EACH) {
        moments.ended = System.nanoTime();
      }
    }

    long sum() {
      return sum;
    }

    long fail() {
      throw new BrokenException();
    }
  }

  static void main(String[] arguments) throws Exception {
    Logger.getLogger("org.troupe.activeobjects").setLevel(Level.OFF); // it reports each restart
    TurnProtocol.serve(new KeptHere()::measure, Integer.parseInt(arguments[0]));
  }

  private TurnProtocol.Measure measure(String load) {
    return switch (load) {
      case IMAGE_PAUSE -> {
        var field =
            ActiveObjects.here()
                .with(Options.STANDARD.withKeep(Keep.calls(store)))
                .create(Field.class);
        pause(field); // warm-up
        yield _ -> pause(field);
      }
      case ENCODING -> {
        var field = new Field();
        encoding(field); // warm-up
        yield _ -> encoding(field);
      }
      case SERVED, REPLAYED -> {
        var isReplayed = load.equals(REPLAYED);
        rate(isReplayed); // warm-up
        yield _ -> rate(isReplayed);
      }
      default -> throw new IllegalArgumentException("there is no load '" + load + "'");
    };
  }

  /** Returns the longest time of a call while an image is made. */
  private static double pause(Field field) {
    var longest = 0L;
    field.call();
    var image = ActiveObjects.ref(field).checkpoint();
    do {
      var began = System.nanoTime();
      field.call();
      longest = Math.max(longest, System.nanoTime() - began);
    } while (!image.isDone());
    image.join();
    return longest / 1e6;
  }

  private static double encoding(Field field) {
    var began = System.nanoTime();
    var out = new ByteOutput((MEBIBYTES << 20) + 1024, Integer.MAX_VALUE);
    Serializer.builder().build().writer(out).write(field);
    if (out.size() < MEBIBYTES << 20) {
      throw new AssertionError(out.size());
    }
    return (System.nanoTime() - began) / 1e6;
  }

  /** Returns the requests a second of all ledgers, one after the other. */
  private double rate(boolean isReplayed) {
    var nanos = 0L;
    for (var i = 0; i < LEDGERS; i++) {
      nanos += nanos(isReplayed);
    }
    return LEDGERS * REQUESTS_OF_EACH * 1e9 / nanos;
  }

  private long nanos(boolean isReplayed) {
    var now = new Moments();
    moments = now;
    var ledger =
        ActiveObjects.here()
            .with(
                Options.STANDARD
                    .withKeep(Keep.calls(store))
                    .withRestart(Restart.here().on(BrokenException.class)))
            .create(Ledger.class);
    var ref = ActiveObjects.ref(ledger);
    ledger.begin();
    for (var i = 0; i < REQUESTS_OF_EACH; i++) {
      ledger.add(i);
    }
    now.isQueued.countDown();
    check(ledger.sum());
    if (isReplayed) {
      now.began = 0;
      now.ended = 0;
      requireFailure(ref.ask(Ledger::fail).handle((_, failure) -> failure));
      check(ledger.sum());
      if (now.began == 0 || now.ended == 0) {
        throw new AssertionError("the log was not served again");
      }
    }
    ref.terminate().join();
    return now.ended - now.began;
  }

  private static void requireFailure(CompletableFuture<@Nullable Throwable> failed) {
    if (failed.join() == null) {
      throw new AssertionError("the object did not fail");
    }
  }

  private static void check(long sum) {
    if (sum != (long) REQUESTS_OF_EACH * (REQUESTS_OF_EACH - 1) / 2) {
      throw new AssertionError(sum);
    }
  }

  private static void await(CountDownLatch latch, String what) {
    try {
      if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("no sign of " + what + " after " + LIMIT_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while waiting for " + what, e);
    }
  }
}
