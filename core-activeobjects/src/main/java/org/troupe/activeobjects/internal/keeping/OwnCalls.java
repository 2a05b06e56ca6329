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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.RequestDroppedException;
import org.troupe.activeobjects.internal.body.CallLog;
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
   * Within a process, a call of the object is sent once, by the first embodiment that makes it: 'made' counts the calls that this
   * process has made. A call that could not be sent, for its arguments cannot be encoded, leaves no gap for its object:
   * the next one names the one before it, as the log says. A later embodiment that makes the call again finds its end in the log, or waits for
   * the result of the call that was sent (OwnCall). Its account gets the content of the call again, which another process
   * or a lost queue may need. An embodiment in another process sends all calls again that the log
   * has no end of, under their names, and those of its image, and of requests that were set aside, of which it is not known
   * that they were taken.
   *
   * The answer of a call that the object waits for is logged by the thread that serves. Every other answer is logged by a
   * thread of its own, before the object can see it: the object has a result that arrives after that. Neither
   * thread reads frames for others.
   *
   * A request that the log does not have, since the log has failed, may make other calls when it is served again. But
   * its calls have left the object, so a different call with the number of one of them ends the object.
   */

  final LoggedBody body;
  final EmbodiedLog log;
  final LogContent content;
  final LogLength length;
  final MembershipCheck membership;
  private final ImageCodec images;

  /** The calls that were sent, and whose ends are not stable in the log. */
  private final Map<Key, OwnCall> open = new ConcurrentHashMap<>();

  private final Queue<OwnCall> logged = new ConcurrentLinkedQueue<>(); // of these, ended in the log

  // accessed by the thread that serves
  private long made; // by this process, or by others before it, among all calls of the object
  private final Map<Long, SentCall> ofRequest = new HashMap<>(); // that is served, by ordinals
  private final Set<Key> unsent = new HashSet<>(); // of that request

  private final Queue<KeptCall> toSendAgain = new ArrayDeque<>();

  private final CallOrigin origin;

  private boolean isComplete; // whether this process has made all calls of the object

  /** A call that is not made again, and that its object may not have. */
  private record KeptCall(ObjectIdentity target, NumberedCall<LoggedCall> call) {}

  /** The name of a call among all calls of the object. */
  record Key(ObjectIdentity target, long number) {}

  private record SentCall(Key key, CallFingerprint fingerprint) {}

  OwnCalls(
      LoggedBody body,
      ObjectIdentity identity,
      EmbodiedLog log,
      LogContent content,
      LogLength length,
      ImageCodec images,
      MembershipCheck membership) {
    this.origin = new CallOrigin.Logged(identity);
    this.body = body;
    this.log = log;
    this.content = content;
    this.length = length;
    this.images = images;
    this.membership = membership;
  }

  /**
   * Accounts for a call of the request that is served.
   *
   * @param copying copies the call, which another process may send again; {@code null} if none will
   */
  OwnCall called(
      ObjectIdentity target,
      CallMethod method,
      Object[] arguments,
      boolean isAwaited,
      @Nullable Supplier<Supplier<Object[]>> copying) {
    log.awaitInput();
    var digest = method.symbol().hashCode() * 31L;
    for (var each : arguments) {
      digest = digest * 31 + LogContent.digest(each);
    }
    var fingerprint = new CallFingerprint(method.toString(), digest);
    var call = LoggedCall.made(method.symbol());
    if (copying != null && counted() < made) {
      keepsContent(call, copying);
    }
    var answer = new ArrayList<LoggedObject.Made<LoggedOutcome>>(1);
    var isFirst = new boolean[1];
    log.perform(
        each -> {
          var its = each.call(target, call, fingerprint, isAwaited);
          if (copying == null) {
            each.unnamed(target, its.number());
          }
          answer.add(its);
          isFirst[0] = each.isBegunFirst();
        });
    log.awaitRelease(); // the call says which answers are not needed, also those logged meanwhile
    var next = answer.getFirst();
    var ordinal = next.ordinal();
    var number = next.number();
    var key = new Key(target, number);
    var isToSend = next.isToSend() && ordinal > made;
    if (!isToSend) {
      requireSame(ordinal, key, fingerprint);
      if (unsent.contains(key)) {
        notSent(key, next.after()); // the log may lack that
      }
    } else if (isComplete) {
      log.perform(each -> each.requireFirst("called " + method));
    }
    var name = new CallName(origin, number, next.after(), next.settled(), next.taken(), isFirst[0]);
    var logged =
        next.isUnsent() && isAwaited && next.logged() == null && !open.containsKey(key)
            ? endsUnsent(key, method)
            : next.logged();
    var own = call(key, name, call, fingerprint, isToSend, isAwaited, logged);
    made = Math.max(made, ordinal); // last: nothing of this prevents the call from now on
    if (isToSend) {
      ofRequest.put(ordinal, new SentCall(key, fingerprint));
    }
    return own;
  }

  /**
   * Records the content of a call that this process has sent before, in the account of the present
   * embodiment, since the called object may still lack it. The content is there before the call is
   * in the account, where other threads find it.
   */
  private void keepsContent(LoggedCall call, Supplier<Supplier<Object[]>> copying) {
    Supplier<Object[]> copied;
    try {
      copied = copying.get();
    } catch (RuntimeException unencodable) { // so it was not sent before, either
      return;
    }
    call.sends(copied, content);
  }

  /** Handles a call that could not be sent. */
  void notSent(Key key, long after) {
    unsent.add(key);
    log.perform(each -> each.notSent(key.target(), key.number(), after));
  }

  /**
   * Ends a call that another process could not send, and whose end that has not logged.
   *
   * @return the end
   */
  private LoggedOutcome endsUnsent(Key key, CallMethod method) {
    var failure =
        new RequestDroppedException(
            method
                + " was not sent. The reason is lost with the node of its caller; call again if it"
                + " is still to be served");
    var end = content.outcome(new Outcome.Failure<>(failure)).logged();
    log.perform(each -> each.endedHere(key.target(), key.number(), end));
    return end;
  }

  /** Checks that a call equals the one in its place that has left the object. */
  private void requireSame(long ordinal, Key key, CallFingerprint fingerprint) {
    var sent = ofRequest.get(ordinal);
    if (sent != null) {
      log.perform(
          each -> each.requireSame(fingerprint, sent.fingerprint(), sent.key().equals(key)));
    }
  }

  private OwnCall call(
      Key key,
      CallName name,
      LoggedCall call,
      CallFingerprint fingerprint,
      boolean isToSend,
      boolean isAwaited,
      @Nullable LoggedOutcome known) {
    if (!isAwaited) {
      return new OwnCall(this, key, name, call, fingerprint.call(), isToSend, null);
    }
    if (known != null) {
      open.remove(key);
      var ended = content.outcome(known);
      return new OwnCall(this, key, name, call, fingerprint.call(), isToSend, ended);
    }
    var sent = open.get(key);
    if (sent != null) {
      sent.isMadeAgain();
      return sent;
    }
    if (!isToSend) {
      log.perform(each -> each.isDifferent(fingerprint));
    }
    var own = new OwnCall(this, key, name, call, fingerprint.call(), isToSend, null);
    open.put(key, own);
    return own;
  }

  /** Records that the object is new, and has not made calls in another process. */
  void born() {
    isComplete = true;
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
    unsent.clear();
  }

  /** Forgets which calls the log of a former embodiment has, which may have lost some of them. */
  void restart() {
    logged.clear();
    toSendAgain.clear(); // of an attempt that has failed
  }

  /** Handles the answers that have arrived while the object was made again. */
  void madeAgain() {
    open.values().forEach(OwnCall::endIfArrived);
  }

  /**
   * Accounts for an image: this process makes none of the calls before it again. Those to objects
   * that are lost for good are not sent again either, unless the grid ends, for the next run has
   * these objects. Since the coordinator has to be asked for that, a later image leaves them out.
   */
  void passesImage() {
    List<ObjectIdentity> others = new ArrayList<>();
    Set<ObjectIdentity> lost = new HashSet<>();
    log.tryPerform(
        each -> {
          made = Math.max(made, each.counted());
          each.forgetUntaken(
              target -> {
                (images.isLost(target) ? lost : others).add(target);
                return false;
              });
        });
    if (!lost.isEmpty()) {
      Thread.startVirtualThread(() -> forgetUntaken(lost));
    }
    others.forEach(this::findLoss);
  }

  private void findLoss(ObjectIdentity target) {
    var loss = images.findLoss(target);
    if (loss != null) {
      loss.thenAcceptAsync(
          isLost -> {
            if (isLost) {
              forgetUntaken(Set.of(target));
            }
          },
          Thread::startVirtualThread);
    }
  }

  private void forgetUntaken(Set<ObjectIdentity> lost) {
    if (images.isInLastingGrid()) {
      log.tryPerform(each -> each.forgetUntaken(lost::contains));
    }
  }

  /**
   * Returns the last call to each object that was called, when the object has ended; nothing if not
   * all calls are known that have left it.
   */
  Map<ObjectIdentity, LoggedObject.LastCall> lastCalls() {
    Map<ObjectIdentity, LoggedObject.LastCall> all = new HashMap<>();
    log.tryPerform(
        each -> {
          if (made <= each.counted()) { // else the log has lost the request that made the others
            all.putAll(each.lastCalls());
          }
        });
    return all;
  }

  /**
   * Handles the news that an object will not need calls in a range again.
   *
   * @param first the number of the first one; 0 for all up to the last
   */
  void taken(ObjectIdentity object, long first, long last) {
    log.tryPerform(
        each -> {
          if (first == 0) {
            each.taken(object, last);
          } else {
            each.takenBehind(object, first, last);
          }
        });
  }

  /** Returns the objects that may lack calls. */
  List<ObjectIdentity> lacking() {
    List<ObjectIdentity> all = new ArrayList<>();
    log.tryPerform(each -> all.addAll(each.lacking()));
    return all;
  }

  /**
   * Returns the calls to an object that were sent, and that it may lack, in order. The answer of
   * each goes to the result that awaits it.
   */
  List<CallLog.Untaken> untaken(ObjectIdentity target) {
    List<NumberedCall<LoggedCall>> calls = new ArrayList<>();
    log.tryPerform(each -> calls.addAll(each.untaken(target)));
    List<CallLog.Untaken> all = new ArrayList<>();
    for (var each : calls) {
      var parts = each.call().parts(content);
      if (parts != null) { // else the thread that serves is about to send it, behind the others
        var name = new CallName(origin, each.number(), each.after(), 0);
        var own = open.get(new Key(target, each.number()));
        var receiver = own == null ? null : own.receiver();
        all.add(new CallLog.Untaken(name, each.call().method(), parts, receiver));
      }
    }
    return all;
  }

  // Calls that are not made again

  /** Adds calls that an image has, and that their objects may not have. */
  void addFromImage(ObjectIdentity target, List<NumberedCall<LoggedCall>> calls) {
    calls.forEach(each -> toSendAgain.add(new KeptCall(target, each)));
  }

  /**
   * Adds a call of a request that was set aside, which its object may not have.
   *
   * @param before how many calls the object had made before that request
   */
  void addSetAside(ObjectIdentity target, NumberedCall<LoggedCall> call, long before) {
    if (made <= before) { // else this process has served the request
      toSendAgain.add(new KeptCall(target, call));
    }
  }

  /** Sends the calls again that were added from an image, before any other call. */
  void sendThoseOfImage() {
    if (made >= counted()) { // this process has made them
      toSendAgain.clear();
    }
    sendAgain();
  }

  /** Sends the calls again that were added. */
  void sendAgain() {
    if (toSendAgain.isEmpty()) {
      return;
    }
    for (KeptCall next; (next = toSendAgain.poll()) != null; ) {
      if (next.call().call().content().length > 0) {
        send(next);
      }
    }
    made = Math.max(made, counted());
  }

  private long counted() {
    var counted = new long[1];
    log.perform(each -> counted[0] = each.counted());
    return counted[0];
  }

  private void send(KeptCall next) {
    var symbol = next.call().call().method();
    var values = content.sent(next.call().call());
    var target = (Reference<?>) values[0];
    var number = next.call().number();
    var name = new CallName(origin, number, next.call().after(), 0);
    try {
      NodeObjects.of(body)
          .calls()
          .sendAgain(target, symbol, Arrays.copyOfRange(values, 1, values.length), name, body);
    } catch (NodeLostException lost) {
      if (membership.isCutOff(lost)) { // it is sent again elsewhere, or in the next run
        throw log.cutOff();
      }
      var call = target.method(symbol) + " on node '" + target.nodeName() + "'";
      body.node().failures().report(null, call, lost);
    }
  }

  /** Passes the answers of all calls to the callers with a result of an object that has ended. */
  void close() {
    open.values().forEach(OwnCall::pass);
  }
}
