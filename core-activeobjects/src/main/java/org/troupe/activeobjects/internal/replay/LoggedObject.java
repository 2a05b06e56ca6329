package org.troupe.activeobjects.internal.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ReplayException;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/**
 * The calls and the log of one object whose requests are logged, from when it is made, first or
 * again, until it is lost or has failed. Not thread-safe.
 *
 * @param <C> encoded calls, whose text is the call as messages show it
 * @param <V> encoded outcomes
 */
public class LoggedObject<C, V> {

  /*
   * Design: exactly-once calls by replay
   *
   * The object is an image and the log behind it. Each input that might be different another time is appended to
   * the log before the object can know it: requests in the order of taking, the ends of its own calls, and values
   * obtained once. Served again with the same input, the object does the same again.
   *
   * Invariants
   *   1. Output that has left the object was made from stable input (OutputCommit). So the object as made again
   *      repeats all of it, and no other object has to go back.
   *   2. A call has the same name each time it is sent, because the object counts its calls again. The receiver
   *      takes each name once, in order and without gaps (ReceivedCalls).
   *   3. A call is kept until its receiver has it in a stable log ("taken"), an answer until the caller has it in a
   *      stable log ("acknowledged"). An answer of the receiver implies the former for its own call, and for no other:
   *      a receiver without a log may serve its requests in another order, and its queue may be lost.
   *   4. A new embodiment and its partners exchange resumptions. A resumption speaks of the calls made until then
   *      only: a caller in the midst of its replay makes the others again, and still needs their answers.
   *
   * A call that was ended by its caller (a time limit, a lost node) has a logged end, but the receiver may not have
   * taken it. It is sent again in a replay, since the receiver takes no call behind a gap. So is a call that was
   * taken but not answered, because the answer may have been sent to the former embodiment. A call of which the log says
   * that it could not be sent is never sent: later calls do not name it, so it could arrive behind them.
   *
   * An answer may arrive at an object that has not made the call again yet. It is ignored without an acknowledgement;
   * the call will be sent again and answered again.
   *
   * A request may fail in a way that leaves the object in an unknown state, or end its process again and again. It is
   * set aside: the log says so, the object is made again without it, and goes on with the next request. If a former
   * embodiment had begun the request, calls of it may have left that are unknown here. Their numbers must not be used
   * for other calls, so numbers are skipped. Each call names the one before it, so that no receiver waits for a
   * skipped number.
   *
   * All calls of the object are counted. A call has the number behind that of the last one to the same object, but the
   * count itself if there was none, or if the last number is MOST_BEHIND or more behind the count. An account that is as far
   * behind has no influence on later numbers, and is forgotten when it is settled: every call was taken, and none is
   * awaited. A replay that begins with an older image still has the account, and gives the same numbers. The called object
   * never gets a number twice, so it does not matter whether it lives. It only does not notice by the next call that its own
   * journal was put back to an older state.
   *
   * The end of a request is logged with a digest of its calls and its answer. It is no input: output need not wait
   * for it, and if it is lost the replay compares less. The last request of a lost process is therefore served again
   * even if it was answered. A process counts as one that such a request has ended only if it has begun the request,
   * and it writes the end at once. So an object that is idle while its processes are killed does not lose its last
   * request to that count.
   *
   * Pessimistic message logging after E. N. Elnozahy et al., A survey of rollback-recovery protocols in
   * message-passing systems, ACM Computing Surveys 34(3), 2002.
   */

  /** How many numbers are skipped; no request makes as many calls. */
  private static final long SKIPPED = 1L << 32;

  /** After so many calls without a name the log says that they are taken. */
  private static final long MOST_UNTAKEN = 64;

  /** How many settled accounts of called objects are kept, those of the last ones. */
  private static final long MOST_BEHIND = 1_000;

  /**
   * A call that the object has made.
   *
   * @param ordinal its place among all calls of the object
   * @param settled the number up to which the object needs no answer of the called one
   * @param taken the number up to which the called object has the calls for good
   * @param isToSend whether the called object may not have the call, or its answer is awaited
   * @param isUnsent whether the log says that the call could not be sent; if its end is awaited and
   *     not logged, the object has not seen it
   * @param logged its end, if the log has it; else {@code null}
   */
  public record Made<V>(
      long ordinal,
      long number,
      long after,
      long settled,
      long taken,
      boolean isToSend,
      boolean isUnsent,
      @Nullable V logged) {}

  /**
   * The last call of an object that has ended to another one.
   *
   * @param number of the call
   * @param taken the number up to which the called object has the calls for good
   */
  public record LastCall(long number, long taken) {}

  /** The treatment of a call that has arrived. */
  public enum Arrival {
    /** It is taken now. */
    NEXT,
    /** It was taken before. */
    DUPLICATE,
    /** One before it has not arrived yet. */
    EARLY,
    /** One before it was taken, but the log does not have that any more. */
    FORGOTTEN
  }

  private final String description;
  private final ObjectIdentity identity;
  private final ObjectLog<C, V> log;
  private final LoggedObjectHost<C, V> host;
  private final OutputCommit output = new OutputCommit();
  private final ReplayLog<C, V> replay = new ReplayLog<>();
  private final Map<ObjectIdentity, SentCalls<C>> sent = new HashMap<>();
  private final Map<CallOrigin, ReceivedCalls<C, V>> received = new HashMap<>();
  private final Deque<TakenRequest<C>> waiting = new ArrayDeque<>();
  private long begun;
  private long counted; // calls, and numbers that were skipped; no call has a higher number
  private LoggedObjectImage.Deaths deaths = LoggedObjectImage.Deaths.NONE;
  private long takenElsewhere; // by processes that have ended
  private long begunBefore; // by a former embodiment, as far as can be known
  private boolean owesResumptions; // since it was made again

  // of the request that is served
  private @Nullable TakenRequest<C> current;
  private final Map<ObjectIdentity, Long> firstCalls = new HashMap<>();
  private final List<String> madeAgain = new ArrayList<>(); // calls of a request that had ended
  private int calls;
  private int onces;
  private long digest;

  /**
   * Creates an object that has neither taken nor sent anything.
   *
   * @param description the object as messages show it
   */
  public LoggedObject(
      String description,
      ObjectIdentity identity,
      ObjectLog<C, V> log,
      LoggedObjectHost<C, V> host) {
    this.log = log;
    this.description = description;
    this.identity = identity;
    this.host = host;
  }

  /**
   * Makes the object again from the stable image and log, before anything else. The object itself
   * must be the one in the image already, since it gets the ends of calls that it had made before.
   *
   * @param records what the log has behind the image, in order
   * @param last the position of the last of them, or of the image
   * @param lastBegun the ordinal of the last request that the former embodiment has begun; {@link
   *     Long#MAX_VALUE} if it is not known
   */
  public void recover(
      LoggedObjectImage<C, V> image,
      long last,
      List<? extends LogRecord<C, V>> records,
      long lastBegun) {
    begun = image.begun();
    counted = image.counted();
    deaths = image.deaths();
    waiting.addAll(image.waiting());
    image.sent().forEach((target, state) -> sent.put(target, new SentCalls<>(state)));
    image.received().forEach((origin, state) -> receivedOf(origin).restore(state));
    var index = 0L;
    for (var each : records) {
      recover(++index, each);
    }
    received.values().forEach(ReceivedCalls::recovered);
    begunBefore = Math.min(begun + waiting.size(), lastBegun);
    output.taken(last);
    output.stable(last);
    sent.forEach((target, account) -> host.sendResumption(target, resumption(account)));
    owesResumptions = true;
    if (lastBegun == Long.MAX_VALUE) {
      takenElsewhere = begun + waiting.size();
    }
  }

  /** Returns whether a request was begun in former processes only, and has not ended there. */
  private boolean isUnended(long request) {
    return request <= takenElsewhere && !replay.hasEnded(request);
  }

  /** Returns how many processes in a row have ended after they had begun a request. */
  private int deaths(long request) {
    return deaths.request() == request ? deaths.count() : 0;
  }

  private void recover(long position, LogRecord<C, V> entry) {
    switch (entry) {
      case LogRecord.Request<C, V>(TakenRequest<C> request) -> {
        receivedOf(request.origin()).takenBefore(request.number());
        waiting.add(request);
      }
      case LogRecord.Answer<C, V> answer -> {
        var account = sentTo(answer.target());
        if (answer.number() >= nextNumber(account)) {
          replay.add(position, answer);
          return;
        }
        if (answer.isOfTarget()) {
          account.answered(answer.number());
        }
        if (account.ended(answer.number()) != null) {
          host.deliver(answer.target(), answer.number(), answer.outcome());
        }
      }
      case LogRecord.Unsent<C, V> call -> replay.add(call);
      case LogRecord.Taken<C, V>(ObjectIdentity target, long taken) -> sentTo(target).taken(taken);
      case LogRecord.Once<C, V> once -> replay.add(once);
      case LogRecord.End<C, V> end -> replay.add(position, end);
      case LogRecord.SetAside<C, V> failed -> replay.add(position, failed);
      case LogRecord.MadeAgain<C, V>(long request) -> deaths = deaths.oneMore(request);
    }
  }

  private SentCalls<C> sentTo(ObjectIdentity target) {
    return sent.computeIfAbsent(target, each -> new SentCalls<>());
  }

  /** Returns the number of the next call to an object, which no call to it has had. */
  private long nextNumber(@Nullable SentCalls<C> account) {
    return account == null || isBehind(account) ? counted + 1 : account.made() + 1;
  }

  /** Returns whether the next number does not depend on an account. */
  boolean isBehind(SentCalls<C> account) {
    return account.made() == 0 || counted - account.made() >= mostBehind();
  }

  long mostBehind() {
    return MOST_BEHIND;
  }

  private Resumption<C> resumption(SentCalls<C> account) {
    return account.resumption(nextNumber(account) - 1);
  }

  private void forgetSettled() {
    if (!replay.isPending()) { // calls may be yet to be made again that are known as taken
      sent.values().removeIf(this::mayForget);
    }
  }

  /** Returns whether nothing depends on the account of a called object any more. */
  boolean mayForget(SentCalls<C> account) {
    return isBehind(account) && account.isSettled() && !account.isLost();
  }

  private ReceivedCalls<C, V> receivedOf(CallOrigin origin) {
    var known = received.get(origin);
    return known != null ? known : received.computeIfAbsent(origin, each -> newReceivedCalls());
  }

  ReceivedCalls<C, V> newReceivedCalls() {
    return new ReceivedCalls<>();
  }

  /** Returns how many numbers a request that is set aside may have used. */
  long skipped() {
    return SKIPPED;
  }

  private void appendInput(LogRecord<C, V> input) {
    output.taken(log.append(input));
  }

  /** Records that the log is stable up to a position. */
  public void stable(long position) {
    output.stable(position);
  }

  /** Returns the position of the last record that output has to wait for. */
  long lastInput() {
    return output.required();
  }

  /** Returns whether output may leave at once. */
  boolean isInputStable() {
    return output.isInputStable();
  }

  /** Lets nothing leave the object any more, since it has failed or its log has. */
  public void stop() {
    output.stop();
  }

  // Callers

  /** Handles the arrival of a call. */
  public void arrive(CallOrigin origin, NumberedCall<C> call) {
    var account = receivedOf(origin);
    var number = call.number();
    if (!account.isDuplicate(number)) {
      take(origin, account, call);
      return;
    }
    var answer = account.repeated(number);
    if (answer != null) {
      output.leave(() -> host.sendAnswer(origin, number, answer));
    }
  }

  /** Takes a call of a caller that does not number its calls, as the next one of its origin. */
  public void arrive(CallOrigin origin, C call) {
    var account = receivedOf(origin);
    var number = account.next();
    take(origin, account, new NumberedCall<>(number, number - 1, call));
  }

  private void take(CallOrigin origin, ReceivedCalls<C, V> account, NumberedCall<C> call) {
    for (var each : account.accept(call)) {
      var request = new TakenRequest<>(origin, each.number(), each.call());
      appendInput(new LogRecord.Request<>(request));
      waiting.add(request);
    }
  }

  /** Returns the decision on a call of a caller that numbers its calls. */
  public Arrival arrival(CallName name) {
    var account = receivedOf(name.origin());
    account.settled(name.settled());
    if (account.isDuplicate(name.number())) {
      account.repeated(name.number());
      return Arrival.DUPLICATE;
    }
    if (account.isNext(name.after())) {
      return Arrival.NEXT;
    }
    return account.isDuplicate(name.taken()) ? Arrival.EARLY : Arrival.FORGOTTEN;
  }

  /** Keeps the answer of a call until the caller needs it no more. */
  public void keepAnswer(CallOrigin origin, long number, V outcome) {
    var account = received.get(origin);
    if (account != null) { // else the caller has ended
      account.answered(number, outcome);
    }
  }

  /** Returns an answer that is kept, or {@code null}. */
  public @Nullable V keptAnswer(CallOrigin origin, long number) {
    var account = received.get(origin);
    return account == null ? null : account.answer(number);
  }

  /** Handles the news that a caller needs no answers up to a number. */
  public void settled(CallOrigin origin, long upTo) {
    var account = received.get(origin);
    if (account != null) {
      account.settled(upTo);
    }
  }

  /** Handles the news that a caller needs an answer no more. */
  public void acknowledged(CallOrigin origin, long number) {
    var account = received.get(origin);
    if (account != null) {
      account.acknowledged(number);
    }
  }

  /** Handles what a caller tells after one of the two was made again. */
  public void resumed(CallOrigin origin, Resumption<C> resumption) {
    var account = receivedOf(origin);
    var answers = account.resumed(resumption);
    for (var each : resumption.untaken()) {
      if (account.isDuplicate(each.number())) {
        account.repeated(each.number());
      } else {
        take(origin, account, each);
      }
    }
    answers.forEach(
        (number, answer) -> output.leave(() -> host.sendAnswer(origin, number, answer)));
  }

  /** Returns the origins of all calls that the object accounts for. */
  public Set<CallOrigin> callers() {
    return Set.copyOf(received.keySet());
  }

  /** Returns whether a call is the last one of a caller that was taken. */
  public boolean endsWith(CallOrigin origin, long last) {
    var account = received.get(origin);
    return account != null && account.endsWith(last);
  }

  /** Forgets a caller that has ended; its requests are served all the same. */
  public void forget(CallOrigin origin) {
    received.remove(origin);
  }

  /** Returns whether a {@linkplain #report report} would say anything new. */
  public boolean hasReport() {
    return owesResumptions && !replay.isPending()
        || received.values().stream().anyMatch(ReceivedCalls::hasReport);
  }

  /** Tells callers which of their calls were taken, from time to time. */
  public void report() {
    received.forEach(
        (origin, account) -> {
          if (account.hasReport()) {
            var upTo = account.report();
            output.leave(() -> host.sendTaken(origin, upTo));
          }
        });
    if (owesResumptions && !replay.isPending()) { // called objects may keep answers for nothing
      owesResumptions = false;
      sent.keySet().forEach(this::resume);
    }
  }

  // Called objects

  /** Handles an answer that a called object has sent. */
  public void answered(ObjectIdentity target, long number, V outcome) {
    var account = sent.get(target);
    if (isPremature(account, number)) {
      return;
    }
    if (account != null) {
      account.answered(number); // without a record if it is not awaited: a report will follow
      var fingerprint = account.ended(number);
      if (fingerprint != null) {
        appendInput(new LogRecord.Answer<>(target, number, fingerprint, outcome, true));
        host.deliver(target, number, outcome);
      }
    }
    output.leave(() -> host.sendAcknowledgement(target, number));
  }

  /** Returns whether a call has been made, or made again since the object was made again. */
  public boolean hasMade(ObjectIdentity target, long number) {
    return number < nextNumber(sent.get(target));
  }

  /** Returns whether the call with an answer has not been made again yet. */
  boolean isPremature(@Nullable SentCalls<C> account, long number) {
    return number >= nextNumber(account);
  }

  /**
   * Handles the news that a call could not be sent, before its end.
   *
   * @param after the number of the last call to the same object that could be
   */
  public void notSent(ObjectIdentity target, long number, long after) {
    if (sentTo(target).notSent(number, after)) {
      appendInput(new LogRecord.Unsent<>(target, number, after));
    }
  }

  /** Ends a call that this object does not wait for any longer. */
  public void endedHere(ObjectIdentity target, long number, V outcome) {
    var account = sent.get(target);
    var fingerprint = account == null ? null : account.ended(number);
    if (fingerprint != null) {
      appendInput(new LogRecord.Answer<>(target, number, fingerprint, outcome, false));
      host.deliver(target, number, outcome);
    }
  }

  /** Awaits none of the answers any more that it does, since nothing has the results. */
  public void abandonCalls() {
    sent.values().forEach(account -> account.abandonFrom(0));
  }

  /** Handles the loss of a called object that will not be made again: ends all calls to it. */
  public void targetLost(ObjectIdentity target, V outcome) {
    sentTo(target).lost().forEach(number -> endedHere(target, number, outcome));
  }

  /** Handles the news that a called object has calls up to a number in its log. */
  public void taken(ObjectIdentity target, long upTo) {
    var account = replay.isPending() ? sentTo(target) : sent.get(target);
    if (account != null && account.taken(upTo)) {
      log.append(new LogRecord.Taken<>(target, upTo)); // saves sending; no input
    }
  }

  /**
   * Handles the news that a called object has served a range of calls behind one that it has not
   * served. No log has that: another embodiment sends these calls again, and they are recognised.
   */
  public void takenBehind(ObjectIdentity target, long first, long last) {
    var account = sent.get(target);
    if (account != null) {
      account.takenBehind(first, last);
    }
  }

  /** Forgets the calls of objects that will not take them; those that are awaited end otherwise. */
  public void forgetUntaken(Predicate<ObjectIdentity> isLost) {
    sent.forEach(
        (target, account) -> {
          if (account.hasUntaken() && isLost.test(target)) {
            taken(target, account.made());
          }
        });
  }

  /** Handles the news that a called object was made again. */
  public void resume(ObjectIdentity target) {
    var account = sent.get(target);
    if (account != null) {
      var resumption = resumption(account);
      output.leave(() -> host.sendResumption(target, resumption));
    }
  }

  // The object, in its turn

  /** Begins the next request; returns {@code null} if none waits. */
  public @Nullable TakenRequest<C> begin() {
    for (TakenRequest<C> next; (next = waiting.poll()) != null; ) {
      begun++;
      var failed = replay.setAside(begun);
      if (failed == null) {
        current = next;
        firstCalls.clear();
        madeAgain.clear();
        calls = 0;
        onces = 0;
        digest = 0;
        if (isUnended(begun)) { // this process is the next one that may end by it
          deaths = deaths.oneMore(begun);
          log.append(new LogRecord.MadeAgain<>(begun));
        }
        return next;
      }
      skip(failed.sent());
      answer(next, failed.outcome());
    }
    return null;
  }

  /**
   * Returns whether the next request of the log had not ended, as far as the log says, so that its
   * service is more than a repetition.
   *
   * @param mostDeaths after so many ends of processes it is not served again
   */
  public boolean isNextUnended(int mostDeaths) {
    var next = begun + 1;
    return !waiting.isEmpty() && isUnended(next) && deaths(next) + 1 < mostDeaths;
  }

  /** Accounts for the calls of a request that is not served again. */
  private void skip(Map<ObjectIdentity, SentCalls.State<C>> later) {
    var origin = new CallOrigin.Logged(identity);
    later.forEach(
        (target, account) -> {
          for (var each : sentTo(target).addSkipped(account)) {
            host.sendAgain(origin, target, each, counted); // the stable log has it
          }
        });
    counted += skipped();
  }

  /** Returns the ordinal of the request that is served, for keys of effects that happen once. */
  public long ordinal() {
    return begun;
  }

  /**
   * Checks that the request may do something for the first time.
   *
   * @param what it does, as messages show it
   * @throws ReplayException if the request had ended without it when it was served first
   */
  public void requireFirst(String what) {
    if (replay.hasEnded(begun)) {
      throw differs("%s%s, as it had not before".formatted(what, host.callSite()));
    }
  }

  /**
   * Checks that a call equals one that has left the object, though the log does not have the
   * request that has made it.
   *
   * @param isOfTarget whether both are to the same object
   * @throws ReplayException if it does not
   */
  public void requireSame(CallFingerprint call, CallFingerprint sent, boolean isOfTarget) {
    if (call.digest() != sent.digest() || !isOfTarget) {
      throw differs(
          "called %s%s as call %d, where it had called %s%s before"
              .formatted(
                  call.call(),
                  host.callSite(),
                  calls,
                  sent.call(),
                  isOfTarget ? "" : " of another object"));
    }
  }

  /**
   * Handles a call that has not left the object, in the place of one that has.
   *
   * @throws ReplayException always
   */
  public void isDifferent(CallFingerprint call) {
    throw differs(
        madeAgain.isEmpty()
            ? "called %s%s as call %d, as it had not before"
                .formatted(call.call(), host.callSite(), calls)
            : "called %s%s, and had made other calls before"
                .formatted(String.join(", ", madeAgain), host.callSite()));
  }

  /** Returns whether the request that is served has ended before, when it was served first. */
  public boolean isReplayed() {
    return replay.hasEnded(begun);
  }

  /** Returns the ordinal of the last request that this or a former embodiment has begun. */
  public long lastBegun() {
    return Math.max(begun, begunBefore);
  }

  /**
   * Makes a call.
   *
   * @throws ReplayException if the object made another call here before
   */
  public Made<V> call(
      ObjectIdentity target, C call, CallFingerprint fingerprint, boolean isAwaited) {
    var account = sentTo(target);
    var number = nextNumber(account);
    counted++;
    calls++;
    digest = CallFingerprint.fold(digest, fingerprint.digest());
    firstCalls.putIfAbsent(target, number);
    if (replay.hasEnded(begun)) {
      madeAgain.add(fingerprint.call());
    }
    var logged = replay.answer(target, number);
    if (logged != null && logged.fingerprint().digest() != fingerprint.digest()) {
      throw differs(
          "called %s%s as call %d, where it had called %s before"
              .formatted(fingerprint.call(), host.callSite(), calls, logged.fingerprint().call()));
    }
    var awaits = isAwaited && logged == null;
    var settled = account.settled();
    var numbered = account.add(number, call, awaits ? fingerprint : null);
    var sentBefore = replay.unsent(target, number);
    var isUnsent = sentBefore != null && account.notSent(number, sentBefore);
    var isAnswered = logged != null && logged.isOfTarget();
    if (isAnswered) {
      account.answered(number);
    }
    var isToSend = !isUnsent && !isAnswered && (awaits || !account.isTaken(number));
    if (isToSend) {
      var origin = new CallOrigin.Logged(identity);
      output.leave(() -> host.sendCall(origin, target, numbered, awaits));
    }
    if (counted % mostBehind() == 0) {
      forgetSettled();
    }
    return new Made<>(
        counted,
        number,
        numbered.after(),
        settled,
        Math.min(account.taken(), numbered.after()), // in a replay, it may have later calls
        isToSend,
        isUnsent,
        logged == null ? null : logged.outcome());
  }

  /**
   * Records that a call which has just been made has no name: this process brings it to its object,
   * and no other one has to.
   */
  public void unnamed(ObjectIdentity target, long number) {
    var account = sentTo(target);
    if (account.unnamed(number) && number - account.taken() > MOST_UNTAKEN) {
      taken(target, number - 1);
    }
  }

  /** Returns the calls to an object that it may lack, in order. */
  public List<NumberedCall<C>> untaken(ObjectIdentity target) {
    var account = sent.get(target);
    return account == null ? List.of() : account.untaken();
  }

  /** Returns the objects that may lack calls. */
  public List<ObjectIdentity> lacking() {
    List<ObjectIdentity> all = new ArrayList<>();
    sent.forEach(
        (target, account) -> {
          if (account.hasUntaken()) {
            all.add(target);
          }
        });
    return all;
  }

  /** Returns the objects whose calls are accounted for. */
  public Set<ObjectIdentity> called() {
    return Set.copyOf(sent.keySet());
  }

  /**
   * Returns the last call to each object whose calls are accounted for. The result is empty if the
   * object has not served a request to its end that its log has, so that a former embodiment of it
   * may have made more calls.
   */
  public Map<ObjectIdentity, LastCall> lastCalls() {
    Map<ObjectIdentity, LastCall> all = new HashMap<>();
    if (current == null && waiting.isEmpty() && !replay.isPending()) {
      sent.forEach(
          (target, account) -> {
            // Calls without names, of which no report will come, may be the only ones left.
            if (account.hasUntaken() || account.taken() >= account.sent()) {
              all.put(target, new LastCall(account.sent(), account.taken()));
            }
          });
    }
    return all;
  }

  /** Returns how many calls the object has made, and numbers it has skipped. */
  public long counted() {
    return counted;
  }

  /** Returns the next value that the request obtains once, if the log has it; else {@code null}. */
  public @Nullable V loggedOnce() {
    return replay.once(begun, onces++);
  }

  /** Logs the value for which {@link #loggedOnce} has just found nothing. */
  public void obtainedOnce(V value) {
    appendInput(new LogRecord.Once<>(begun, onces - 1, value));
  }

  /**
   * Ends the request.
   *
   * @param outcome the answer; {@code null} if the caller expects none
   * @param outcomeDigest a digest of the answer
   * @throws ReplayException if the object did something else before
   */
  public void end(@Nullable V outcome, long outcomeDigest) {
    digest = CallFingerprint.fold(digest, outcomeDigest);
    var before = replay.endDigest(begun);
    var missing = replay.ended(begun);
    if (missing != null) {
      throw differs("ended without having called %s, as it had before".formatted(missing.call()));
    }
    if (before == null) {
      log.append(new LogRecord.End<>(begun, digest)); // for comparison; no input
    } else if (before != digest) {
      throw differs(
          madeAgain.isEmpty()
              ? "made no call, and had made other calls or ended with another answer before"
              : "called %s, and had made other calls or ended with another answer before"
                  .formatted(String.join(", ", madeAgain)));
    }
    var request = served();
    current = null;
    if (outcome != null) {
      answer(request, outcome);
    }
  }

  /**
   * Returns whether no former embodiment had begun the request that is served. If one had, the
   * caller may have an answer, so the request should be served again rather than {@linkplain
   * #setAside set aside}, unless that has been tried.
   */
  public boolean isBegunFirst() {
    return begun > begunBefore;
  }

  /** Returns how many processes in a row have ended before the request that is served had ended. */
  public int deaths() {
    return isUnended(begun) ? deaths(begun) : 0;
  }

  /**
   * Ends the request, which has failed in a way that leaves the object in an unknown state, or is
   * not to be served again. The object stops, is to be made again from its log, and goes on with
   * the next request.
   */
  public void setAside(V outcome) {
    if (replay.hasEnded(begun)) {
      throw new IllegalStateException(description + " has served request " + begun + " before");
    }
    served();
    firstCalls.forEach((target, first) -> sentTo(target).abandonFrom(first));
    Map<ObjectIdentity, SentCalls.State<C>> accounts = new HashMap<>();
    sent.forEach((target, account) -> accounts.put(target, account.state()));
    appendInput(new LogRecord.SetAside<>(begun, outcome, accounts));
    stop();
  }

  private TakenRequest<C> served() {
    return Objects.requireNonNull(current, "the request that is served");
  }

  private void answer(TakenRequest<C> request, V outcome) {
    var account = received.get(request.origin());
    if (account != null && account.answered(request.number(), outcome)) {
      output.leave(() -> host.sendAnswer(request.origin(), request.number(), outcome));
    }
  }

  private ReplayException differs(String how) {
    stop();
    return new ReplayException(
        "%s does not replay: in request %d (%s) it %s; wrap in ActiveObjects.once(..) what differs each time, or resume with the program that wrote the log"
            .formatted(description, begun, served().call(), how));
  }

  // Images

  /**
   * Returns whether an image may replace the log: no request is served, and the object has done
   * again all that it had done before.
   */
  public boolean mayMakeImage() {
    return current == null && !replay.isPending();
  }

  /** Returns the accounts for an image, at a safe point. */
  public LoggedObjectImage<C, V> image() {
    if (!mayMakeImage()) {
      throw new IllegalStateException(description + " is not at a safe point");
    }
    forgetSettled();
    Map<ObjectIdentity, SentCalls.State<C>> ofSent = new HashMap<>();
    sent.forEach((target, account) -> ofSent.put(target, account.state()));
    Map<CallOrigin, ReceivedCalls.State<V>> ofReceived = new HashMap<>();
    received.forEach((origin, account) -> ofReceived.put(origin, account.state()));
    return new LoggedObjectImage<>(
        begun, counted, deaths, List.copyOf(waiting), ofSent, ofReceived);
  }

  /** Returns how many requests wait. */
  public int queued() {
    return waiting.size();
  }

  /** Returns whether nothing is kept for another object, and nothing is awaited from one. */
  public boolean isSettled() {
    return waiting.isEmpty()
        && current == null
        && output.isEmpty()
        && !replay.isPending()
        && sent.values().stream().allMatch(SentCalls::isSettled)
        && received.values().stream().allMatch(ReceivedCalls::isSettled);
  }
}
