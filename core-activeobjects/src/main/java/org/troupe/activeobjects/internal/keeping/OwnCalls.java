package org.troupe.activeobjects.internal.keeping;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallFingerprint;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.internal.replay.LoggedObject;
import org.troupe.activeobjects.internal.replay.NumberedCall;
import org.troupe.futures.Outcome;

/** The calls that one logged object makes. */
final class OwnCalls {

  /*
   * Design: calls that outlive an embodiment
   *
   * Within a process, a call of the object is sent once, by the first embodiment that makes it. 'triedUpTo' has the last
   * number for each object. A call that could not be sent, for its arguments cannot be encoded, leaves no gap for its object:
   * the next one names the one before it ('sentUpTo'). A later embodiment that makes the call again finds its end in the log, or waits for
   * the result of the call that was sent (OwnCall). An embodiment in another process sends all calls again that the log
   * has no end of, under their names, and those in its image of which it is not known that they were taken.
   *
   * The answer of a call that the object waits for is logged by the thread that serves. Every other answer is logged by a
   * thread of its own, before the object can see it: the object has a result that arrives after that. Neither
   * thread reads frames for others.
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
  private final ImageCodec images;
  private final boolean wasInGrid;

  /** The calls that were sent, and whose ends are not stable in the log. */
  private final Map<Key, OwnCall> open = new ConcurrentHashMap<>();

  private final Queue<OwnCall> logged = new ConcurrentLinkedQueue<>(); // of these, ended in the log

  // accessed by the thread that serves
  private final Map<ObjectIdentity, Long> triedUpTo = new HashMap<>();
  private final Map<ObjectIdentity, Long> sentUpTo = new HashMap<>();
  private final Map<Key, CallFingerprint> ofRequest = new HashMap<>(); // that is served; all sent
  private final Set<ObjectIdentity> near =
      new HashSet<>(); // objects that are lost with the process
  private final Queue<FromImage> fromImage = new ArrayDeque<>();

  private final CallOrigin origin;

  private boolean isComplete; // whether this process has made all calls of the object

  /** A call that an image has, and that its object may not have. */
  private record FromImage(ObjectIdentity target, NumberedCall<LoggedCall> call) {}

  /** The name of a call among all calls of the object. */
  record Key(ObjectIdentity target, long number) {}

  OwnCalls(
      LoggedBody body,
      ObjectIdentity identity,
      EmbodiedLog log,
      LogContent content,
      LogLength length,
      ImageCodec images) {
    this.origin = new CallOrigin.Logged(identity);
    this.body = body;
    this.log = log;
    this.content = content;
    this.length = length;
    this.images = images;
    this.wasInGrid = body.origin() != null || images.isInGrid(); // only a grid brings it here
  }

  /**
   * Accounts for a call of the request that is served.
   *
   * @param isNear whether the called object is lost with this process, so that its calls need no
   *     account after that
   */
  OwnCall called(
      ObjectIdentity target,
      CallMethod method,
      Object[] arguments,
      boolean isAwaited,
      boolean isNear) {
    log.awaitInput();
    var digest = method.symbol().hashCode() * 31L;
    for (var each : arguments) {
      digest = digest * 31 + LogContent.digest(each);
    }
    var fingerprint = new CallFingerprint(method.toString(), digest);
    var call = LoggedCall.made(method.symbol());
    var answer = new ArrayList<LoggedObject.Made<LoggedOutcome>>(1);
    var isFirst = new boolean[1];
    log.perform(
        each -> {
          answer.add(each.call(target, call, fingerprint, isAwaited));
          isFirst[0] = each.isBegunFirst();
        });
    log.awaitRelease(); // the call says which answers are not needed, also those logged meanwhile
    var made = answer.getFirst();
    var number = made.number();
    var key = new Key(target, number);
    var isToSend = made.isToSend() && number > triedUpTo.getOrDefault(target, 0L);
    if (!isToSend) {
      requireSame(key, fingerprint);
    } else if (isComplete) {
      log.perform(each -> each.requireFirst("called " + method));
    }
    var before = sentUpTo.get(target);
    var after = before == null ? made.after() : Math.min(before, made.after());
    var taken = Math.min(made.taken(), after);
    var name = new CallName(origin, number, after, made.settled(), taken, isFirst[0]);
    var own = call(key, name, call, method, isToSend, isAwaited, made.logged());
    if (isToSend) { // last: nothing of this prevents the call from now on
      triedUpTo.put(target, number);
      sentUpTo.put(target, number);
      ofRequest.put(key, fingerprint);
      if (isNear) {
        near.add(target);
        if (number % CALLS_KEPT == 0) {
          log.perform(each -> each.taken(target, number - 1));
        }
      }
    }
    return own;
  }

  /** Handles a call that could not be sent. */
  void notSent(Key key, long after) {
    sentUpTo.computeIfPresent(key.target(), (target, number) -> after);
  }

  /** Checks that a call equals the one with its number that has left the object. */
  private void requireSame(Key key, CallFingerprint fingerprint) {
    var sent = ofRequest.get(key);
    if (sent != null) {
      log.perform(each -> each.requireSame(fingerprint, sent));
    }
  }

  private OwnCall call(
      Key key,
      CallName name,
      LoggedCall call,
      CallMethod method,
      boolean isToSend,
      boolean isAwaited,
      @Nullable LoggedOutcome known) {
    if (!isAwaited) {
      return new OwnCall(this, key, name, call, method.toString(), isToSend, null);
    }
    if (known != null) {
      open.remove(key);
      var ended = content.outcome(known);
      return new OwnCall(this, key, name, call, method.toString(), isToSend, ended);
    }
    var sent = open.get(key);
    if (sent != null) {
      sent.isMadeAgain();
      return sent;
    }
    var own = new OwnCall(this, key, name, call, method.toString(), isToSend, null);
    open.put(key, own);
    return own;
  }

  /** Records that the object is new, and has not made calls in another process. */
  void born() {
    isComplete = true;
  }

  /**
   * Returns whether a call may have failed only because the node of the object has left its grid:
   * another node is lost to it, or an object of this node has ended whose journal another node has.
   * The object is, or will be, made again elsewhere, and makes the call again there.
   */
  boolean isCutOff(Outcome<Object> outcome) {
    return outcome instanceof Outcome.Failure<Object> && isCutOff();
  }

  /** Returns whether the node of the object has left the grid in which it was created. */
  boolean isCutOff() {
    return wasInGrid && !images.isInGrid();
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

  /** Returns whether the request that is served has called other objects, or has their answers. */
  boolean hasCalled() {
    return !ofRequest.isEmpty() || !logged.isEmpty() || !open.isEmpty();
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

  /** Accounts for an image, behind which no call to objects that are lost with it is made again. */
  void forgetSent() {
    log.tryPerform(
        each -> near.forEach(target -> each.taken(target, triedUpTo.getOrDefault(target, 0L))));
  }

  /** Handles the news that an object will not need calls up to a number again. */
  void taken(ObjectIdentity object, long upTo) {
    log.tryPerform(each -> each.taken(object, upTo));
  }

  // Calls that an image has

  /** Adds calls that an image has, and that their objects may not have. */
  void sendAgain(ObjectIdentity target, List<NumberedCall<LoggedCall>> calls) {
    calls.forEach(each -> fromImage.add(new FromImage(target, each)));
  }

  /** Sends the calls again that an image has, before any other call. */
  void sendAgain() {
    for (FromImage next; (next = fromImage.poll()) != null; ) {
      var isSent = next.call().number() <= triedUpTo.getOrDefault(next.target(), 0L);
      if (!isSent && next.call().call().content().length > 0) {
        send(next);
      }
    }
  }

  private void send(FromImage next) {
    var values = content.sent(next.call().call());
    var number = next.call().number();
    var name = new CallName(origin, number, next.call().after(), 0);
    NodeObjects.of(body)
        .calls()
        .sendAgain(
            (Reference<?>) values[0],
            next.call().call().method(),
            Arrays.copyOfRange(values, 1, values.length),
            name,
            body);
    triedUpTo.merge(next.target(), number, Math::max);
    sentUpTo.merge(next.target(), number, Math::max);
  }

  /** Passes the answers of all calls to the callers with a result of an object that has ended. */
  void close() {
    open.values().forEach(OwnCall::pass);
  }
}
