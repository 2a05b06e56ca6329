package org.troupe.activeobjects.internal.peer;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.NamedReply;
import org.troupe.activeobjects.internal.body.ReplyTo;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallNumberRanges;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/**
 * The calls that logged objects of other nodes have made to objects of this node that have no log:
 * each is served once as long as this node lives. Thread-safe.
 */
final class NumberedRequests {

  /*
   * Design: duplicates at objects without a log
   *
   * A logged object that is made again on another node sends each call again of whose end its log does not know. The
   * called object has no log, so its node remembers for each origin and object the highest number that has arrived,
   * and the outcomes that the origin may still ask for. A call with a lower number is a duplicate. The numbers of
   * an origin arrive in order, since the routes to an object keep the order of its senders. A call that arrives by two links, as
   * its origin has moved, counts where it is taken first; so it is taken and queued in one step.
   *
   * The account of an object that moves goes along. The calls in its queue, which follow it, have arrived already: the next
   * node takes each of them once, though their numbers are not new. So it does with the numbers that a call skips whose
   * predecessor was lost on its way. Until they arrive, no call from the first of them on is reported as taken, so that the origin
   * keeps them. A gap behind which many calls have arrived counts as lost for good, since the origin cannot keep
   * all later calls for ever.
   *
   * A call is reported as taken when it was served, not when it is queued. A queue may have to follow its object, and is
   * lost if this node is lost between the grant of the move and the departure of the queue; but a report cannot be taken
   * back when a move begins. The origin keeps the calls in the queue, whose memory is bounded. A report names the number up to
   * which all calls were served. Behind a call that stays unserved, as a service loop passes it over, ranges of served calls are reported
   * as well, as soon as the highest number is 1,000 above that one: the origin would keep all later calls. Each is reported once, and anew if
   * a call in it arrives again, as its origin does not know then that it was served.
   *
   * The accounts of an object are forgotten when it ends, and their memory is bounded. The account that has been used least recently goes first, and so do the oldest
   * outcomes; a duplicate of a call without an outcome fails.
   */

  private static final int MOST_ACCOUNTS = 100_000;
  private static final int MOST_OUTCOMES = 10_000; // of one origin and object
  private static final int MOST_RANGES = 1_000; // of numbers, of one origin and object
  private static final int MOST_UNREPORTED = 64;
  private static final long REPORT_MILLIS = 10;
  private static final int ORDERS = 64;

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private final NodeObjects node;

  // guarded by this
  private final Map<Key, Account> accounts = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Key, Account> unreported = new HashMap<>();
  private final Set<Long> watched = new HashSet<>(); // the objects that may have accounts
  private boolean isToReport;

  /** Held while a call is taken and queued; by the called objects. */
  private final List<Object> orders = Stream.generate(Object::new).limit(ORDERS).toList();

  private record Key(CallOrigin origin, long target) {}

  private static final class Account {
    final ArrivedNumbers numbers = new ArrivedNumbers();
    int unreported;
    boolean isTold; // that the journal of the origin was put back
    NamedReply.@Nullable Sender sender;
    @Nullable ObjectIdentity object;

    /**
     * Calls that were taken when they were sent again; their first messages may come later, from a
     * former node.
     */
    final CallNumberRanges takenAgain = new CallNumberRanges(MOST_RANGES);

    final TreeMap<Long, Remembered> outcomes = new TreeMap<>(); // by the numbers of the calls
  }

  NumberedRequests(NodeObjects node) {
    this.node = node;
  }

  /**
   * Runs an action that takes a call and queues it, in one step. The links of two nodes may bring
   * the same calls of an object that has moved. A thread must not queue a later call before another
   * thread queues the earlier one that it has taken.
   */
  void inOrder(Body body, Runnable action) {
    synchronized (orders.get(Math.floorMod(body.number(), ORDERS))) {
      action.run();
    }
  }

  /**
   * Takes a call.
   *
   * @param object the identity of the called object
   * @param body of the called object
   * @param request not queued yet
   * @return whether it is to be queued; else it has been served before, and is answered here
   */
  boolean take(
      CallName name,
      ObjectIdentity object,
      Body body,
      NamedReply.Sender sender,
      CallRequest request) {
    var key = new Key(name.origin(), body.number());
    var receiver = request.receiver();
    Remembered known;
    boolean isNew;
    var isReused = false;
    var isToTell = false;
    synchronized (this) {
      var account = account(key);
      account.sender = sender;
      account.object = object;
      isNew = account.numbers.arrives(name);
      isReused = !isNew && name.isFirst() && !account.takenAgain.remove(name.number());
      isToTell = isReused && !account.isTold;
      account.isTold |= isReused;
      if (isNew && !name.isFirst() && name.origin() instanceof CallOrigin.Logged) {
        account.takenAgain.add(name.number());
      }
      account.outcomes.headMap(name.settled(), true).clear();
      known = account.outcomes.get(name.number());
      if (!isNew) {
        unreported(key, account); // the origin does not know that it was taken
      } else if (request.isOneWay()) {
        request.replyTo(new Queued(name, sender, receiver, key, account)); // it is served anyway
      } else {
        var remembered = new Remembered(name, sender, receiver, key, account);
        remember(account, name.number(), remembered);
        request.replyTo(remembered);
      }
    }
    watch(body);
    if (isReused) {
      var why = name.reused(request.method.toString());
      if (isToTell) {
        LOG.log(Level.WARNING, why.getMessage());
      }
      if (receiver != null) {
        receiver.threw(why);
        receiver.served();
      }
    } else if (!isNew && receiver != null) {
      answerAgain(request, receiver, known);
    }
    return isNew;
  }

  /**
   * Accounts for a call that was refused without a place in the queue. Its origin does not send it
   * again, and need not keep the later ones.
   */
  void takeRefused(CallName name, ObjectIdentity object, Body body, NamedReply.Sender sender) {
    var key = new Key(name.origin(), body.number());
    synchronized (this) {
      if (body.hasLeft()) {
        return; // with its accounts
      }
      var account = account(key);
      account.sender = sender;
      account.object = object;
      account.numbers.isRefused(name);
      unreported(key, account);
    }
    watch(body);
  }

  private static void answerAgain(
      CallRequest request, ReplyTo receiver, @Nullable Remembered known) {
    if (request.isOneWay()) {
      receiver.served();
    } else if (known != null) {
      known.add(receiver);
    } else {
      receiver.threw(
          new IllegalStateException(
              request.method
                  + " was served before, and its answer is not known any more; at most "
                  + MOST_OUTCOMES
                  + " answers are kept for a caller"));
    }
  }

  private Account account(Key key) {
    var known = accounts.computeIfAbsent(key, each -> new Account());
    if (accounts.size() > MOST_ACCOUNTS) {
      removeFirst(accounts.keySet().iterator());
    }
    return known;
  }

  private static void remember(Account account, long number, Remembered outcome) {
    account.outcomes.put(number, outcome);
    if (account.outcomes.size() > MOST_OUTCOMES) {
      account.outcomes.pollFirstEntry();
    }
  }

  private static void removeFirst(Iterator<?> each) {
    each.next();
    each.remove();
  }

  // Moves

  /** Returns the accounts of the callers of an object, at a safe point. */
  List<CallerAccount> accountsOf(long target) {
    Map<Key, Account> its = new LinkedHashMap<>();
    List<CallerAccount> all = new ArrayList<>();
    synchronized (this) {
      accounts.forEach(
          (key, account) -> {
            if (key.target() == target) {
              its.put(key, account);
            }
          });
    }
    its.forEach((key, account) -> all.add(accountOf(key.origin(), account)));
    return all;
  }

  private CallerAccount accountOf(CallOrigin origin, Account account) {
    long highest;
    long[] missing;
    long[] again;
    Map<Long, Remembered> known;
    synchronized (this) {
      highest = account.numbers.highest();
      missing = account.numbers.outstanding();
      again = account.takenAgain.ranges();
      known = new LinkedHashMap<>(account.outcomes);
      known.keySet().removeIf(account.numbers::isUnserved);
    }
    List<CallerAccount.KeptOutcome> outcomes = new ArrayList<>();
    known.forEach((number, each) -> outcomes.add(each.kept(number)));
    return new CallerAccount(origin, highest, missing, again, outcomes);
  }

  /** Takes over the accounts of an object that is about to arrive. */
  void adopt(Body body, List<CallerAccount> its) {
    if (!its.isEmpty()) {
      adopt(body.number(), its);
      watch(body);
    }
  }

  private synchronized void adopt(long target, List<CallerAccount> its) {
    for (var each : its) {
      var key = new Key(each.origin(), target);
      var account = account(key);
      account.numbers.adopt(each.highest(), each.missing());
      account.takenAgain.addRanges(each.takenAgain());
      for (var outcome : each.outcomes()) {
        var name = new CallName(each.origin(), outcome.number(), 0, 0);
        var remembered =
            new Remembered(name, (object, origin, first, last) -> {}, null, key, account);
        remembered.settle(outcome);
        remember(account, outcome.number(), remembered);
      }
    }
  }

  /** Forgets the accounts of an object that has left, or has ended. */
  synchronized void forget(long target) {
    if (watched.remove(target)) {
      accounts.keySet().removeIf(each -> each.target() == target);
    }
  }

  /** Lets the accounts of an object be forgotten when it ends. */
  private void watch(Body body) {
    var number = body.number();
    synchronized (this) {
      if (!watched.add(number)) {
        return;
      }
    }
    body.beforeEnd(end -> forget(number));
    if (body.hasEnded()) { // just now
      forget(number);
    }
  }

  private synchronized void served(Key key, Account account, long number) {
    if (account.numbers.isServed(number)) {
      unreported(key, account);
    }
  }

  // Reports

  /** Lets a report be sent, on a thread that does not serve the object: a caller may log it. */
  private void unreported(Key key, Account account) {
    unreported.put(key, account);
    if (++account.unreported == MOST_UNREPORTED) {
      Thread.startVirtualThread(this::report);
    } else if (!isToReport) {
      isToReport = true;
      node.timer().schedule(this::reportLate, REPORT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void reportLate() {
    synchronized (this) {
      isToReport = false;
    }
    // The timer also sends heartbeats, and a caller on this node writes its journal.
    Thread.startVirtualThread(this::report);
  }

  private void report() {
    List<Runnable> reports;
    synchronized (this) {
      reports = reports();
    }
    for (var each : reports) {
      try {
        each.run();
      } catch (RuntimeException | Error failure) { // concerns this caller only
        node.failures().background("a report of calls that were served", failure);
      }
    }
  }

  private List<Runnable> reports() {
    List<Runnable> reports = new ArrayList<>();
    unreported.forEach(
        (key, account) -> {
          account.unreported = 0;
          var sender = account.sender;
          var object = account.object;
          var upTo = account.numbers.taken();
          if (sender != null && object != null) {
            reports.add(() -> sender.taken(object, key.origin(), 0, upTo));
            for (var each : account.numbers.takeBehind(upTo)) {
              reports.add(() -> sender.taken(object, key.origin(), each.first(), each.last()));
            }
          }
        });
    unreported.clear();
    return reports;
  }

  /** Receives the news that a call was served. */
  private class Queued extends NamedReply {
    private final Key key;
    private final Account account;

    Queued(CallName name, Sender sender, @Nullable ReplyTo receiver, Key key, Account account) {
      super(name, sender, receiver);
      this.key = key;
      this.account = account;
    }

    @Override
    public void served() {
      NumberedRequests.this.served(key, account, name().number());
      super.served();
    }
  }

  /** Receives an outcome, and keeps it for callers that ask for it again. */
  private final class Remembered extends Queued {
    // guarded by this
    private final List<ReplyTo> receivers = new ArrayList<>(1);
    private @Nullable FutureResult<?> delegate;
    private @Nullable Outcome<Object> outcome;

    Remembered(CallName name, Sender sender, @Nullable ReplyTo receiver, Key key, Account account) {
      super(name, sender, receiver, key, account);
      if (receiver != null) {
        receivers.add(receiver);
      }
    }

    /** Returns the outcome as it travels; if it is not there, a future of it. */
    CallerAccount.KeptOutcome kept(long number) {
      Outcome<Object> known;
      FutureResult<?> awaited;
      synchronized (this) {
        known = outcome;
        awaited = delegate;
      }
      if (known == null) {
        var future = awaited == null ? null : awaited.asCompletableFuture();
        return new CallerAccount.KeptOutcome(number, future, null);
      }
      return switch (known.settled()) {
        case Outcome.Success<Object>(Object value) ->
            new CallerAccount.KeptOutcome(number, value, null);
        case Outcome.Failure<Object>(Throwable cause) ->
            new CallerAccount.KeptOutcome(number, null, portable(cause));
        case Outcome.Encoded<Object> encoded -> throw new AssertionError(encoded);
      };
    }

    /** Returns a failure that can travel. */
    private Throwable portable(Throwable cause) {
      try {
        node.marshaller().encode(cause);
        return cause;
      } catch (RuntimeException e) {
        return new RemoteFailure(
            cause.getClass().getName(), String.valueOf(cause.getMessage()), null);
      }
    }

    /** Takes over an outcome that has travelled. */
    void settle(CallerAccount.KeptOutcome kept) {
      if (kept.failure() != null) {
        threw(kept.failure());
      } else if (kept.value() instanceof CompletableFuture<?> owed) {
        owed.whenComplete(
            (value, failure) -> {
              if (failure == null) {
                returned(value);
              } else {
                threw(
                    failure instanceof CompletionException e && e.getCause() != null
                        ? e.getCause()
                        : failure);
              }
            });
      } else {
        returned(kept.value());
      }
    }

    void add(ReplyTo again) {
      Outcome<Object> known;
      synchronized (this) {
        known = outcome;
        if (known == null) {
          receivers.add(again);
          if (delegate != null) {
            again.delegated(delegate);
          }
        }
      }
      if (known != null) { // decoded on a thread that reads no frames
        Thread.startVirtualThread(() -> give(known, again));
      }
    }

    private void give(Outcome<Object> known, ReplyTo again) {
      switch (known.settled()) {
        case Outcome.Success<Object>(Object value) -> again.returned(value);
        case Outcome.Failure<Object>(Throwable cause) -> again.threw(cause);
        case Outcome.Encoded<Object> encoded -> throw new AssertionError(encoded);
      }
    }

    @Override
    public void returned(@Nullable Object value) {
      Outcome<Object> kept;
      try {
        kept = copy(value);
      } catch (RuntimeException | Error failure) {
        kept = new Outcome.Failure<>(failure);
      }
      settle(kept).forEach(each -> each.returned(value));
    }

    @SuppressWarnings("NullAway") // the value may be null
    private Outcome<Object> copy(@Nullable Object value) {
      var marshaller = node.marshaller();
      return marshaller.isShareable(value)
          ? new Outcome.Success<>(value)
          : marshaller.decodedLater(marshaller.encode(value));
    }

    @Override
    public void threw(Throwable cause) {
      settle(new Outcome.Failure<>(cause)).forEach(each -> each.threw(cause));
    }

    private synchronized List<ReplyTo> settle(Outcome<Object> its) {
      outcome = its;
      var all = List.copyOf(receivers);
      receivers.clear();
      return all;
    }

    @Override
    public void delegated(FutureResult<?> future) {
      List<ReplyTo> all;
      synchronized (this) {
        delegate = future;
        all = List.copyOf(receivers);
      }
      all.forEach(each -> each.delegated(future));
    }
  }
}
