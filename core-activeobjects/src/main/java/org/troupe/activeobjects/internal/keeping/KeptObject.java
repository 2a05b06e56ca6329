package org.troupe.activeobjects.internal.keeping;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.Departure;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.activeobjects.internal.replay.JournaledObject;
import org.troupe.activeobjects.store.Journal;
import org.troupe.futures.FutureRuntime;
import org.troupe.serialization.ClassSource;

/** One object with its journal: makes its images, and makes the object from the last of them. */
final class KeptObject implements Origin.InPlace {

  /*
   * Design: images between two requests
   *
   *   none --checkpoint--> WAITING --safe point--> WRITING --stable or failed--> none
   *
   * An image is made like that of an object that moves, but the departure is cancelled as soon as the object is
   * encoded, so the object serves on while its image is written. At most one image is written at a time. A checkpoint
   * that is asked for before the safe point of another one shares its image; one that is asked for later waits for the end of the former.
   *
   * A restart waits for an image that is being written, so that the object goes on from the latest state that was
   * taken. The flag of the body that it has served is reset at the safe point, and set again if the image fails,
   * so that no change is left out of the next one.
   *
   * The last image of an object is not followed by a request: the departure lasts until the body has been told to end.
   */

  private static final Duration PATIENCE = Duration.ofSeconds(10); // for a safe point
  private static final long CHECK_MILLIS = 10;

  private final Body body;
  private final Options options;
  private final Journal journal; // not used if there are calls
  private final @Nullable CallJournal calls;
  private final ImageCodec codec;

  // guarded by this
  private @Nullable Attempt newest;
  private @Nullable Timer timer;
  private boolean isClosed;

  private volatile boolean hasFailed; // since the last stable image

  /**
   * Creates what keeps an object.
   *
   * @param reopening opens the journal anew after a failure
   */
  KeptObject(
      Body body,
      Options options,
      Journal journal,
      CallJournal.Reopening reopening,
      ImageCodec codec) {
    this.body = body;
    this.options = options;
    this.journal = journal;
    this.codec = codec;
    if (body instanceof LoggedBody logged) {
      calls = new CallJournal(logged, codec, journal, reopening, this::startCheckpoint);
      logged.logTo(calls);
    } else {
      calls = null;
    }
  }

  /** Stores the first image of an object, whose service has not begun. */
  void born(Object object) throws IOException {
    Objects.requireNonNull(writer(codec.encode(body, object, options)), "a new object").write();
    schedule();
  }

  /** Returns an action that writes an image; {@code null} if the object is at no safe point. */
  private JournaledObject.@Nullable ImageWriter writer(ByteBuffer image) {
    return calls == null ? () -> journal.replace(journal.last(), image) : calls.image(image);
  }

  private void startCheckpoint() {
    checkpoint()
        .whenComplete(
            (done, failure) -> {
              if (failure != null && !body.hasEnded()) {
                report(KeptObjects.causeOf(failure));
              }
            });
  }

  private void schedule() {
    var next = new Timer(this);
    synchronized (this) {
      if (isClosed) {
        return;
      }
      timer = next;
    }
    body.node().restartClock().schedule(next, FutureRuntime.nanos(options.keep().every()));
  }

  /** Looks for changes later; does not hold an object that has ended until then. */
  private static final class Timer implements Runnable {
    private volatile @Nullable KeptObject object;

    Timer(KeptObject object) {
      this.object = object;
    }

    @Override
    public void run() {
      var known = object;
      if (known != null) {
        known.lookForChanges();
      }
    }
  }

  private void lookForChanges() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
    }
    if (body.hasEnded()) {
      return;
    }
    if (hasFailed || body.hasServed()) {
      checkpoint()
          .whenComplete(
              (done, failure) -> {
                if (failure != null && !body.hasEnded()) {
                  report(KeptObjects.causeOf(failure));
                }
                schedule();
              });
    } else {
      schedule();
    }
  }

  private void report(Throwable failure) {
    body.node().failures().report(null, "the image of " + body, failure);
  }

  /** Stores an image at the next safe point. */
  CompletableFuture<Void> checkpoint() {
    return attempt(null);
  }

  /** Stores an image at the next safe point, and ends the object there. */
  CompletableFuture<Void> end(End how) {
    return attempt(how);
  }

  private CompletableFuture<Void> attempt(@Nullable End how) {
    Attempt next;
    @Nullable Attempt former;
    synchronized (this) {
      if (isClosed) {
        return CompletableFuture.failedFuture(
            new IllegalStateException(body + " has ended, or its store has been closed"));
      }
      former = newest;
      if (former != null && former.awaitsSafePoint() && how == null) {
        return former.done.copy();
      }
      next = new Attempt(how, former);
      newest = next;
      isClosed = how != null;
    }
    Thread.startVirtualThread(next::run);
    return next.done.copy();
  }

  /** Releases the journal when the object has ended; deletes it if the object was terminated. */
  void ended(End how, KeptObjects.Deletion deletion) {
    synchronized (this) {
      isClosed = true;
      if (timer != null) {
        timer.object = null;
      }
    }
    try {
      if (calls == null) {
        journal.close();
      } else {
        calls.close();
      }
      if (how.how() == End.How.TERMINATED) {
        deletion.delete();
      }
    } catch (IOException failure) {
      report(failure);
    }
  }

  @Override
  public String problem() {
    return "it could not be made from its last image:";
  }

  @Override
  public Object make(Class<?> type, Marshaller marshaller, ClassSource classes) throws Throwable {
    Attempt last;
    synchronized (this) {
      last = newest;
    }
    for (var each = last; each != null; each = each.former) {
      if (!each.awaitsSafePoint()) {
        each.done.handle((done, failure) -> done).join();
      }
    }
    if (calls != null) {
      return calls.makeAgain(type);
    }
    var image = journal.image();
    if (image.isEmpty()) {
      throw new IOException("the journal of " + body + " has lost its image");
    }
    return codec.decode(image.get().content(), type);
  }

  @Override
  public void begin(LifeCycle object) {
    if (calls == null) { // else that was before its requests were served again
      object.arrived();
    }
  }

  /** The making of one image. */
  private final class Attempt {
    private final @Nullable End how; // the end of the object after this image
    private final CompletableFuture<JournaledObject.@Nullable ImageWriter> image =
        new CompletableFuture<>();
    final CompletableFuture<Void> done = new CompletableFuture<>();
    private volatile boolean isEncoded; // or is about to be
    private volatile @Nullable Attempt former; // until it is over

    Attempt(@Nullable End how, @Nullable Attempt former) {
      this.how = how;
      this.former = former;
    }

    boolean awaitsSafePoint() {
      return !isEncoded && !image.isDone();
    }

    void run() {
      var earlier = former;
      if (earlier != null) {
        earlier.done.handle((done, failure) -> done).join();
        former = null;
      }
      var departure = body.departures().begin(this::encode);
      try {
        if (departure == null) {
          throw new IllegalStateException(body + " is about to move to another node");
        }
        var encoded = await(departure);
        if (encoded != null) { // the object has changed
          encoded.write();
        }
        hasFailed = false;
        end(departure);
        done.complete(null);
      } catch (ExecutionException failure) {
        fail(departure, failure.getCause());
      } catch (IOException | InterruptedException | RuntimeException | Error failure) {
        fail(departure, failure);
      }
    }

    /** Encodes the object, on the thread that serves it. */
    private void encode(Departure departure) {
      isEncoded = true;
      JournaledObject.ImageWriter encoded = null;
      Throwable problem = null;
      try {
        var object = body.target();
        if (object == null) {
          throw new IllegalStateException(body + " has no object");
        }
        var isChanged = body.takeServed() || hasFailed;
        if (isChanged || how == null) {
          encoded = writer(codec.encode(body, object, options));
          if (encoded == null) {
            throw new IllegalStateException(body + " has stopped, or is being made again");
          }
        }
      } catch (Throwable failure) {
        problem = failure;
      }
      if (how == null) {
        departure.cancel(); // before the next attempt, which begins a departure of its own
      }
      if (problem == null) {
        image.complete(encoded);
      } else {
        image.completeExceptionally(problem);
      }
    }

    private JournaledObject.@Nullable ImageWriter await(Departure departure)
        throws ExecutionException, InterruptedException {
      var began = System.nanoTime();
      for (; ; ) {
        try {
          return image.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          if (body.hasEnded()) {
            throw new IllegalStateException(body + " has ended");
          }
          var waits = body.departures().obstacle();
          if (System.nanoTime() - began > PATIENCE.toNanos() && departure.giveUp()) {
            throw new IllegalStateException(
                "no image of %s could be made: %s after %s; let them end"
                    .formatted(
                        body, waits == null ? "a request was still running" : waits, PATIENCE));
          }
          departure.check();
        }
      }
    }

    private void fail(@Nullable Departure departure, @Nullable Throwable failure) {
      hasFailed = true;
      image.completeExceptionally(new IllegalStateException("the image has failed"));
      if (departure != null) {
        end(departure);
      }
      done.completeExceptionally(
          failure == null ? new IllegalStateException("the image has failed") : failure);
    }

    private void end(Departure departure) {
      if (how != null) {
        body.endNow(how);
        departure.giveUp();
        departure.cancel();
      }
    }
  }
}
