package org.troupe.activeobjects.internal.keeping;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.NamedReply;
import org.troupe.activeobjects.internal.body.ReplyTo;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallNumberRanges;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.internal.replay.LoggedObject;
import org.troupe.futures.Outcome;

/** The callers that number their calls to one logged object, so that each call is served once. */
final class NumberedCallers {

  /*
   * Design: from a caller to the log, and back
   *
   * The queue of the object may contain a call twice, or before an earlier one, since its caller has sent it again
   * after a loss. This is found out when the turn of the call has come, on the thread that serves: a duplicate is answered from
   * the answers that the caller may still need; an early call waits here, outside the queue, as it would in it. None is
   * refused, since all later calls of its caller would then wait for the number of that one.
   *
   * The answer of a call is kept (LoggedReply) until the caller has said that it needs it no more. Until it is
   * there, which may be long after the end of the request if it is a future, no image is made, because the image could
   * not contain it.
   *
   * Calls are reported as taken when their requests have ended, and are stable: after 64 of them, or 10 ms.
   */

  private static final int MOST_UNREPORTED = 64;
  private static final int MOST_RANGES = 1_000; // of numbers of one origin
  private static final long REPORT_MILLIS = 10;

  /** The sender of calls whose callers are on nodes that this embodiment has not heard of. */
  private static final NamedReply.Sender UNKNOWN = (object, origin, first, last) -> {};

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private final Body body;
  private final EmbodiedLog log;
  private final LogContent content;
  private final LogLength length;
  private final Map<Key, LoggedReply> pending = new ConcurrentHashMap<>(); // without an answer
  private final Map<CallOrigin, NamedReply.Sender> senders = new ConcurrentHashMap<>();

  // accessed by the thread that serves
  private final Map<CallOrigin, TreeMap<Long, CallRequest>> early = new HashMap<>();
  private final Map<CallOrigin, Long> gone = new HashMap<>(); // by the requests served until then
  private final Set<CallOrigin> told = new HashSet<>(); // whose journals were put back
  private final Map<CallOrigin, CallNumberRanges> takenAgain = new HashMap<>(); // see isReused
  private int unreported;

  private final Map<CallOrigin, Long> ended = new ConcurrentHashMap<>(); // by their last calls

  private volatile boolean isToReport; // whether the timer will

  private record Key(CallOrigin origin, long number) {
    Key(CallName name) {
      this(name.origin(), name.number());
    }
  }

  NumberedCallers(Body body, EmbodiedLog log, LogContent content, LogLength length) {
    this.body = body;
    this.log = log;
    this.content = content;
    this.length = length;
  }

  /** Returns the name of a request; {@code null} if its caller does not number its calls. */
  static @Nullable CallName nameOf(CallRequest request) {
    return request.receiver() instanceof NamedReply named ? named.name() : null;
  }

  /**
   * Handles the turn of a request.
   *
   * @param isFresh whether the request has not been here before
   * @return whether it is to be taken now
   */
  boolean arrived(CallRequest request, boolean isFresh) {
    if (!(request.receiver() instanceof NamedReply named)) {
      return true;
    }
    var name = named.name();
    senders.put(name.origin(), named.sender());
    var arrival = new LoggedObject.Arrival[] {LoggedObject.Arrival.NEXT};
    log.tryPerform(each -> arrival[0] = each.arrival(name)); // if it has stopped, the request waits
    return switch (arrival[0]) {
      case NEXT -> {
        notesTaken(name);
        yield true;
      }
      case DUPLICATE -> {
        if (isFresh && isReused(name)) {
          refuse(request, name, name.reused(request.method + " on " + body));
        } else {
          answerAgain(named);
        }
        reportLater();
        yield false;
      }
      case EARLY -> {
        waits(name, request);
        yield false;
      }
      case FORGOTTEN -> {
        refuse(request, name, name.forgotten(request.method + " on " + body));
        sendTaken(body.identityOfObject(), name.origin(), name.number()); // it will never be taken
        yield false;
      }
    };
  }

  private void notesTaken(CallName name) {
    if (name.isFirst() || name.origin() instanceof CallOrigin.Process) {
      return;
    }
    takenAgain
        .computeIfAbsent(name.origin(), each -> new CallNumberRanges(MOST_RANGES))
        .add(name.number());
  }

  /**
   * Returns whether a call that was taken before has another content now. The former node of a
   * caller that has moved, or was lost, may have sent the same call for the first time, and its
   * message may be slower than those of the next node: that of the call, which it sends again, and
   * those of later calls.
   */
  private boolean isReused(CallName name) {
    if (!name.isFirst()) {
      return false;
    }
    var again = takenAgain.get(name.origin());
    return again == null || !again.remove(name.number());
  }

  /** Refuses a call that does not fit into the log, and says so. */
  private void refuse(CallRequest request, CallName name, IllegalStateException why) {
    if (told.add(name.origin())) {
      LOG.log(Level.WARNING, why.getMessage());
    }
    request.failAgain(body, why);
  }

  private void waits(CallName name, CallRequest request) {
    early.computeIfAbsent(name.origin(), each -> new TreeMap<>()).put(name.number(), request);
  }

  /** Returns an early request that is the next one by now, or {@code null}. */
  @Nullable CallRequest released() {
    if (early.isEmpty()) {
      return null;
    }
    for (var ofOrigin : early.values()) {
      while (!ofOrigin.isEmpty()) {
        var first = ofOrigin.firstEntry();
        var name = nameOf(first.getValue());
        if (name != null && !isDue(name)) {
          break;
        }
        ofOrigin.remove(first.getKey());
        if (arrived(first.getValue(), false)) {
          return first.getValue();
        }
      }
    }
    early.values().removeIf(TreeMap::isEmpty);
    return null;
  }

  private boolean isDue(CallName name) {
    var arrival = new LoggedObject.Arrival[] {LoggedObject.Arrival.EARLY};
    log.tryPerform(each -> arrival[0] = each.arrival(name));
    return arrival[0] != LoggedObject.Arrival.EARLY;
  }

  private void answerAgain(NamedReply named) {
    var again = named.receiver();
    if (again == null) {
      return;
    }
    if (!named.isOneWay()) {
      var waiting = pending.get(new Key(named.name()));
      if (waiting != null && waiting.adds(again)) {
        return;
      }
      answer(named.name(), again);
    }
    again.served();
  }

  private void answer(CallName name, ReplyTo again) {
    var kept = new LoggedOutcome[1];
    log.tryPerform(each -> kept[0] = each.keptAnswer(name.origin(), name.number()));
    if (kept[0] == null) {
      again.threw(
          new IllegalStateException(
              "the answer to call %d of %s is not kept any more"
                  .formatted(name.number(), name.origin())));
      return;
    }
    switch (content.outcome(kept[0])) {
      case Outcome.Success<Object>(Object value) -> again.returned(value);
      case Outcome.Failure<Object>(Throwable cause) -> again.threw(cause);
      case Outcome.Encoded<Object> encoded -> throw new AssertionError(encoded);
    }
  }

  /** Lets a request that is taken be answered by way of the kept answers. */
  void taken(CallRequest request) {
    if (!(request.receiver() instanceof NamedReply named)) {
      return; // its caller awaits no report
    }
    unreported++;
    if (!(named instanceof LoggedReply) && !named.isOneWay()) {
      request.replyTo(reply(named.name(), named.sender(), named.receiver()));
    }
  }

  /**
   * Returns the receiver of the answer to a call of the log whose caller numbers its calls; {@code
   * null} if the caller does not.
   */
  @Nullable LoggedReply replayed(CallOrigin origin, long number) {
    return origin instanceof CallOrigin.Near
        ? null
        : reply(new CallName(origin, number, 0, 0), UNKNOWN, null);
  }

  private LoggedReply reply(CallName name, NamedReply.Sender sender, @Nullable ReplyTo receiver) {
    return pending.computeIfAbsent(
        new Key(name), each -> new LoggedReply(this, name, sender, receiver));
  }

  /** Keeps an answer, which every embodiment gives anew. */
  void answered(LoggedReply reply, Outcome<Object> outcome) {
    var logged = content.outcome(outcome).logged();
    var name = reply.name();
    length.addValue(logged.content().length);
    log.tryPerform(each -> each.keepAnswer(name.origin(), name.number(), logged));
    pending.remove(new Key(name), reply);
  }

  /** Returns whether an answer is not known yet although its request may have ended. */
  boolean awaitsAnswers() {
    return !pending.isEmpty();
  }

  /** Handles the news that a caller needs no answers up to a number, or has ended with it. */
  void settled(CallOrigin origin, long upTo) {
    if (origin instanceof CallOrigin.Logged) { // which says the former with its next call
      ended.put(origin, upTo);
    } else {
      log.tryPerform(each -> each.settled(origin, upTo));
    }
  }

  // Ends of callers

  /**
   * Forgets the callers that have ended; called at a safe point, at which no answer is awaited.
   *
   * <p>Requests of a node may still be in the queue when its end is noticed. It is forgotten when
   * as many requests have been served as were queued then. Of a logged caller whose node has told
   * its last call nothing can arrive any more (CallerEnds), unless that call was not taken.
   */
  void forgetGone(Predicate<NodeId> isGone) {
    log.tryPerform(
        each -> {
          ended.forEach(
              (origin, last) -> {
                if (each.endsWith(origin, last)) {
                  forget(each, origin);
                }
                ended.remove(origin, last);
              });
          for (var origin : each.callers()) {
            if (origin instanceof CallOrigin.Process(NodeId node) && isGone.test(node)) {
              var due = gone.computeIfAbsent(origin, first -> each.ordinal() + body.queued());
              if (!body.hasQueued() || each.ordinal() >= due) {
                forget(each, origin);
              }
            }
          }
        });
  }

  private void forget(LoggedObject<LoggedCall, LoggedOutcome> object, CallOrigin origin) {
    object.forget(origin);
    gone.remove(origin);
    takenAgain.remove(origin);
    told.remove(origin);
    senders.remove(origin);
    var waiting = early.remove(origin); // the calls before them were lost with the node
    if (waiting != null) {
      waiting.values().forEach(each -> each.refuse(body));
    }
  }

  /**
   * Prepares the departure of the object, at a safe point: requests that wait here return to the
   * queue, which follows the object, and callers learn from this node which calls it has taken.
   */
  void departs() {
    for (var ofOrigin : early.values()) {
      ofOrigin.values().forEach(body::put);
    }
    early.clear();
    report();
  }

  // Reports

  /** Lets callers know which calls were taken, when these are stable. */
  void stable() {
    if (unreported > 0) {
      reportLater();
    }
  }

  private void reportLater() {
    if (unreported >= MOST_UNREPORTED) {
      report();
    } else if (!isToReport) {
      isToReport = true;
      NodeObjects.of(body)
          .timer()
          .schedule(
              () -> {
                isToReport = false;
                report();
              },
              REPORT_MILLIS,
              TimeUnit.MILLISECONDS);
    }
  }

  private void report() {
    unreported = 0; // a race only delays or repeats a report
    log.tryPerform(LoggedObject::report);
  }

  /** Sends a report, on a thread that holds no lock of the object. */
  void sendTaken(ObjectIdentity object, CallOrigin origin, long upTo) {
    var sender = senders.get(origin);
    if (sender != null) {
      Thread.startVirtualThread(
          () -> {
            log.awaitRelease();
            sender.taken(object, origin, 0, upTo);
          });
    }
  }

  /** Refuses the requests that wait for earlier ones of an object that has ended. */
  void close() {
    for (var ofOrigin : early.values()) {
      ofOrigin.values().forEach(each -> each.refuseAtEnd(body));
    }
    early.clear();
  }
}
