package org.troupe.activeobjects.internal.keeping;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.Departure;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.activeobjects.internal.object.ObjectKeeper;
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
   * The last image of an object is not followed by a request: the departure lasts until the body has been told to end, or
   * for good if the object goes on on another node.
   */

  private static final Duration PATIENCE = Duration.ofSeconds(10); // for a safe point
  private static final long CHECK_MILLIS = 10;

  /** What follows an image. */
  private sealed interface Next {

    /** The object serves on. */
    record Service() implements Next {}

    /** Nothing: the object goes on on another node. */
    record Rest() implements Next {}

    /** The object ends. */
    record Ending(End how) implements Next {}
  }

  private final Body body;
  private final Origin.Stored stored;
  private final Journal journal; // not used if there are calls
  private final @Nullable CallJournal calls;
  private final ImageCodec codec;

  // guarded by this
  private @Nullable Attempt newest;
  private @Nullable Timer timer;
  private @Nullable Departure resting; // since its last image
  private boolean isClosed;
  private boolean isDiscarded;

  private volatile boolean hasFailed; // since the last stable image
  private volatile @Nullable Instant madeFrom; // the time of the image that the object was made of

  /**
   * Creates what keeps an object.
   *
   * @param stored names the journal
   * @param reopening opens the journal anew after a failure
   */
  KeptObject(
      Body body,
      Origin.Stored stored,
      Journal journal,
      CallJournal.Reopening reopening,
      ImageCodec codec) {
    this.body = body;
    this.stored = stored;
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
    if (calls != null) {
      calls.born();
    }
    Objects.requireNonNull(writer(codec.encode(body, object, stored.options())), "a new object")
        .write();
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
    body.node().restartClock().schedule(next, FutureRuntime.nanos(stored.options().keep().every()));
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
    return attempt(new Next.Service());
  }

  /** Stores an image at the next safe point, and ends the object there. */
  CompletableFuture<Void> end(End how) {
    Departure rest;
    synchronized (this) {
      rest = resting;
    }
    if (rest == null) {
      return attempt(new Next.Ending(how));
    }
    body.endNow(how);
    rest.cancel();
    return CompletableFuture.completedFuture(null);
  }

  /** Stores an image at the next safe point, after which nothing is served here any more. */
  CompletableFuture<Void> rest() {
    return attempt(new Next.Rest());
  }

  /** Returns whether another node is to go on with the object if this one is lost. */
  boolean outlivesNode() {
    return stored.options().restart().scope() == Restart.Scope.ELSEWHERE;
  }

  private CompletableFuture<Void> attempt(Next then) {
    Attempt next;
    @Nullable Attempt former;
    synchronized (this) {
      if (isClosed) {
        return CompletableFuture.failedFuture(
            new IllegalStateException(body + " has ended, or its store has been closed"));
      }
      former = newest;
      if (former != null && former.awaitsSafePoint() && then instanceof Next.Service) {
        return former.done.copy();
      }
      next = new Attempt(then, former);
      newest = next;
      isClosed = !(then instanceof Next.Service);
    }
    Thread.startVirtualThread(next::run);
    return next.done.copy();
  }

  /** Lets the journal be deleted when the object ends, whose creation is given up. */
  synchronized void discard() {
    isDiscarded = true;
  }

  /** Releases the journal when the object has ended; deletes it if the object was terminated. */
  void ended(End how, KeptObjects.Deletion deletion) {
    boolean isToDelete;
    synchronized (this) {
      isClosed = true;
      isToDelete = isDiscarded || how.how() == End.How.TERMINATED;
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
      if (isToDelete) {
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
    var made = calls == null ? makeFromImage(type) : calls.makeAgain(type);
    boolean isFirst;
    synchronized (this) {
      isFirst = timer == null;
    }
    if (isFirst) {
      schedule();
    }
    return made;
  }

  private Object makeFromImage(Class<?> type) throws IOException {
    var image = journal.image();
    if (image.isEmpty()) {
      throw new IOException("the journal of " + body + " has lost its image");
    }
    var restored = codec.decode(image.get().content(), type);
    madeFrom = restored.head().made();
    return restored.object();
  }

  /** Returns the text for {@link ObjectKeeper.Reopened#provenance}. */
  String provenance() {
    var from = madeFrom;
    if (from == null) {
      return "";
    }
    var seconds = Math.max(0, Duration.between(from, Instant.now()).toSeconds());
    return "from its state of " + seconds + " s ago";
  }

  @Override
  public Origin travelling() {
    return stored;
  }

  private synchronized void rests(Departure departure) {
    resting = departure;
  }

  @Override
  public void begin(LifeCycle object) {
    if (calls == null) { // else that was before its requests were served again
      object.arrived();
    }
  }

  /** The making of one image. */
  private final class Attempt {
    private final Next then;
    private final CompletableFuture<JournaledObject.@Nullable ImageWriter> image =
        new CompletableFuture<>();
    final CompletableFuture<Void> done = new CompletableFuture<>();
    private volatile boolean isEncoded; // or is about to be
    private volatile @Nullable Attempt former; // until it is over

    Attempt(Next then, @Nullable Attempt former) {
      this.then = then;
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
        if (then instanceof Next.Rest && object instanceof LifeCycle living) {
          living.leaving();
        }
        var isChanged = body.takeServed() || hasFailed;
        if (isChanged || !(then instanceof Next.Ending)) {
          encoded = writer(codec.encode(body, object, stored.options()));
          if (encoded == null) {
            throw new IllegalStateException(body + " has stopped, or is being made again");
          }
        }
      } catch (Throwable failure) {
        problem = failure;
      }
      if (then instanceof Next.Service) {
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
      switch (then) {
        case Next.Service _ -> {}
        case Next.Rest _ -> rests(departure);
        case Next.Ending(End how) -> {
          body.endNow(how);
          departure.giveUp();
          departure.cancel();
        }
      }
    }
  }
}
