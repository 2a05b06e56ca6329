package org.troupe.activeobjects.internal.keeping;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.ReplayException;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.activeobjects.internal.body.CallLog;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.DerivedResult;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallFingerprint;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.internal.replay.JournaledObject;
import org.troupe.activeobjects.internal.replay.LogCodec;
import org.troupe.activeobjects.internal.replay.LoggedObject;
import org.troupe.activeobjects.internal.replay.LoggedObjectHost;
import org.troupe.activeobjects.internal.replay.NumberedCall;
import org.troupe.activeobjects.internal.replay.Resumption;
import org.troupe.activeobjects.internal.replay.TakenRequest;
import org.troupe.activeobjects.store.Journal;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** The log of one object in a journal, from which the object is made again. */
final class CallJournal implements CallLog {

  /*
   * Design: replay within one process, and after its end
   *
   * The protocol is that of LoggedObject. As long as the process of the object lives, its parts that concern other
   * objects are simple, because requests, calls and answers travel reliably:
   *
   *   - All requests come from one origin and are numbered when they are taken, so none is early or a duplicate. Their answers
   *     are given to the body when they may leave, and are not kept.
   *   - A call of the object is sent once, by the first embodiment that makes it. 'sentUpTo' has the last number sent to
   *     each object. A later embodiment that makes the call again finds its end in the log, or waits for
   *     the result of the call that was sent (OwnCall).
   *
   * Output leaves on the thread that serves, which first waits until all input is stable. In a directory that is so
   * when a record is written.
   *
   * The answer of a call that the object waits for is logged by the thread that serves. Every other answer is logged by a
   * thread of its own, before the object can see it: the object has a result that arrives after that. Neither
   * thread reads frames for others.
   *
   * After the end of that process another one makes the object. It does not know which calls without an end in the log
   * were sent, nor who waits for answers. So calls made in the replay of what the former process had taken are not sent: those
   * without an end get one, which says that their effect is unknown (endUnknown). That rule alone depends on calls having no
   * numbers on their way.
   *
   * A request during which the process has ended MOST_DEATHS times in succession is set aside.
   *
   * A log that has failed is not written any more. The object stops, and if it is restarted, its journal is opened
   * anew with a higher epoch, so that what can be read of it counts.
   */

  /** The method of the pseudo-request that notifies a new object of its start. */
  private static final String START = "LifeCycle.started()";

  /** After this number of calls, those that were sent are forgotten. */
  private static final int CALLS_KEPT = 64;

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /** After so many ends of its processes a request is not served again. */
  private static final int MOST_DEATHS = 3;

  private static final int MOST_REQUESTS = 10_000; // behind an image
  private static final long MOST_BYTES = 1 << 20;

  /** Opens the journal with a higher epoch. */
  interface Reopening {
    Journal open() throws IOException;
  }

  private final LoggedBody body;
  private final ImageCodec images;
  private final LogContent content;
  private final LogCodec<LoggedCall, LoggedOutcome> codec =
      new LogCodec<>(new LoggedCall.Content(), new LoggedOutcome.Content());
  private final Reopening reopening;
  private final Runnable needsImage;
  private final ObjectIdentity identity;
  private final CallOrigin origin; // of all requests

  private volatile Journal journal;
  private volatile JournaledObject<LoggedCall, LoggedOutcome> object;
  private volatile @Nullable IOException failure; // of the log
  private volatile @Nullable ReplayException difference;

  /** The calls that were sent, and whose ends are not stable in the log. */
  private final Map<Key, OwnCall> open = new ConcurrentHashMap<>();

  private final Queue<OwnCall> loggedCalls =
      new ConcurrentLinkedQueue<>(); // of these, ended in the log

  private final AtomicLong bytes = new AtomicLong(); // logged since then

  // accessed by the thread that serves
  private final Map<ObjectIdentity, Long> sentUpTo = new HashMap<>();
  private long requests; // since the last image was asked for
  private long mostBytes = MOST_BYTES;
  private boolean isOnward; // the answer of the request that is served
  private LoggedCall current = LoggedCall.made(START); // the request that is served, or was last
  private long taking; // the ordinal of the request that is taken, or was last
  private int onces; // effects of the request that is served
  private boolean hasServedHere; // or was made again here
  private boolean hasReadLog;
  private boolean repeatsOtherProcess; // what it does was, or may have been, done there
  private final List<Once> unstable = new ArrayList<>(0); // effects of that request
  private @Nullable Throwable setAside; // the failure of a request whose caller has no answer
  private volatile @Nullable Interrupted interrupted;

  /** Requests that came after that one, because an immediate method had failed before the log. */
  private final Queue<Interrupted> interruptedLater = new ConcurrentLinkedQueue<>();

  /**
   * A request in whose service the log has failed.
   *
   * @param request {@code null} for the notification of the start
   * @param call the request as it was to be logged, since its service may have changed the
   *     arguments
   * @param receiver the last argument of a call whose answer is combined with others
   * @param ordinal that it has in the log, if the log has it
   */
  private record Interrupted(
      @Nullable CallRequest request, LoggedCall call, @Nullable Object receiver, long ordinal) {

    /** Returns the arguments as they were at first. */
    Object[] arguments(LogContent content) {
      var arguments = content.request(call).arguments();
      if (receiver == null) {
        return arguments;
      }
      var all = Arrays.copyOf(arguments, arguments.length + 1);
      all[arguments.length] = receiver;
      return all;
    }
  }

  /** An effect that has happened, and whose value may not be stable in the log. */
  private record Once(long ordinal, int index, LoggedOutcome outcome) {}

  private record Key(ObjectIdentity target, long number) {}

  /**
   * Creates the log of an object in front of an open journal.
   *
   * @param needsImage is told when the log has become long; does not block
   */
  CallJournal(
      LoggedBody body,
      ImageCodec images,
      Journal journal,
      Reopening reopening,
      Runnable needsImage) {
    this.body = body;
    this.images = images;
    this.content = new LogContent(images, body.type().type());
    this.journal = journal;
    this.reopening = reopening;
    this.needsImage = needsImage;
    var elsewhere = body.origin();
    this.identity =
        elsewhere == null ? new ObjectIdentity(body.node().id(), "", body.identity()) : elsewhere;
    this.origin = new CallOrigin.Process(identity.birth()); // the same wherever the object is
    this.object = embodiment(journal);
  }

  private JournaledObject<LoggedCall, LoggedOutcome> embodiment(Journal its) {
    return new JournaledObject<>(
        body.toString(), identity, its, codec, new Host(), cause -> failure = cause);
  }

  // Images

  /** Records that the object is new, and was never in another process. */
  void born() {
    hasServedHere = true;
  }

  /**
   * Returns an action that writes an image made at a safe point of the object; {@code null} if this
   * is none.
   */
  JournaledObject.@Nullable ImageWriter image(ByteBuffer image) {
    mostBytes = Math.max(MOST_BYTES, 2L * image.remaining());
    requests = 0;
    bytes.set(0);
    forgetSent();
    return object.image(image);
  }

  private void forgetSent() {
    object.perform(each -> sentUpTo.forEach(each::taken));
  }

  /** Closes the journal of an object that has ended. */
  void close() throws IOException {
    for (var left = interrupted; left != null; left = interruptedLater.poll()) {
      failUnknown(left);
    }
    interrupted = null;
    open.values().forEach(OwnCall::pass);
    object.close();
  }

  private void failUnknown(Interrupted left) {
    if (left.request != null) {
      left.request.failAgain(
          body,
          new ObjectTerminatedException(
              "whether %s was served is unknown: %s"
                  .formatted(left.request.method, body.end().why())));
    }
  }

  // The object made again

  /**
   * Makes the object from its last image, and serves the logged requests again.
   *
   * @throws ReplayException if it did something else before
   */
  Object makeAgain(Class<?> type) throws Throwable {
    repeatsOtherProcess = !hasServedHere;
    try {
      var made = makeOnce(type);
      while (made == null) { // a request was set aside
        made = makeOnce(type);
      }
      hasServedHere = true;
      return made;
    } finally {
      repeatsOtherProcess = false;
    }
  }

  /** Makes the object; returns {@code null} if it has to be made again without a request. */
  private @Nullable Object makeOnce(Class<?> type) throws Throwable {
    loggedCalls.clear();
    requests = 0;
    bytes.set(0);
    var former = object;
    var lastBegun = hasServedHere || hasReadLog ? former.lastBegun() : Long.MAX_VALUE;
    former.stop();
    if (failure != null) {
      closeFailed(former);
      journal = reopening.open();
      failure = null;
    }
    var next = embodiment(journal);
    var image = next.storedObject();
    if (image.isEmpty()) {
      throw new IOException("the journal of " + body + " has lost its image");
    }
    var made = images.decode(image.get(), type).object();
    object = next;
    next.recover(lastBegun);
    hasReadLog = true;
    try {
      arrive(made);
      if (!replay(made)) {
        return null;
      }
    } catch (StoppedException stopped) {
      throw stopped.getCause() == null ? stopped : stopped.getCause();
    }
    open.values().forEach(OwnCall::endIfArrived);
    return made;
  }

  private static void closeFailed(JournaledObject<?, ?> former) {
    try {
      former.close();
    } catch (IOException again) {
      // It is known that the journal has failed; it is opened anew.
    }
  }

  private void arrive(Object made) {
    if (made instanceof LifeCycle living) {
      try {
        living.arrived();
      } catch (RuntimeException | Error thrown) {
        body.node().failures().report(null, "a stage or handler of " + body, thrown);
      }
    }
  }

  /**
   * Serves the logged requests again, and then the one in whose service the log has failed.
   *
   * @return {@code false} if a request was set aside, so that the object has stopped
   */
  private boolean replay(Object made) throws Throwable {
    var context = Objects.requireNonNull(ServiceContext.current(), "the context of a restart");
    var served = 0;
    for (var next = begin(); next != null; next = begin()) {
      if (endsProcesses(next.call())) {
        return false;
      }
      replay(made, next.call(), context);
      RestartStep.REPLAYED.passes(body.node().id());
      served++;
    }
    repeatsOtherProcess = false;
    requests = served;
    var last = object.lastBegun();
    perform(each -> each.resumed(origin, new Resumption<>(last, List.of(), Set.of())));
    var left = interrupted;
    if (left != null && left.ordinal > last) { // it is not in the log
      serve(made, left, context);
    } else if (left != null) {
      interrupted = null; // it was set aside
      if (left.request != null && setAside != null) {
        left.request.failAgain(body, setAside);
      }
    }
    for (Interrupted next; (next = interruptedLater.poll()) != null; ) {
      interrupted = next;
      serve(made, next, context);
    }
    return true;
  }

  /** Sets the next request aside if processes have ended during it again and again. */
  private boolean endsProcesses(LoggedCall call) {
    var deaths = new int[1];
    perform(each -> deaths[0] = each.deaths());
    if (deaths[0] < MOST_DEATHS) {
      return false;
    }
    var why =
        "%s was set aside: the node of %s ended %d times in succession while it was served; mend it and call again"
            .formatted(call.method(), body, deaths[0]);
    LOG.log(Level.WARNING, why);
    var outcome = content.outcome(new Outcome.Failure<>(new RestartedException(why))).logged();
    perform(each -> each.setAside(outcome));
    awaitInput();
    return true;
  }

  private @Nullable TakenRequest<LoggedCall> begin() {
    List<TakenRequest<LoggedCall>> next = new ArrayList<>(1);
    perform(
        each -> {
          var taken = each.begin();
          if (taken != null) {
            next.add(taken);
            taking = each.ordinal();
            onces = 0;
          }
        });
    return next.isEmpty() ? null : next.getFirst();
  }

  private void replay(Object made, LoggedCall call, ServiceContext context) throws Throwable {
    var left = interrupted;
    if (call.method().equals(START)) {
      start(made, context);
      return;
    }
    var logged = content.request(call);
    isOnward = logged.isOnward();
    if (left != null && left.ordinal == taking && left.request != null) {
      serve(made, left.request, left.arguments(content), context);
      return;
    }
    var method = NodeObjects.of(body).method(body, call.method());
    context.request =
        new CallRequest(method, logged.arguments(), null, null, logged.caller(), null);
    try {
      serve(context, null, () -> method.invoke(made, logged.arguments(), 0));
    } finally {
      context.request = null;
    }
  }

  private void serve(Object made, Interrupted left, ServiceContext context) throws Throwable {
    var request = left.request;
    if (request == null) {
      beginStart();
      start(made, context);
      return;
    }
    isOnward = request.method.isOnward();
    try {
      take(left.call);
    } finally {
      interrupted = new Interrupted(request, left.call, left.receiver, taking);
    }
    serve(made, request, left.arguments(content), context);
  }

  private void serve(Object made, CallRequest request, Object[] arguments, ServiceContext context)
      throws Throwable {
    context.request = request;
    try {
      serve(context, request, () -> request.invokeAgain(made, arguments));
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
    if (interrupted != null && interrupted.request == null) {
      interrupted = null;
    }
  }

  private interface Service {
    @Nullable Object serve() throws Throwable;
  }

  /**
   * Serves a request that the log has.
   *
   * @param answered the request that is yet to be answered; {@code null} if it has an answer
   */
  private void serve(ServiceContext context, @Nullable CallRequest answered, Service service)
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
      threw(thrown, hasFailed);
      if (answered != null) {
        interrupted = null;
        answered.failAgain(body, thrown);
      }
      if (hasFailed) {
        throw thrown;
      }
      return;
    } finally {
      context.isLogged = false;
    }
    returned(value);
    if (answered != null) {
      interrupted = null;
      answered.answerAgain(body, value);
    }
  }

  private boolean isReplayed() {
    var is = new boolean[1];
    perform(each -> is[0] = each.isReplayed());
    return is[0];
  }

  // Requests

  @Override
  public void begin(CallMethod method, Object[] arguments, @Nullable Object caller) {
    var request = content.request(method, arguments, caller);
    isOnward = method.isOnward();
    take(request);
  }

  @Override
  public void interrupted(CallRequest request, Object[] arguments) {
    var receiver = isOnward ? arguments[arguments.length - 1] : null;
    var its = new Interrupted(request, current, receiver, taking);
    if (interrupted == null) {
      interrupted = its;
    } else {
      interruptedLater.add(its);
    }
  }

  @Override
  public void interruptedStart() {
    interrupted = new Interrupted(null, current, null, taking);
  }

  @Override
  public void beginStart() {
    isOnward = false;
    take(LoggedCall.made(START));
  }

  private void take(LoggedCall call) {
    current = call;
    requests++;
    bytes.addAndGet(call.content().length);
    onces = 0;
    taking = Long.MAX_VALUE; // it is not in the log if the object has stopped
    perform(
        each -> {
          var number = each.ordinal() + 1;
          taking = number;
          each.arrive(origin, new NumberedCall<>(number, number - 1, call));
          each.begin();
        });
  }

  @Override
  public void returned(@Nullable Object value) {
    ended(isOnward ? 0 : LogContent.digest(value));
  }

  @Override
  public void threw(Throwable thrown, boolean hasFailed) {
    if (!hasFailed) {
      ended(isOnward ? 0 : digest(thrown));
      return;
    }
    var outcome = content.outcome(new Outcome.Failure<>(thrown)).logged();
    setAside = thrown;
    perform(each -> each.setAside(outcome));
    awaitInput();
    setAside = null;
  }

  private static long digest(Throwable thrown) {
    return ~(long) thrown.getClass().getName().hashCode();
  }

  private void ended(long digest) {
    perform(each -> each.end(null, digest));
    List<OwnCall> over = new ArrayList<>(0);
    for (OwnCall each; (each = loggedCalls.poll()) != null; ) {
      over.add(each);
    }
    awaitInput();
    over.forEach(each -> open.remove(each.key, each));
    unstable.removeIf(each -> each.ordinal <= taking);
    if (requests >= MOST_REQUESTS || bytes.get() >= mostBytes) {
      requests = 0;
      bytes.set(0);
      needsImage.run();
    }
  }

  /** Waits until output may leave the object. */
  private void awaitInput() {
    if (!object.awaitInput()) {
      throw stopped();
    }
  }

  /** Performs an action of the protocol, and throws if the object has stopped. */
  private void perform(Consumer<LoggedObject<LoggedCall, LoggedOutcome>> action) {
    try {
      if (!object.perform(action)) {
        throw stopped();
      }
    } catch (ReplayException differs) {
      difference = differs;
      throw stopped();
    }
  }

  private StoppedException stopped() {
    var cause = difference != null ? difference : failure;
    return new StoppedException(
        cause == null ? body + " has stopped" : String.valueOf(cause.getMessage()), cause);
  }

  // Calls of the object

  @Override
  public Call called(
      ObjectIdentity target, CallMethod method, Object[] arguments, boolean isAwaited) {
    awaitInput();
    var digest = method.symbol().hashCode() * 31L;
    for (var each : arguments) {
      digest = digest * 31 + LogContent.digest(each);
    }
    var fingerprint = new CallFingerprint(method.toString(), digest);
    var made = new ArrayList<LoggedObject.Made<LoggedOutcome>>(1);
    perform(
        each ->
            made.add(each.call(target, LoggedCall.made(method.symbol()), fingerprint, isAwaited)));
    var number = made.getFirst().number();
    var logged = made.getFirst().logged();
    if (repeatsOtherProcess) {
      sentUpTo.put(target, number);
      var key = new Key(target, number);
      return isAwaited && logged == null
          ? endUnknown(key, method)
          : call(key, method, false, isAwaited, logged);
    }
    var isToSend = number > sentUpTo.getOrDefault(target, 0L);
    if (isToSend) {
      perform(each -> each.requireFirst("called " + method));
    }
    if (isToSend && number % CALLS_KEPT == 0) {
      perform(each -> each.taken(target, number - 1));
    }
    var call = call(new Key(target, number), method, isToSend, isAwaited, logged);
    if (isToSend) {
      sentUpTo.put(target, number); // last: nothing prevents the call from now on
    }
    return call;
  }

  /**
   * Ends a call that a former process of the object may have sent. Without a number on its way it
   * cannot be sent again, since the called object would not recognise it.
   */
  private OwnCall endUnknown(Key key, CallMethod method) {
    var outcome =
        content.outcome(
            new Outcome.Failure<>(
                new RestartedException(
                    "%s was restarted on another node before it had the answer of %s; whether that was served is unknown"
                        .formatted(body, method))));
    perform(each -> each.endedHere(key.target, key.number, outcome.logged()));
    return new OwnCall(key, method.toString(), false, outcome.seen());
  }

  private OwnCall call(
      Key key,
      CallMethod method,
      boolean isToSend,
      boolean isAwaited,
      @Nullable LoggedOutcome logged) {
    if (!isAwaited) {
      return new OwnCall(key, method.toString(), isToSend, null);
    }
    if (logged != null) {
      open.remove(key);
      return new OwnCall(key, method.toString(), false, content.outcome(logged));
    }
    var sent = open.get(key);
    if (sent != null) {
      sent.isMadeAgain();
      return sent;
    }
    var call = new OwnCall(key, method.toString(), isToSend, null);
    open.put(key, call);
    return call;
  }

  @Override
  public <T extends @Nullable Object> T once(Supplier<T> effect) {
    onces++;
    List<LoggedOutcome> logged = new ArrayList<>(1);
    perform(
        each -> {
          var known = each.loggedOnce();
          if (known != null) {
            logged.add(known);
          }
        });
    if (!logged.isEmpty()) {
      return value(content.outcome(logged.getFirst()));
    }
    var before = obtainedBefore();
    if (before != null) {
      perform(each -> each.obtainedOnce(before));
      return value(content.outcome(before)); // a copy: the object may have changed the first value
    }
    perform(each -> each.requireFirst("used ActiveObjects.once(..)"));
    var obtained = content.outcome(obtain(effect));
    var value = obtained.logged();
    unstable.add(new Once(taking, onces, value));
    bytes.addAndGet(value.content().length);
    perform(each -> each.obtainedOnce(value));
    return value(obtained.seen());
  }

  /** Returns what the effect was before the log has failed; {@code null} if it is yet to happen. */
  private @Nullable LoggedOutcome obtainedBefore() {
    for (var each : unstable) {
      if (each.ordinal == taking && each.index == onces) {
        return each.outcome;
      }
    }
    return null;
  }

  private static <T extends @Nullable Object> Outcome<Object> obtain(Supplier<T> effect) {
    var context = Objects.requireNonNull(ServiceContext.current(), "the context of a request");
    context.isLogged = false;
    try {
      return success(effect.get());
    } catch (RuntimeException | Error thrown) {
      return new Outcome.Failure<>(thrown);
    } finally {
      context.isLogged = true;
    }
  }

  @SuppressWarnings("NullAway") // the value may be null
  private static Outcome<Object> success(@Nullable Object value) {
    return new Outcome.Success<>(value);
  }

  @SuppressWarnings("unchecked") // the log has what the effect returned
  private static <T extends @Nullable Object> T value(Outcome<Object> outcome) {
    return switch (outcome) {
      case Outcome.Success<Object>(Object value) -> (T) value;
      case Outcome.Failure<Object>(RuntimeException cause) -> throw cause;
      case Outcome.Failure<Object>(Error cause) -> throw cause;
      case Outcome.Failure<Object>(Throwable cause) -> throw new AssertionError(cause);
      case Outcome.Encoded<Object> encoded -> throw new AssertionError(encoded);
    };
  }

  /** A call of the object, which outlives the embodiment that has sent it. */
  private final class OwnCall implements Call {

    private final Key key;
    private final String text;
    private volatile boolean isToSend;
    private volatile @Nullable FutureResult<Object> sent;

    // guarded by this
    private @Nullable Outcome<Object> ended; // in the log
    private @Nullable LoggedOutcome first; // before the object could change it
    private final List<ArrivedResult> results = new ArrayList<>(1);

    OwnCall(Key key, String text, boolean isToSend, @Nullable Outcome<Object> ended) {
      this.key = key;
      this.text = text;
      this.isToSend = isToSend;
      this.ended = ended;
    }

    @Override
    public boolean isToSend() {
      return isToSend;
    }

    /** Forgets the end of the call, which the log does not have. */
    synchronized void isMadeAgain() {
      isToSend = false;
      ended = null;
    }

    @Override
    public void sent(FutureResult<Object> result, boolean isWaited) {
      sent = result;
      if (!isWaited) {
        result.onSettled(outcome -> Thread.startVirtualThread(this::endIfArrived));
      }
    }

    private synchronized @Nullable Outcome<Object> ended() {
      return ended;
    }

    @Override
    public Outcome<Object> await() throws InterruptedException {
      var known = ended();
      if (known != null) {
        return known;
      }
      return end(awaitSent());
    }

    private Outcome<Object> awaitSent() throws InterruptedException {
      var result = Objects.requireNonNull(sent, "the result of a call");
      try {
        return Objects.requireNonNull(result.await(Long.MAX_VALUE), "no time limit");
      } catch (RuntimeException refused) { // a cycle of waits, which a replay would not meet
        return new Outcome.Failure<>(refused);
      }
    }

    @Override
    public Outcome<Object> endedHere(Outcome<Object> outcome) {
      return end(outcome);
    }

    private Outcome<Object> end(Outcome<Object> outcome) {
      var encoded = encoded(outcome);
      perform(each -> each.answered(key.target, key.number, encoded.logged()));
      loggedCalls.add(this);
      return encoded.seen();
    }

    /** Encodes the outcome once, since the object may change the value that it gets. */
    private LogContent.Encoded encoded(Outcome<Object> outcome) {
      var known = first(null);
      if (known == null) {
        var encoded = content.outcome(outcome);
        known = Objects.requireNonNull(first(encoded.logged()), "what was kept");
        if (known == encoded.logged()) {
          bytes.addAndGet(known.content().length);
          return encoded;
        }
      }
      return new LogContent.Encoded(known, content.outcome(known));
    }

    /** Keeps an encoded outcome, unless there is one; returns the one that is kept. */
    private synchronized @Nullable LoggedOutcome first(@Nullable LoggedOutcome next) {
      if (first == null) {
        first = next;
      }
      return first;
    }

    @Override
    public FutureResult<Object> result() {
      var result = new ArrivedResult(this);
      Outcome<Object> known;
      synchronized (this) {
        known = ended;
        if (known == null) {
          results.add(result);
        }
      }
      if (known != null) {
        result.settle(known);
      } else {
        endIfArrived();
      }
      return result;
    }

    /**
     * Logs the answer of the call, if it has arrived, and passes it to the object. An answer to a
     * call that has not been made again yet is logged when it is.
     */
    void endIfArrived() {
      var arrived = sent;
      if (arrived == null || arrived.isAwaited()) {
        return;
      }
      var encoded = encoded(arrived.await());
      var current = object;
      var isOver = new boolean[1];
      var isLogged =
          current.perform(
              each -> {
                each.answered(key.target, key.number, encoded.logged());
                isOver[0] = each.hasMade(key.target, key.number);
              });
      if (isOver[0]) {
        over(encoded);
      } else if (!isLogged) {
        passTo(current, encoded);
      }
    }

    /**
     * Passes the answer to an embodiment that has stopped, so that its request can end, and to
     * those that have the result from it. Nothing else leaves it any more, and the next embodiment
     * gets the same answer.
     */
    private void passTo(JournaledObject<?, ?> stopped, LogContent.Encoded encoded) {
      List<ArrivedResult> own;
      synchronized (this) {
        own = results.stream().filter(each -> each.holder == stopped).toList();
        results.removeAll(own);
      }
      for (var each : own) {
        each.claim(); // a failure is that of the result which the next embodiment gets
        each.settle(content.outcome(encoded.logged()));
      }
    }

    private void over(LogContent.Encoded encoded) {
      List<ArrivedResult> waiting;
      synchronized (this) {
        if (ended == null) {
          ended = encoded.seen();
        }
        waiting = List.copyOf(results);
        results.clear();
      }
      loggedCalls.add(this);
      for (var i = 0; i < waiting.size(); i++) { // results of several embodiments share no object
        waiting.get(i).settle(i == 0 ? encoded.seen() : content.outcome(encoded.logged()));
      }
    }

    /** Passes the answer to those who have a result of an object that has ended. */
    void pass() {
      var known = sent;
      if (known != null) {
        known.onSettled(outcome -> Thread.startVirtualThread(() -> over(encoded(known.await()))));
      }
    }
  }

  /** The result of a call as the object gets it. */
  private final class ArrivedResult extends DerivedResult<Object> {
    private final JournaledObject<?, ?> holder = object;

    ArrivedResult(OwnCall call) {
      super(
          NodeObjects.of(body).waiting(),
          body.node().failures(),
          null,
          () -> call.text,
          () -> {
            var sent = call.sent;
            return sent == null ? ResultSources.UNKNOWN : ResultSources.all(List.of(sent));
          });
    }
  }

  /** The surroundings of the object, which live on while it is made again. */
  private static final class Host implements LoggedObjectHost<LoggedCall, LoggedOutcome> {
    @Override
    public void sendCall(
        CallOrigin origin,
        ObjectIdentity target,
        NumberedCall<LoggedCall> call,
        boolean isAwaited) {
      // The dispatcher sends it, if it was not sent before.
    }

    @Override
    public void sendAnswer(CallOrigin origin, long number, LoggedOutcome outcome) {
      // The body has the answer.
    }

    @Override
    public void sendTaken(CallOrigin origin, long upTo) {
      // Requests are taken from the queue, and not sent again.
    }

    @Override
    public void sendAcknowledgement(ObjectIdentity target, long number) {
      // The called object does not keep its answer.
    }

    @Override
    public void sendResumption(ObjectIdentity target, Resumption<LoggedCall> resumption) {
      // Nothing was lost.
    }

    @Override
    public void deliver(ObjectIdentity target, long number, LoggedOutcome outcome) {
      // The call itself does that when it is logged.
    }
  }
}
