package org.troupe.activeobjects.internal.keeping;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.ReplayException;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.internal.body.CallLog;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.keeping.ImageCodec.LostResultException;
import org.troupe.activeobjects.internal.keeping.InterruptedRequests.Interrupted;
import org.troupe.activeobjects.internal.marshal.CallTraces;
import org.troupe.activeobjects.internal.object.CallerEnds;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.internal.replay.JournaledObject;
import org.troupe.activeobjects.internal.replay.LoggedObject;
import org.troupe.activeobjects.internal.replay.LoggedObjectHost;
import org.troupe.activeobjects.internal.replay.NumberedCall;
import org.troupe.activeobjects.internal.replay.Resumption;
import org.troupe.activeobjects.internal.replay.TakenRequest;
import org.troupe.activeobjects.store.Journal;
import org.troupe.futures.Outcome;

/** The log of one object in a journal, from which the object is made again. */
final class CallJournal implements CallLog {

  /*
   * Design: replay within one process, and after its end
   *
   * The protocol is that of LoggedObject. As long as the process of the object lives, its parts that concern other
   * objects are simple, because requests, calls and answers travel reliably:
   *
   *   - Requests of callers on the node of the object are numbered when they are taken, so none is early or a duplicate.
   *     Their answers are given to the body when they may leave, and are not kept. Requests with a name come from
   *     callers that may outlive the object, or send them again themselves (NumberedCallers).
   *   - A call of the object is sent once (OwnCalls).
   *
   * After the end of that process another one makes the object, and sends the calls again of whose ends the log does
   * not know. Requests that the former process had not ended are served when the new one begins to serve: they may have to wait for
   * other objects, of which only a few are made at a time. A request during which the process has ended MOST_DEATHS times in
   * succession is set aside.
   *
   * Output leaves when all input before it is stable. In a directory that is so when a record is written. Otherwise the
   * thread that serves waits for it, except in front of a further request: the answer of one that has called no other
   * object is then deferred (DeferredAnswers), and given by a thread of its own when its input is stable. If the log
   * fails before, the request counts as interrupted. No answer is deferred at a safe point.
   */

  /** The method of the pseudo-request that notifies a new object of its start. */
  private static final String START = "LifeCycle.started()";

  /** The method of a pseudo-request in the place of one that could not be served. */
  private static final String REFUSED = "a request that could not be read";

  private static final CallOrigin NEAR = new CallOrigin.Near();

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /** After so many ends of its processes a request is not served again. */
  private static final int MOST_DEATHS = 3;

  private final LoggedBody body;
  private final ImageCodec images;
  private final LogContent content;
  private final EmbodiedLog log;
  private final LogLength length;
  private final ReplayProgress progress = new ReplayProgress();
  private final OwnCalls calls;
  private final NumberedCallers callers;
  private final LoggedEffects effects;
  private final MembershipCheck membership;
  private final InterruptedRequests interrupted = new InterruptedRequests();
  private final DeferredAnswers deferred;
  private final Runnable needsImage;
  private final ObjectIdentity identity;

  // accessed by the thread that serves
  private boolean hasServedHere; // or was made again here
  private boolean hasReadLog;
  private boolean isRestLeft; // requests of the log that are yet to be served again
  private boolean isOnward; // the answer of the request that is served
  private LoggedCall current = LoggedCall.made(START); // the request that is served, or was last
  private long taking; // the ordinal of the request that is taken, or was last
  private boolean isRecovering; // the accounts
  private boolean hasFailed; // by the request that was served last
  private @Nullable Throwable setAside; // the failure of a request whose caller has no answer

  private volatile boolean isEnding;
  private Map<ObjectIdentity, LoggedObject.LastCall> lastCalls = Map.of(); // of an ended object

  /**
   * Creates the log of an object in front of an open journal.
   *
   * @param gate holds back the output of all objects of the node
   * @param needsImage is told when the log has become long; does not block
   */
  CallJournal(
      LoggedBody body,
      ImageCodec images,
      Journal journal,
      EmbodiedLog.Reopening reopening,
      OutputGate gate,
      Runnable needsImage) {
    this.body = body;
    this.images = images;
    this.membership = new MembershipCheck(body, images);
    this.content = new LogContent(images, membership, body.type().type());
    this.needsImage = needsImage;
    this.length = new LogLength(() -> body.node().restartClock().nanoTime());
    var elsewhere = body.origin();
    this.identity =
        elsewhere == null ? new ObjectIdentity(body.node().id(), "", body.identity()) : elsewhere;
    this.log = new EmbodiedLog(body.toString(), identity, journal, reopening, gate, new Host());
    this.calls = new OwnCalls(body, identity, log, content, length, images, membership);
    this.callers = new NumberedCallers(body, log, content, length);
    this.effects = new LoggedEffects(identity, log, content, length, membership);
    this.deferred = new DeferredAnswers(body);
  }

  // Images

  /** Records that the object is new, and was never in another process. */
  void born() {
    hasServedHere = true;
    calls.born();
  }

  /**
   * Returns an action that writes an image made at a safe point of the object; {@code null} if this
   * is none.
   */
  JournaledObject.@Nullable ImageWriter image(ByteBuffer image) {
    if (!hasGivenDeferred() || callers.awaitsAnswers()) {
      return null;
    }
    length.reset(image.remaining());
    calls.passesImage();
    callers.forgetGone(images::isGone);
    return log.image(image);
  }

  /** Returns the bytes of requests, answers and values that were logged since the last image. */
  long logBytes() {
    return length.bytes();
  }

  /** Returns how far the log has been replayed, in words; empty if it is not being replayed. */
  String progress() {
    return progress.text();
  }

  /** Returns whether an answer is not known yet although its request may have ended. */
  boolean awaitsAnswers() {
    return !hasGivenDeferred() || callers.awaitsAnswers();
  }

  /** Waits until no answer is deferred; returns whether that is so, as the log has not failed. */
  private boolean hasGivenDeferred() {
    if (deferred.isEmpty()) {
      return true;
    }
    try {
      awaitInput();
      return true;
    } catch (StoppedException stopped) {
      return false; // the next request meets it, too
    }
  }

  /** Waits until all input is stable, and gives the answers that were deferred until then. */
  private void awaitInput() {
    log.awaitInput();
    deferred.give(Long.MAX_VALUE);
  }

  /** Lets the requests whose answers were deferred be served again: the log has failed. */
  private void interruptDeferred() {
    interrupted.addInFront(
        deferred.removeAll().stream()
            .map(each -> new Interrupted(each.request(), each.call(), null, each.ordinal()))
            .toList());
  }

  /** Prepares the image of a move, on the thread that serves the object. */
  void departs() {
    callers.departs();
  }

  // Save points

  /** Marks the end of the log, unless it is marked; returns whether it is. */
  boolean mark() {
    return log.embodiment().mark();
  }

  /** Forgets the mark of the log. */
  void unmark() {
    log.embodiment().unmark();
  }

  /** Copies the journal up to the mark to another one, which is empty. */
  void copyTo(Journal copy) throws IOException {
    log.embodiment().copyTo(copy);
  }

  /** Waits until a marked log has been copied. */
  void awaitCopy() {
    log.embodiment().awaitCopy();
  }

  // The end of the object

  /**
   * Notes which calls the object has made. It has been terminated, and its journal is about to be
   * closed and deleted.
   */
  void beginEnd() {
    if (body.origin() == null) { // else other nodes may send calls of it again
      isEnding = true; // first: reports that come from now on go where they are awaited
      callerEnds().begins(identity);
      lastCalls = calls.lastCalls();
    }
  }

  /**
   * Lets called objects forget this one.
   *
   * @param isDeleted whether the journal was deleted, so that the object is never made again
   */
  void tellEnd(boolean isDeleted) {
    if (!isEnding) {
      return;
    }
    var all = isDeleted ? lastCalls : Map.<ObjectIdentity, LoggedObject.LastCall>of();
    lastCalls = Map.of();
    Thread.startVirtualThread(
        () -> {
          log.awaitRelease(); // a save point that has this object has the called ones with it
          callerEnds().ended(identity, all);
        });
  }

  private CallerEnds callerEnds() {
    return NodeObjects.of(body).host().callerEnds();
  }

  /** Closes the journal of an object that has ended here, or has left. */
  void close() throws IOException {
    if (!hasGivenDeferred()) {
      interruptDeferred();
    }
    for (Interrupted left; (left = interrupted.poll()) != null; ) {
      failUnknown(left);
    }
    callers.close();
    calls.close();
    log.close();
  }

  private void failUnknown(Interrupted left) {
    if (left.request() != null) {
      left.request()
          .failAgain(
              body,
              new ObjectTerminatedException(
                  "whether %s was served is unknown: %s"
                      .formatted(left.request().method, body.end().why())));
    }
  }

  // The object made again

  /**
   * Makes the object from its last image, and serves the logged requests again.
   *
   * @throws ReplayException if it did something else before
   */
  Object makeAgain(Class<?> type) throws Throwable {
    var made = makeOnce(type);
    while (made == null) { // a request was set aside
      made = makeOnce(type);
    }
    hasServedHere = true;
    return made;
  }

  /** Makes the object; returns {@code null} if it has to be made again without a request. */
  private @Nullable Object makeOnce(Class<?> type) throws Throwable {
    interruptDeferred();
    calls.restart();
    length.reset();
    var lastBegun = hasServedHere || hasReadLog ? log.embodiment().lastBegun() : Long.MAX_VALUE;
    var next = log.next();
    var image = next.storedObject();
    if (image.isEmpty()) {
      throw new IOException("the journal of " + body + " has lost its image");
    }
    var made = images.decode(image.get(), type).object();
    hasFailed = false;
    isRecovering = true;
    try {
      log.become(next, lastBegun);
    } finally {
      isRecovering = false;
    }
    next.perform(LoggedObject::abandonCalls); // no image has a result that has not arrived
    hasReadLog = true;
    calls.sendThoseOfImage();
    try {
      arrive(made);
      if (!replay(made, !hasServedHere)) {
        return null;
      }
    } catch (StoppedException stopped) {
      throw stopped.getCause() == null ? stopped : stopped.getCause();
    }
    calls.madeAgain();
    return made;
  }

  private void arrive(Object made) {
    if (made instanceof LifeCycle living) {
      try {
        living.arrived();
      } catch (RuntimeException | Error thrown) {
        body.node().failures().background("a stage or handler of " + body, thrown);
      }
    }
  }

  /**
   * Serves the logged requests again, and then the one in whose service the log has failed.
   *
   * @return {@code false} if a request was set aside, so that the object has stopped
   */
  private boolean replay(Object made, boolean mayLeave) throws Throwable {
    var context = Objects.requireNonNull(ServiceContext.current(), "the context of a restart");
    log.perform(each -> progress.begin(each.queued()));
    try {
      return replay(made, mayLeave, context);
    } finally {
      progress.end();
    }
  }

  private boolean replay(Object made, boolean mayLeave, ServiceContext context) throws Throwable {
    var served = 0;
    for (var next = begin(mayLeave); next != null; next = begin(mayLeave)) {
      if (endsProcesses(next.call())) {
        return false;
      }
      replay(made, next, context);
      length.addValue(next.call().content().length);
      RestartStep.REPLAYED.passes(body.node().id());
      served++;
      progress.served(served);
    }
    if (isRestLeft) {
      return true;
    }
    length.replayed(served);
    var last = log.embodiment().lastBegun();
    log.perform(each -> each.settled(NEAR, Long.MAX_VALUE)); // their answers are given by the body
    for (var left = interrupted.first(); left != null; left = interrupted.first()) {
      if (left.ordinal() > last) { // it is not in the log
        serve(made, left, context);
      } else {
        failSetAside();
      }
    }
    return true;
  }

  /** Fails the first interrupted request, which the log has set aside. */
  private void failSetAside() {
    var left = Objects.requireNonNull(interrupted.poll(), "an interrupted request");
    if (left.request() != null) {
      var why =
          setAside != null ? setAside : new RestartedException(left.call() + " was set aside");
      left.request().failAgain(body, why);
    }
  }

  /** Sets the next request aside if processes have ended during it again and again. */
  private boolean endsProcesses(LoggedCall call) {
    var deaths = new int[1];
    log.perform(each -> deaths[0] = each.deaths());
    if (deaths[0] < MOST_DEATHS) {
      return false;
    }
    var why =
        "%s was set aside: the node of %s ended %d times in succession while it was served%s; mend it and call again"
            .formatted(call, body, deaths[0], ends());
    LOG.log(Level.WARNING, why);
    var outcome = content.outcome(new Outcome.Failure<>(new RestartedException(why))).logged();
    log.perform(each -> each.setAside(outcome));
    log.awaitInput();
    return true;
  }

  /** Returns how the last processes of the object have ended, in parentheses, as far as known. */
  private String ends() {
    var causes = List.of(body.failures().causes());
    var last = causes.subList(Math.max(0, causes.size() - MOST_DEATHS), causes.size());
    return last.isEmpty() ? "" : String.join("; ", last).transform(" (%s)"::formatted);
  }

  @Override
  public boolean isRestLeft() {
    return isRestLeft;
  }

  @Override
  public void serveRest(Object made) throws Throwable {
    isRestLeft = false;
    if (!replay(made, false)) {
      throw new StoppedException(body + " has stopped", null);
    }
    log.appendHeld(); // if this process ends now, that was not by these requests
    calls.madeAgain();
  }

  /**
   * Begins the next request of the log; returns {@code null} if there is none.
   *
   * @param mayLeave whether one that had not ended is left
   */
  private @Nullable TakenRequest<LoggedCall> begin(boolean mayLeave) {
    List<TakenRequest<LoggedCall>> next = new ArrayList<>(1);
    log.perform(
        each -> {
          isRestLeft = mayLeave && each.isNextUnended(MOST_DEATHS);
          if (isRestLeft) {
            return;
          }
          var taken = each.begin();
          if (taken != null) {
            next.add(taken);
            taking = each.ordinal();
          }
        });
    calls.sendAgain(); // those of requests that were set aside
    effects.begin(taking);
    return next.isEmpty() ? null : next.getFirst();
  }

  private void replay(Object made, TakenRequest<LoggedCall> taken, ServiceContext context)
      throws Throwable {
    var left = interrupted.first();
    while (left != null && left.ordinal() < taking) {
      failSetAside();
      left = interrupted.first();
    }
    var call = taken.call();
    if (call.method().equals(START)) {
      start(made, context);
      return;
    }
    if (call.method().equals(REFUSED)) {
      refuseAgain(taken);
      return;
    }
    var logged = content.request(call);
    isOnward = logged.isOnward();
    if (left != null && left.ordinal() == taking && left.request() != null) {
      serve(made, left.request(), left.arguments(content), context);
      return;
    }
    var method = NodeObjects.of(body).method(body, call.method());
    context.request =
        new CallRequest(method, logged.arguments(), null, null, logged.caller(), null);
    try {
      serve(
          context,
          new Answered() {
            @Override
            public void answer(@Nullable Object value) {
              var reply = callers.replayed(taken.origin(), taken.number());
              if (reply != null) {
                body.node().deliver(value, reply);
              }
            }

            @Override
            public void fail(Throwable failure) {
              var reply = callers.replayed(taken.origin(), taken.number());
              if (reply != null) {
                reply.threw(failure);
              }
            }
          },
          () -> method.invoke(made, logged.arguments(), 0));
    } finally {
      context.request = null;
    }
  }

  /** Answers a request again that could not be served. */
  private void refuseAgain(TakenRequest<LoggedCall> taken) {
    log.perform(
        each -> {
          var refusal = new LoggedOutcome(taken.call().content());
          each.keepAnswer(taken.origin(), taken.number(), refusal);
        });
    ended(0);
    var left = interrupted.first();
    if (left != null && left.ordinal() == taking && left.request() != null) {
      interrupted.poll();
      fail(left.request(), left.call());
    }
  }

  private void fail(CallRequest request, LoggedCall refusal) {
    if (content.outcome(new LoggedOutcome(refusal.content()))
        instanceof Outcome.Failure<Object>(Throwable why)) {
      request.failAgain(body, why);
    }
  }

  private void serve(Object made, Interrupted left, ServiceContext context) throws Throwable {
    var request = left.request();
    if (request == null) {
      beginStart();
      start(made, context);
      return;
    }
    isOnward = request.method.isOnward();
    if (!callers.arrived(request, false)) {
      interrupted.poll();
      return;
    }
    try {
      take(left.call(), NumberedCallers.nameOf(request));
    } finally {
      interrupted.replaceFirst(new Interrupted(request, left.call(), left.receiver(), taking));
    }
    callers.taken(request);
    if (left.call().method().equals(REFUSED)) {
      ended(0);
      interrupted.poll();
      fail(request, left.call());
      return;
    }
    serve(made, request, left.arguments(content), context);
  }

  private void serve(Object made, CallRequest request, Object[] arguments, ServiceContext context)
      throws Throwable {
    context.request = request;
    try {
      serve(context, answered(request), () -> request.invokeAgain(made, arguments));
    } finally {
      context.request = null;
    }
  }

  private void start(Object made, ServiceContext context) throws Throwable {
    isOnward = false;
    serve(
        context,
        null,
        () -> {
          ((LifeCycle) made).started();
          return null;
        });
    var left = interrupted.first();
    if (left != null && left.isStart()) {
      interrupted.poll();
    }
  }

  private interface Service {
    @Nullable Object serve() throws Throwable;
  }

  /** Receives the answer of a request that is served again. */
  private interface Answered {
    void answer(@Nullable Object value);

    void fail(Throwable failure);
  }

  private Answered answered(CallRequest request) {
    return new Answered() {
      @Override
      public void answer(@Nullable Object value) {
        interrupted.poll();
        request.answerAgain(body, value);
      }

      @Override
      public void fail(Throwable failure) {
        interrupted.poll();
        request.failAgain(body, failure);
      }
    };
  }

  /**
   * Serves a request that the log has.
   *
   * @param answered receives the answer; {@code null} if there is none
   */
  private void serve(ServiceContext context, @Nullable Answered answered, Service service)
      throws Throwable {
    Object value;
    context.isLogged = true;
    try {
      value = service.serve();
    } catch (StoppedException stopped) {
      throw stopped;
    } catch (Throwable thrown) {
      context.isLogged = false;
      var hasFailed = body.failsBy(thrown) && !isReplayed();
      if (hasFailed) {
        checkEnd(thrown);
      }
      threw(thrown, hasFailed);
      if (answered != null) {
        answered.fail(thrown);
      }
      if (hasFailed) {
        throw thrown;
      }
      return;
    } finally {
      context.isLogged = false;
    }
    ended(value);
    if (answered != null) {
      answered.answer(value);
    }
  }

  private boolean isReplayed() {
    var is = new boolean[1];
    log.perform(each -> is[0] = each.isReplayed());
    return is[0];
  }

  // Requests

  @Override
  public boolean arrived(CallRequest request) {
    return callers.arrived(request, true);
  }

  @Override
  public void begin(CallRequest request, Object[] arguments) {
    isOnward = request.method.isOnward(); // first: the request may be interrupted at once
    LoggedCall logged;
    try {
      logged = content.request(request.method, arguments, request.caller);
    } catch (LostResultException lost) {
      throw log.cutOff();
    }
    take(logged, NumberedCallers.nameOf(request));
    callers.taken(request);
  }

  @Override
  public void refused(CallRequest request, Throwable failure) {
    isOnward = false; // first: the request may be interrupted, and has no arguments then
    var name = NumberedCallers.nameOf(request);
    if (name != null) {
      if (membership.isCutOffNow()) { // the node of an argument, or of its class, may have ended
        throw log.cutOff();
      }
      var outcome = content.outcome(new Outcome.Failure<>(failure)).logged();
      take(new LoggedCall(REFUSED, outcome.content()), name);
      callers.taken(request);
      ended(0);
    }
  }

  @Override
  public @Nullable CallRequest released() {
    return hasFailed ? null : callers.released();
  }

  @Override
  public boolean isCutOff() {
    return membership.isCutOff();
  }

  @Override
  public boolean endsWithGrid() {
    return images.isGridKnownToEnd();
  }

  @Override
  public void taken(ObjectIdentity object, long first, long last) {
    calls.taken(object, first, last);
    if (isEnding && first == 0) {
      callerEnds().taken(object, new CallOrigin.Logged(identity), last);
    }
  }

  @Override
  public List<ObjectIdentity> lacking() {
    return isEnding ? List.of() : calls.lacking();
  }

  @Override
  public List<Untaken> untaken(ObjectIdentity object) {
    return calls.untaken(object);
  }

  @Override
  public void awaitRelease() {
    log.awaitRelease();
  }

  @Override
  public boolean isEnding() {
    return isEnding;
  }

  @Override
  public void settled(CallOrigin origin, long upTo) {
    callers.settled(origin, upTo);
  }

  @Override
  public void interrupted(CallRequest request, Object[] arguments) {
    var receiver = isOnward && arguments.length > 0 ? arguments[arguments.length - 1] : null;
    interrupted.add(new Interrupted(request, current, receiver, taking));
  }

  @Override
  public void interruptedStart() {
    interrupted.add(new Interrupted(null, current, null, taking));
  }

  @Override
  public void beginStart() {
    isOnward = false;
    take(LoggedCall.made(START), null);
  }

  private void take(LoggedCall call, @Nullable CallName name) {
    current = call;
    length.addRequest(call.content().length);
    taking = Long.MAX_VALUE; // it is not in the log if the object has stopped
    Consumer<LoggedObject<LoggedCall, LoggedOutcome>> arrival =
        each -> {
          taking = each.ordinal() + 1;
          if (name == null) {
            each.arrive(NEAR, call);
          } else {
            each.arrive(name.origin(), new NumberedCall<>(name.number(), name.after(), call));
          }
          each.begin();
        };
    if (body.hasQueued()) { // the record is made stable while others are served
      log.perform(arrival);
    } else {
      log.performAndWait(arrival);
    }
    effects.begin(taking);
  }

  @Override
  public void startReturned() {
    ended(null);
  }

  @Override
  public boolean returned(CallRequest request, @Nullable Object value) {
    if (!mayDefer(value)) {
      ended(value);
      return true;
    }
    log.perform(each -> each.end(null, LogContent.digest(value)));
    var stable = log.embodiment().inputStable();
    if (stable == null) {
      leave();
      return true;
    }
    var ordinal = taking;
    deferred.add(new DeferredAnswers.Deferred(ordinal, request, current, value));
    stable.whenCompleteAsync(
        (nothing, failure) -> {
          if (failure == null) {
            log.awaitRelease();
            deferred.give(ordinal);
          } else {
            body.requireLog(this::awaitInput);
          }
        },
        Thread::startVirtualThread);
    left();
    return false;
  }

  /** Returns whether the next request may be served before the answer of the current one leaves. */
  private boolean mayDefer(@Nullable Object value) {
    return !isOnward
        && body.hasQueued()
        && LogContent.isSimple(value) // any other value may be changed by the next request
        && !calls.hasCalled()
        && !effects.hasHappened()
        && !deferred.isFull();
  }

  private void ended(@Nullable Object value) {
    ended(isOnward ? 0 : LogContent.digest(value));
  }

  @Override
  public void threw(Throwable thrown, boolean hasFailed) {
    if (!hasFailed) {
      ended(isOnward ? 0 : digest(thrown));
      return;
    }
    this.hasFailed = true;
    var outcome = content.outcome(new Outcome.Failure<>(thrown)).logged();
    setAside = thrown;
    log.perform(each -> each.setAside(outcome));
    awaitInput();
    setAside = null;
  }

  @Override
  public void checkEnd(Throwable thrown) {
    log.perform(each -> {});
    if (body.failsBy(thrown) && membership.isCutOffNow()) { // as if a class could not be fetched
      throw log.cutOff();
    }
  }

  private static long digest(Throwable thrown) {
    return ~(long) thrown.getClass().getName().hashCode();
  }

  private void ended(long digest) {
    log.perform(each -> each.end(null, digest));
    leave();
  }

  /** Waits until the answer of the request may leave. */
  private void leave() {
    var over = calls.takeLogged();
    awaitInput();
    calls.stable(over);
    effects.stable();
    left();
  }

  private void left() {
    callers.stable();
    if (length.isTooLong()) {
      length.reset();
      needsImage.run();
    }
  }

  // Actions of a request

  @Override
  public Call called(
      ObjectIdentity target,
      CallMethod method,
      Object[] arguments,
      boolean isAwaited,
      @Nullable Supplier<Supplier<Object[]>> copying) {
    return calls.called(target, method, arguments, isAwaited, copying);
  }

  @Override
  public <T extends @Nullable Object> T once(Supplier<T> effect) {
    return effects.once(effect);
  }

  @Override
  public <T extends @Nullable Object> T onceByKey(Function<String, T> effect) {
    return effects.onceByKey(effect);
  }

  /** The surroundings of the object, which live on while it is made again. */
  private final class Host implements LoggedObjectHost<LoggedCall, LoggedOutcome> {
    @Override
    public void sendCall(
        CallOrigin origin,
        ObjectIdentity target,
        NumberedCall<LoggedCall> call,
        boolean isAwaited) {
      // The dispatcher sends it, if this process has not sent it before.
    }

    @Override
    public void sendAgain(
        CallOrigin origin, ObjectIdentity target, NumberedCall<LoggedCall> call, long before) {
      calls.addSetAside(target, call, before);
    }

    @Override
    public void sendAnswer(CallOrigin origin, long number, LoggedOutcome outcome) {
      // The callers that have asked for it get it (LoggedReply).
    }

    @Override
    public void sendTaken(CallOrigin origin, long upTo) {
      callers.sendTaken(identity, origin, upTo);
    }

    @Override
    public void sendAcknowledgement(ObjectIdentity target, long number) {
      // The next call to the object says so (CallName.settled).
    }

    @Override
    public void sendResumption(ObjectIdentity target, Resumption<LoggedCall> resumption) {
      if (isRecovering) {
        calls.addFromImage(target, resumption.untaken());
      }
    }

    @Override
    public void deliver(ObjectIdentity target, long number, LoggedOutcome outcome) {
      // The call itself does that when it is logged.
    }

    @Override
    public String callSite() {
      var site = CallTraces.siteInService();
      return site == null || site.getFileName() == null
          ? ""
          : " at %s:%d".formatted(site.getFileName(), site.getLineNumber());
    }
  }
}
