package org.troupe.activeobjects.internal.keeping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallFingerprint;
import org.troupe.activeobjects.internal.replay.LoggedObject;
import org.troupe.futures.Outcome;

/** The calls that one logged object makes. */
final class OwnCalls {

  /*
   * Design: calls that outlive an embodiment
   *
   * A call of the object is sent once, by the first embodiment that makes it. 'sentUpTo' has the last number sent to
   * each object. A later embodiment that makes the call again finds its end in the log, or waits for
   * the result of the call that was sent (OwnCall).
   *
   * The answer of a call that the object waits for is logged by the thread that serves. Every other answer is logged by a
   * thread of its own, before the object can see it: the object has a result that arrives after that. Neither
   * thread reads frames for others.
   *
   * A process that makes the object after the end of another one does not know which calls without an end in the log were sent.
   * So calls made in the replay of what the former process had taken are not sent: those without an end get one, which says
   * that their effect is unknown (endUnknown). That rule alone depends on calls having no numbers on their way.
   *
   * A request that the log does not have, since the log has failed, may make other calls when it is served again. But
   * its calls have left the object, so a different call with the number of one of them ends the object.
   */

  /** After this number of calls, those that were sent are forgotten. */
  private static final int CALLS_KEPT = 64;

  final LoggedBody body;
  final EmbodiedLog log;
  final LogContent content;
  final LogLength length;

  /** The calls that were sent, and whose ends are not stable in the log. */
  private final Map<Key, OwnCall> open = new ConcurrentHashMap<>();

  private final Queue<OwnCall> logged =
      new ConcurrentLinkedQueue<>(); // of these, ended in the log

  // accessed by the thread that serves
  private final Map<ObjectIdentity, Long> sentUpTo = new HashMap<>();
  private final Map<Key, CallFingerprint> ofRequest = new HashMap<>(); // that is served; all sent

  private boolean repeatsOtherProcess;

  /** The name of a call among all calls of the object. */
  record Key(ObjectIdentity target, long number) {}

  OwnCalls(LoggedBody body, EmbodiedLog log, LogContent content, LogLength length) {
    this.body = body;
    this.log = log;
    this.content = content;
    this.length = length;
  }

  /** Accounts for a call of the request that is served. */
  OwnCall called(
      ObjectIdentity target, CallMethod method, Object[] arguments, boolean isAwaited) {
    log.awaitInput();
    var digest = method.symbol().hashCode() * 31L;
    for (var each : arguments) {
      digest = digest * 31 + LogContent.digest(each);
    }
    var fingerprint = new CallFingerprint(method.toString(), digest);
    var made = new ArrayList<LoggedObject.Made<LoggedOutcome>>(1);
    log.perform(
        each ->
            made.add(each.call(target, LoggedCall.made(method.symbol()), fingerprint, isAwaited)));
    var number = made.getFirst().number();
    var key = new Key(target, number);
    if (repeatsOtherProcess) {
      sentUpTo.put(target, number);
      var known = made.getFirst().logged();
      return isAwaited && known == null
          ? endUnknown(key, method)
          : call(key, method, false, isAwaited, known);
    }
    var isToSend = number > sentUpTo.getOrDefault(target, 0L);
    if (isToSend) {
      log.perform(each -> each.requireFirst("called " + method));
    } else {
      var sent = ofRequest.get(key);
      if (sent != null) {
        log.perform(each -> each.requireSame(fingerprint, sent));
      }
    }
    if (isToSend && number % CALLS_KEPT == 0) {
      log.perform(each -> each.taken(target, number - 1));
    }
    var call = call(key, method, isToSend, isAwaited, made.getFirst().logged());
    if (isToSend) { // last: nothing prevents the call from now on
      sentUpTo.put(target, number);
      ofRequest.put(key, fingerprint);
    }
    return call;
  }

  /** Sets whether what the object does was, or may have been, done in another process. */
  void repeatOtherProcess(boolean repeats) {
    repeatsOtherProcess = repeats;
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
    log.perform(each -> each.endedHere(key.target(), key.number(), outcome.logged()));
    return new OwnCall(this, key, method.toString(), false, outcome.seen());
  }

  private OwnCall call(
      Key key,
      CallMethod method,
      boolean isToSend,
      boolean isAwaited,
      @Nullable LoggedOutcome known) {
    if (!isAwaited) {
      return new OwnCall(this, key, method.toString(), isToSend, null);
    }
    if (known != null) {
      open.remove(key);
      return new OwnCall(this, key, method.toString(), false, content.outcome(known));
    }
    var sent = open.get(key);
    if (sent != null) {
      sent.isMadeAgain();
      return sent;
    }
    var call = new OwnCall(this, key, method.toString(), isToSend, null);
    open.put(key, call);
    return call;
  }

  /** Records that the log has the end of a call. */
  void ended(OwnCall call) {
    logged.add(call);
  }

  /** Returns the calls whose ends are in the log, and will be stable with all that is there. */
  List<OwnCall> takeLogged() {
    List<OwnCall> all = new ArrayList<>(0);
    for (OwnCall each; (each = logged.poll()) != null; ) {
      all.add(each);
    }
    return all;
  }

  /** Forgets calls whose ends are stable, and those of the request that has ended. */
  void stable(List<OwnCall> over) {
    over.forEach(each -> open.remove(each.key(), each));
    ofRequest.clear();
  }

  /** Forgets which calls the log of a former embodiment has, which may have lost some of them. */
  void restart() {
    logged.clear();
  }

  /** Handles the answers that have arrived while the object was made again. */
  void madeAgain() {
    open.values().forEach(OwnCall::endIfArrived);
  }

  /** Accounts for an image, behind which no call is made again. */
  void forgetSent() {
    log.tryPerform(each -> sentUpTo.forEach(each::taken));
  }

  /** Passes the answers of all calls to those who have a result of an object that has ended. */
  void close() {
    open.values().forEach(OwnCall::pass);
  }
}
