package org.troupe.activeobjects.internal.keeping;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.Departure;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.RestartBudget;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.activeobjects.internal.object.Deadline;
import org.troupe.activeobjects.internal.object.NodeHost;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.ObjectKeeper;
import org.troupe.activeobjects.internal.replay.ImageForm;
import org.troupe.activeobjects.internal.replay.JournaledObject;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.LostJournalException;
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
   * An object that sleeps is frozen at a safe point, like one that departs, and its image is stable. Its body forgets the object,
   * and has it made again when a request comes. The coordinator is told before the first and before the second, so
   * that it makes no object of a lost node that sleeps, and leaves none that serves. If the store cannot be read then, the object sleeps on
   * and is made after a pause, as often as it may be restarted.
   *
   * The last image of an object is not followed by a request: the departure lasts until the body has been told to end, or
   * for good if the object goes on on another node.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");
  private static final Duration PATIENCE = Duration.ofSeconds(10); // for a safe point
  private static final Duration LONGEST_WITHOUT_IMAGE = Duration.ofMinutes(5);
  private static final long CHECK_MILLIS = 10;

  /** The pause between two questions whether the grid of an object that rests ends. */
  private static final Duration PAUSE_OF_REST = Duration.ofSeconds(1);

  /** The action after an image. */
  private sealed interface Next {

    /** The object serves on. */
    record Service() implements Next {}

    /** Nothing: the object goes on on another node. */
    record Rest() implements Next {}

    /** The object sleeps, if it has served nothing since the last attempt; else it serves on. */
    record Sleep() implements Next {}

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
  private @Nullable Timer idleness;
  private @Nullable Departure resting; // since its last image
  private @Nullable Departure asleep;
  private @Nullable RestartBudget wakings; // that have failed
  private boolean isClosed;
  private boolean isAbandoned;
  private boolean isDiscarded;
  private long unsafeSince; // when images have begun to fail; 0 if they do not
  private @Nullable CompletableFuture<Boolean> move; // or about to; whether the object has left
  private JournaledObject.@Nullable ImageWriter imageOfMove;

  private volatile boolean isUnsaved; // as it may be, beside the body's own account
  private boolean hasServedLately; // accessed by the serving thread
  private volatile CompletableFuture<@Nullable Void> awake =
      CompletableFuture.completedFuture(null);
  private volatile @Nullable Instant madeFrom; // the time of the image that the object was made of

  /**
   * Creates what keeps an object.
   *
   * @param stored names the journal
   * @param reopening opens the journal anew after a failure
   * @param gate holds back the output of all logged objects of the node
   */
  KeptObject(
      Body body,
      Origin.Stored stored,
      Journal journal,
      EmbodiedLog.Reopening reopening,
      OutputGate gate,
      ImageCodec codec) {
    this.body = body;
    this.stored = stored;
    this.journal = journal;
    this.codec = codec;
    if (body instanceof LoggedBody logged) {
      calls = new CallJournal(logged, codec, journal, reopening, gate, this::startCheckpoint);
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
    Objects.requireNonNull(writer(codec.encode(body, object, stored)), "a new object").write();
    schedule();
    scheduleIdleness();
  }

  /** Returns an action that writes an image; {@code null} if the object is at no safe point. */
  private JournaledObject.@Nullable ImageWriter writer(ByteBuffer image) {
    return calls == null
        ? () -> journal.replace(journal.last(), ImageForm.plain(), image)
        : calls.image(image);
  }

  private void startCheckpoint() {
    checkpoint()
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                reportUnlessLater(failure);
              }
            });
  }

  /**
   * Reports the failure of an image that no caller waits for. The next minute tries again if the
   * object was at no safe point, which is reported only if it has been so for long.
   */
  private void reportUnlessLater(Throwable failure) {
    var cause = KeptObjects.causeOf(failure);
    if (!isOver() && !(cause instanceof NoSafePointException && isTolerated())) {
      report(cause);
    }
  }

  private synchronized boolean isTolerated() {
    var now = System.nanoTime();
    if (unsafeSince == 0) {
      unsafeSince = now;
    }
    if (now - unsafeSince <= LONGEST_WITHOUT_IMAGE.toNanos()) {
      return true;
    }
    unsafeSince = now; // once in that time
    return false;
  }

  private synchronized void hasImage() {
    unsafeSince = 0;
  }

  /** No image can be made at the moment. */
  private static final class NoSafePointException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    NoSafePointException(String message) {
      super(message);
    }
  }

  /** The object had ended before its image failed, so no state is lost by that. */
  static final class EndedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    EndedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private void schedule() {
    var next = new Timer(this, KeptObject::lookForChanges);
    synchronized (this) {
      if (isClosed) {
        return;
      }
      timer = next;
    }
    body.node().restartClock().schedule(next, FutureRuntime.nanos(stored.options().keep().every()));
  }

  private void scheduleIdleness() {
    var idle = stored.options().idle();
    if (idle == null) {
      return;
    }
    var next = new Timer(this, KeptObject::sleepIfIdle);
    synchronized (this) {
      if (isClosed) {
        return;
      }
      if (idleness != null) {
        idleness.object = null; // it is awake for longer
      }
      idleness = next;
    }
    body.node().restartClock().schedule(next, FutureRuntime.nanos(idle));
  }

  /** Looks after the object later; does not hold an object that has ended until then. */
  private static final class Timer implements Runnable {
    private final Consumer<KeptObject> action;
    private volatile @Nullable KeptObject object;

    Timer(KeptObject object, Consumer<KeptObject> action) {
      this.object = object;
      this.action = action;
    }

    @Override
    public void run() {
      var known = object;
      if (known != null) {
        action.accept(known);
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
    if (!isMoving() && (isUnsaved || body.hasServed())) {
      checkpoint()
          .whenComplete(
              (done, failure) -> {
                if (failure != null) {
                  reportUnlessLater(failure);
                }
                schedule();
              });
    } else {
      schedule();
    }
  }

  private synchronized boolean isOver() {
    return isClosed || body.hasEnded();
  }

  private void sleepIfIdle() {
    if (body.hasEnded()) {
      return;
    }
    if (isMoving() || body.inService() != null || body.hasQueued()) {
      scheduleIdleness(); // without a departure, which would hold immediate requests
      return;
    }
    attempt(new Next.Sleep())
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                reportUnlessLater(failure);
              }
              if (!isAsleep()) {
                scheduleIdleness();
              }
            });
  }

  private synchronized boolean isAsleep() {
    return asleep != null;
  }

  ObjectKeeper.Report report() {
    return new ObjectKeeper.Report(
        stored.key(),
        calls == null ? 0 : calls.logBytes(),
        isAsleep(),
        calls == null ? "" : calls.progress());
  }

  /** Lets the body forget its object until a request comes. */
  private void fallAsleep(Departure departure) {
    RestartStep.ASLEEP.passes(body.node().id());
    tell(NodeHost::sleeps);
    boolean isToEnd;
    synchronized (this) {
      isToEnd = isAbandoned;
      if (!isToEnd) {
        asleep = departure;
        if (isClosed) { // the last attempt, which may wait for this one, finds the image stable
          return;
        }
      }
    }
    if (isToEnd) {
      departure.cancel();
    } else {
      departure.sleep(() -> Thread.startVirtualThread(this::wake));
    }
  }

  /** Lets the coordinator know whether the object sleeps; waits for it. */
  private void tell(BiFunction<NodeHost, Body, CompletableFuture<Void>> message) {
    if (!outlivesNode()) {
      return;
    }
    try {
      message.apply(NodeObjects.of(body).host(), body).join();
    } catch (CompletionException | NodeLostException failure) {
      // Without the coordinator, this node is lost, and its actions count for nothing.
    }
  }

  private void wake() {
    var waking = new CompletableFuture<@Nullable Void>();
    Departure slept;
    synchronized (this) {
      slept = isClosed ? null : endSleep();
      if (slept == null) {
        return;
      }
      awake = waking;
    }
    try {
      RestartStep.WOKEN.passes(body.node().id());
      tell(NodeHost::wakes);
      body.runInService(() -> wake(slept));
    } finally {
      waking.complete(null);
    }
    scheduleIdleness();
  }

  private void wake(Departure slept) {
    try {
      var made = makeNow(body.type().type());
      if (calls == null && made instanceof LifeCycle living) {
        arrive(living);
      }
      slept.wake(made);
    } catch (Throwable failure) {
      if (body.isDying()) { // without an object, as its store may never be back
        slept.cancel();
        return;
      }
      var what = body + " could not be made from its image: " + FailureSummary.line(failure);
      if (isWorthAnotherAttempt(failure) && sleepsOn(slept, what)) {
        return;
      }
      body.endNow(End.of(End.How.FAILED, what));
      slept.cancel();
    }
  }

  private static boolean isWorthAnotherAttempt(Throwable failure) {
    return failure instanceof IOException && !(failure instanceof LostJournalException);
  }

  /** Lets the object sleep until another attempt to make it, unless its policy allows none. */
  private boolean sleepsOn(Departure departure, String what) {
    var clock = body.node().restartClock();
    OptionalLong pause;
    synchronized (this) {
      if (wakings == null) {
        wakings = new RestartBudget(stored.options().restart());
      }
      pause = wakings.failed(clock.nanoTime(), what, ThreadLocalRandom.current().nextDouble());
      if (pause.isEmpty()) {
        return false;
      }
      asleep = departure;
    }
    var millis = Duration.ofNanos(pause.getAsLong()).toMillis();
    LOG.log(Level.WARNING, () -> "%s; it sleeps on for %d ms".formatted(what, millis));
    clock.schedule(new Timer(this, one -> Thread.startVirtualThread(one::wake)), pause.getAsLong());
    return true;
  }

  /** Tells the object that it is here, before its first request. */
  void arrive(LifeCycle object) {
    try {
      object.arrived();
    } catch (RuntimeException | Error thrown) { // as of any task of the object
      body.node().failures().background("a stage or handler of " + body, thrown);
    }
  }

  private synchronized @Nullable Departure endSleep() {
    var slept = asleep;
    asleep = null;
    return slept;
  }

  private void report(Throwable failure) {
    body.node().failures().background("the image of " + body, failure);
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

  /** Ends the object without a last image. */
  void abandon(End how) {
    Departure stopped;
    synchronized (this) {
      isClosed = true;
      isAbandoned = true; // it may be about to fall asleep
      stopped = resting == null ? endSleep() : resting;
    }
    body.endNow(how);
    if (stopped != null) {
      stopped.giveUp();
      stopped.cancel();
    }
  }

  /** Stores an image at the next safe point, after which nothing is served here any more. */
  CompletableFuture<Void> rest() {
    return attempt(new Next.Rest());
  }

  /** Returns the store of its images. */
  Store store() {
    return Objects.requireNonNull(stored.options().keep().store(), "the store of a kept object");
  }

  /** Returns whether its calls are logged, so that its last image makes it no richer. */
  boolean isLogged() {
    return calls != null;
  }

  /** Returns whether another node is to go on with the object if this one is lost. */
  boolean outlivesNode() {
    return stored.options().restart().scope() == Restart.Scope.ELSEWHERE;
  }

  // Moves

  /** Begins a move: no other image is begun until it ends. */
  synchronized void beginMove() {
    requireOpen();
    if (move != null) {
      throw new IllegalStateException("another move of it has not ended");
    }
    move = new CompletableFuture<>();
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("its store has been closed");
    }
  }

  /** Prepares a move: waits for the end of images under way, and wakes the object. */
  void prepareMove(Deadline patience) throws InterruptedException {
    Attempt last;
    synchronized (this) {
      last = newest;
    }
    if (last != null) {
      try {
        await(last.done, patience, "an image of it had not been stored");
      } catch (ExecutionException failure) {
        // The caller that requested that image learns of it.
      }
    }
    if (isAsleepOrWaking()) {
      // The store may take any time, and the coordinator, which is told before the object wakes.
      var waking = CompletableFuture.runAsync(this::wake, Thread::startVirtualThread);
      try {
        await(
            waking.thenCompose(_ -> awake), // which may have been begun before
            patience,
            "it sleeps, and had not been woken from its store");
      } catch (ExecutionException failure) {
        var cause = KeptObjects.causeOf(failure);
        throw new IllegalStateException(
            "it sleeps, and could not be woken: " + FailureSummary.line(cause), cause);
      }
    }
    synchronized (this) {
      requireOpen();
      if (asleep != null) {
        throw new IllegalStateException("it sleeps, and its store could not be read to wake it");
      }
    }
  }

  private synchronized boolean isAsleepOrWaking() {
    return asleep != null || !awake.isDone();
  }

  private static void await(CompletableFuture<?> step, Deadline patience, String ifLate)
      throws ExecutionException, InterruptedException {
    try {
      step.get(Math.max(0, patience.left()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(ifLate + " after " + patience);
    }
  }

  /** Returns what the image of a move has to wait for; {@code null} if nothing. */
  @Nullable String obstacleToMove() {
    return calls != null && calls.awaitsAnswers()
        ? "a result that it had answered with had not arrived"
        : null;
  }

  /** Makes the image that the next node may have to begin with, on the thread that serves. */
  void makeImage(Object object) {
    if (calls != null) {
      calls.departs();
    }
    var image = writer(codec.encode(body, object, stored));
    if (image == null) {
      throw new IllegalStateException("it has stopped or is being made again");
    }
    synchronized (this) {
      imageOfMove = image;
    }
  }

  void writeImage() throws IOException {
    JournaledObject.ImageWriter image;
    synchronized (this) {
      image = imageOfMove;
      imageOfMove = null;
    }
    Objects.requireNonNull(image, "the image of a move").write();
  }

  /** Continues after a move that has failed. */
  void stays() {
    isUnsaved = true;
    endMove(false);
  }

  private void endMove(boolean hasLeft) {
    CompletableFuture<Boolean> ended;
    synchronized (this) {
      ended = move;
      move = null;
    }
    if (ended != null) {
      ended.complete(hasLeft);
    }
  }

  private synchronized boolean isMoving() {
    return move != null;
  }

  /** Releases the journal of an object that has left. */
  void left() {
    close(false, () -> {});
    endMove(true);
  }

  /** Stores the last image when the move that is under way has ended, unless that left with it. */
  private CompletableFuture<Void> attemptAfter(CompletableFuture<Boolean> itsMove, Next then) {
    return itsMove
        .copy()
        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .exceptionallyCompose(
            late ->
                CompletableFuture.failedFuture(
                    failure(
                        "%s was still about to move to another node after %s"
                            .formatted(body, PATIENCE))))
        .thenCompose(hasLeft -> hasLeft ? CompletableFuture.completedFuture(null) : attempt(then));
  }

  private IllegalStateException failure(String message) {
    return body.hasEnded() ? new EndedException(message, null) : new IllegalStateException(message);
  }

  private CompletableFuture<Void> attempt(Next then) {
    Attempt next;
    @Nullable Attempt former;
    synchronized (this) {
      if (isClosed) {
        return CompletableFuture.failedFuture(
            failure(body + " has ended, or its store has been closed"));
      }
      if (move != null) {
        return then instanceof Next.Rest || then instanceof Next.Ending
            ? attemptAfter(move, then)
            : CompletableFuture.failedFuture(
                new IllegalStateException(body + " is about to move to another node"));
      }
      former = newest;
      if (then instanceof Next.Service
          && former != null
          && former.awaitsSafePoint()
          && !(former.then instanceof Next.Sleep)) {
        return former.done.copy();
      }
      next = new Attempt(then, former);
      newest = next;
      isClosed = then instanceof Next.Rest || then instanceof Next.Ending;
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
      isToDelete = isDiscarded || how.how() == End.How.TERMINATED;
    }
    close(isToDelete, deletion);
  }

  private void close(boolean isToDelete, KeptObjects.Deletion deletion) {
    synchronized (this) {
      isClosed = true;
      if (timer != null) {
        timer.object = null;
      }
      if (idleness != null) {
        idleness.object = null;
      }
    }
    try {
      if (calls == null) {
        journal.close();
      } else {
        calls.awaitCopy();
        if (isToDelete) {
          calls.beginEnd();
        }
        calls.close();
      }
    } catch (IOException failure) {
      report(failure);
    }
    if (isToDelete) {
      var isDeleted = delete(deletion);
      if (calls != null) {
        calls.tellEnd(isDeleted);
      }
    }
  }

  private boolean delete(KeptObjects.Deletion deletion) {
    try {
      deletion.delete();
      return true;
    } catch (IOException failure) {
      body.node()
          .failures()
          .background(
              "the deletion of the journal of " + body,
              new IOException(
                  "%s; a later run would resume the object, so delete its journal '%s'"
                      .formatted(failure.getMessage(), stored.journal()),
                  failure));
      return false;
    }
  }

  @Override
  public String problem() {
    return "it could not be made from its last image:";
  }

  @Override
  public String remedy() {
    return stored.remedy();
  }

  @Override
  public Object make(Class<?> type, Marshaller marshaller, ClassSource classes) throws Throwable {
    var made = makeNow(type);
    boolean isFirst;
    synchronized (this) {
      isFirst = timer == null;
    }
    if (isFirst) {
      schedule();
      scheduleIdleness();
    }
    return made;
  }

  /** Makes the object from its last image, which may still be about to be written. */
  private Object makeNow(Class<?> type) throws Throwable {
    Attempt last;
    synchronized (this) {
      last = newest;
    }
    for (var each = last; each != null; each = each.former) {
      if (!each.awaitsSafePoint()) {
        each.done.handle((done, failure) -> done).join();
      }
    }
    return calls == null ? makeFromImage(type) : calls.makeAgain(type);
  }

  private Object makeFromImage(Class<?> type) throws IOException {
    var image = journal.image();
    if (image.isEmpty()) {
      throw new IOException("the journal of " + body + " has lost its image");
    }
    var restored = codec.decode(ImageForm.object(image.get().content()), type);
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

  /** Returns the log of the object; {@code null} if its requests are not logged. */
  @Nullable CallJournal calls() {
    return calls;
  }

  Origin.Stored stored() {
    return stored;
  }

  @Override
  public Origin travelling() {
    return stored;
  }

  @Override
  public String toString() {
    return body.toString();
  }

  private void rests(Departure departure) {
    synchronized (this) {
      resting = departure;
    }
    if (body.isDying()) { // its last request was interrupted, and callers wait for its end
      departure.giveUp();
      departure.cancel();
    } else if (body instanceof LoggedBody logged) {
      awaitCall(logged, departure);
    }
  }

  private void awaitCall(LoggedBody logged, Departure rest) {
    rest.whenCalled(() -> Thread.startVirtualThread(() -> endWithGrid(logged, rest)));
  }

  /**
   * Ends an object that rests, and that is called, if the grid ends: the requests of its callers
   * are to be interrupted, since their nodes wait for them. If the grid goes on, it may end while
   * they wait, so the coordinator is asked again after a pause.
   */
  private void endWithGrid(LoggedBody logged, Departure rest) {
    if (!codec.isMember() || rest.isCancelled() || rest.isCompleted()) {
      return;
    }
    if (!codec.isInLastingGrid() && codec.isGridKnownToEnd()) {
      logged.endWithGrid();
      rest.cancel();
    } else {
      body.node().restartClock().schedule(() -> awaitCall(logged, rest), PAUSE_OF_REST.toNanos());
    }
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
    private volatile boolean isIdle;
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
      awake.join();
      var isLast = then instanceof Next.Rest || then instanceof Next.Ending;
      var slept = isLast ? endSleep() : null;
      if (slept != null || isAsleep()) { // its last image is stable
        if (slept != null) {
          end(slept);
        }
        done.complete(null);
        return;
      }
      var departure = body.departures().begin(this::encode);
      try {
        if (departure == null) {
          throw new IllegalStateException(body + " is about to move to another node");
        }
        departure.check();
        var encoded = await(departure);
        if (encoded != null) { // the object has changed
          encoded.write();
          isUnsaved = false;
          hasImage();
        }
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
        if (body.takeServed()) {
          isUnsaved = true;
          hasServedLately = true;
        }
        if (then instanceof Next.Sleep) {
          isIdle = !hasServedLately && !body.hasQueued();
          hasServedLately = false;
        }
        if ((isIdle || then instanceof Next.Rest) && object instanceof LifeCycle living) {
          isUnsaved = true;
          living.leaving();
        }
        if (isUnsaved || then instanceof Next.Service) {
          encoded = writer(codec.encode(body, object, stored));
          if (encoded == null) {
            throw new NoSafePointException(
                body
                    + " has stopped or is being made again, or a result that it has answered with"
                    + " has not arrived");
          }
        }
      } catch (Throwable failure) {
        problem = failure;
      }
      if (then instanceof Next.Service || then instanceof Next.Sleep && !isIdle) {
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
          var isBusy = then instanceof Next.Sleep; // or it would be at a safe point
          if (isBusy && departure.giveUp()) {
            return null;
          }
          if (System.nanoTime() - began > PATIENCE.toNanos()) {
            var delay = body.departures().delay(); // before the requests that are held begin
            if (departure.giveUp()) {
              throw new NoSafePointException(
                  "no image of %s could be made: %s after %s; let them end"
                      .formatted(body, delay, PATIENCE));
            }
          }
          departure.check();
        }
      }
    }

    private void fail(@Nullable Departure departure, @Nullable Throwable failure) {
      var why = failure == null ? new IllegalStateException("the image has failed") : failure;
      // First: this attempt may be about to end the object.
      var reason = body.hasEnded() ? new EndedException(body + " has ended", why) : why;
      isUnsaved = true;
      image.completeExceptionally(new IllegalStateException("the image has failed"));
      if (departure != null && isIdle) {
        staysAwake(departure);
      } else if (departure != null) {
        end(departure);
      }
      done.completeExceptionally(reason);
    }

    private void staysAwake(Departure departure) {
      if (body.target() instanceof LifeCycle living) {
        body.execute(living::arrived); // tasks are served while the object departs
      }
      departure.cancel();
    }

    private void end(Departure departure) {
      switch (then) {
        case Next.Service _ -> {}
        case Next.Rest _ -> rests(departure);
        case Next.Sleep _ -> {
          if (isIdle) {
            fallAsleep(departure);
          }
        }
        case Next.Ending(End how) -> {
          body.endNow(how);
          departure.giveUp();
          departure.cancel();
        }
      }
    }
  }
}
