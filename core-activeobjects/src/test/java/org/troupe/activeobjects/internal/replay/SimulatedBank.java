package org.troupe.activeobjects.internal.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.BankState.Served;
import org.troupe.activeobjects.internal.replay.ReplayExplorer.WithoutRule;

/**
 * The processes and objects of {@link ReplayExplorer}, the links between them, and the faults that
 * can happen.
 */
final class SimulatedBank {

  static final int CLIENT = 0;
  static final int HOST = 1;
  static final int OTHER_HOST = 2;
  static final int RATES_HOST = 3;
  static final int ENDING_CLIENT = 4;
  static final int NODES = 5;
  static final int COORDINATOR = 5;
  static final long FAILED = -1;
  static final long LOST = -2;
  static final long RATE = 7;

  static final ObjectIdentity TELLER = identity(1);
  static final ObjectIdentity ACCOUNT = identity(2);
  static final ObjectIdentity OTHER_ACCOUNT = identity(3);
  static final ObjectIdentity LEDGER = identity(4);
  static final ObjectIdentity RATES = identity(5);
  static final List<ObjectIdentity> LOGGED = List.of(TELLER, ACCOUNT, OTHER_ACCOUNT, LEDGER);

  private static final Comparator<List<Integer>> LINKS =
      Comparator.<List<Integer>>comparingInt(each -> each.getFirst())
          .thenComparingInt(each -> each.getLast());

  /** The sender of a message; the message tells where a logged object is that sends it. */
  record Sender(int node, @Nullable BankObject object, int epoch) {}

  private record Delivery(int life, Runnable action) {}

  final Random random;
  final WithoutRule without;
  final long mostBehind; // settled accounts that an object keeps
  final BankProcess[] processes = new BankProcess[NODES];
  final Map<ObjectIdentity, BankObject> objects = new LinkedHashMap<>();
  final RateQuotes rates = new RateQuotes(this);
  final Set<Served> setAside = new HashSet<>();
  private final Map<List<Integer>, Deque<Delivery>> links = new TreeMap<>(LINKS);
  boolean endingClientLives = true;
  long moved; // by transfers that failed afterwards
  boolean answersOfOthers;
  boolean unsentIsSent;
  private long externalEffects;

  SimulatedBank(long seed, WithoutRule without) {
    random = new Random(seed);
    this.without = without;
    mostBehind = 1 + seed % 4;
    for (var i = 0; i < NODES; i++) {
      processes[i] = new BankProcess(this, i);
    }
    for (var each : LOGGED) {
      objects.put(each, new BankObject(this, each, random.nextBoolean() ? HOST : OTHER_HOST));
    }
    for (var process : processes) {
      objects.forEach((identity, each) -> process.places.put(identity, each.home));
    }
  }

  private static ObjectIdentity identity(long number) {
    return new ObjectIdentity(new NodeId("birth", 99), "", number);
  }

  static CallOrigin process(int index) {
    return new CallOrigin.Process(new NodeId("n" + index, index));
  }

  // Records of the programs

  /** Has the effect of a request on the world outside, and returns its result. */
  long nextExternalEffect() {
    return ++externalEffects;
  }

  /** Records that a transfer failed. */
  void failed(TakenRequest<BankCall> request, boolean hasMoved) {
    setAside.add(new Served(request.origin(), request.number(), FAILED));
    if (hasMoved) {
      moved += request.call().amount();
    }
  }

  /** Records the rate that a transfer has obtained. */
  void obtained(long rate, long key) {
    answersOfOthers |= rate != LOST && rate != key * 10 + RATE;
  }

  // Links

  void post(int from, int to, Runnable action) {
    post(new Sender(from, null, 0), to, action);
  }

  void post(Sender from, int to, Runnable action) {
    if (from.node == RATES_HOST && !rates.isLive
        || from.node == ENDING_CLIENT && !endingClientLives) {
      return;
    }
    var life = from.node == COORDINATOR ? 0 : processes[from.node].life;
    Runnable delivered =
        () -> {
          if (from.object != null) {
            processes[to].hears(from.object, from.node, from.epoch);
          }
          action.run();
        };
    links
        .computeIfAbsent(List.of(from.node, to), _ -> new ArrayDeque<>())
        .add(new Delivery(life, delivered));
  }

  BankObject object(ObjectIdentity identity) {
    return Objects.requireNonNull(objects.get(identity), "a logged object");
  }

  /** Sends a message to a logged object where the sender believes it to be. */
  void postTo(ObjectIdentity target, Sender from, Consumer<BankObject> action) {
    int place = Objects.requireNonNull(processes[from.node].places.get(target), "a place");
    post(
        from,
        place,
        () -> {
          var object = object(target);
          if (object.logged != null && object.home == place) {
            action.accept(object);
          }
        });
  }

  void with(ObjectIdentity identity, Consumer<BankObject> action) {
    var object = object(identity);
    if (object.logged != null) {
      action.accept(object);
    }
  }

  void answer(Sender from, ObjectIdentity target, CallOrigin origin, long number, long outcome) {
    switch (origin) {
      case CallOrigin.Process(NodeId node) -> {
        var client = processes[(int) node.incarnation()];
        post(from, client.index, () -> client.answered(number, outcome));
      }
      case CallOrigin.Logged(ObjectIdentity caller) ->
          postTo(
              caller,
              from,
              k -> {
                if (without == WithoutRule.ACKNOWLEDGED_AFTER_STABLE) {
                  acknowledge(k.from(), origin, target, number);
                }
                k.live().answered(target, number, outcome);
              });
      case CallOrigin.Near() -> throw new AssertionError("no such caller");
    }
  }

  void takenBy(Sender from, ObjectIdentity target, CallOrigin origin, long upTo) {
    switch (origin) {
      case CallOrigin.Process(NodeId node) -> {
        var client = processes[(int) node.incarnation()];
        post(from, client.index, () -> client.sent.taken(upTo));
      }
      case CallOrigin.Logged(ObjectIdentity caller) ->
          postTo(caller, from, k -> k.live().taken(target, upTo));
      case CallOrigin.Near() -> throw new AssertionError("no such caller");
    }
  }

  void acknowledge(Sender from, CallOrigin origin, ObjectIdentity target, long number) {
    if (target.equals(RATES)) {
      post(from, RATES_HOST, () -> rates.acknowledged(origin, number));
    } else {
      postTo(target, from, k -> k.live().acknowledged(origin, number));
    }
  }

  void sendResumption(
      Sender from, CallOrigin origin, ObjectIdentity target, Resumption<BankCall> resumption) {
    var sendable = new ArrayList<>(resumption.untaken());
    sendable.removeIf(each -> each.call().method() == BankCall.Method.UNSENDABLE);
    var sent =
        switch (without) {
          case NAMES_OF_SENT_CALLS, UNSENT_IN_LOG ->
              new Resumption<>(resumption.made(), sendable, resumption.wanted());
          case KEPT_CALLS ->
              new Resumption<BankCall>(resumption.made(), List.of(), resumption.wanted());
          case WANTED_ANSWERS ->
              new Resumption<>(resumption.made(), resumption.untaken(), Set.of());
          default -> resumption;
        };
    if (target.equals(RATES)) {
      post(from, RATES_HOST, () -> rates.resumed(origin, sent));
    } else {
      postTo(target, from, k -> k.live().resumed(origin, sent));
    }
  }

  /** Returns the deliveries that can happen next, one of each link. */
  List<Runnable> deliveries() {
    List<Runnable> next = new ArrayList<>();
    links
        .values()
        .forEach(
            queue -> {
              if (!queue.isEmpty()) {
                next.add(() -> queue.remove().action.run());
              }
            });
    return next;
  }

  // Faults

  void crash(int host) {
    processes[host].life++;
    for (var each : objects.values()) {
      if (each.home == host && each.logged != null) {
        each.crash(true);
      }
    }
    cut(host);
    for (var each : objects.values()) {
      processes[host].places.put(each.identity, each.home);
      processes[host].epochs.put(each.identity, each.epoch);
    }
    processes[host].knowsRatesLost = !rates.isLive;
    processes[host].knowsClientEnded = !endingClientLives;
  }

  /** Loses what is under way to a node, and what the node has not sent yet. */
  private void cut(int index) {
    links.forEach(
        (link, queue) -> {
          if (link.getLast() == index) {
            queue.clear();
          } else if (link.getFirst() == index) {
            for (var left = random.nextInt(queue.size() + 1); queue.size() > left; ) {
              queue.removeLast();
            }
          }
        });
  }

  /** Makes an object again, after every node has learnt that its former host has died. */
  void revive(BankObject object) {
    links.forEach(
        (link, queue) -> {
          if (link.getFirst() == object.home) {
            queue.removeIf(each -> each.life < processes[object.home].life);
          }
        });
    var host = random.nextBoolean() ? HOST : OTHER_HOST;
    var news = links.getOrDefault(List.of(COORDINATOR, host), new ArrayDeque<>());
    while (!news.isEmpty()) { // the grant comes behind the deaths before it
      news.remove().action.run();
    }
    object.embody(host, Long.MAX_VALUE);
  }

  void loseRates() {
    rates.isLive = false;
    cut(RATES_HOST);
    for (var node : processes) {
      post(
          COORDINATOR,
          node.index,
          () -> {
            node.knowsRatesLost = true;
            links.getOrDefault(List.of(RATES_HOST, node.index), new ArrayDeque<>()).clear();
            objects.values().stream()
                .filter(each -> each.logged != null && each.home == node.index)
                .forEach(each -> each.live().targetLost(RATES, LOST));
          });
    }
  }

  void endClient() {
    endingClientLives = false;
    cut(ENDING_CLIENT);
    for (var node : processes) {
      post(
          COORDINATOR,
          node.index,
          () -> {
            node.knowsClientEnded = true;
            links.getOrDefault(List.of(ENDING_CLIENT, node.index), new ArrayDeque<>()).clear();
            objects.values().stream()
                .filter(each -> each.logged != null && each.home == node.index)
                .forEach(each -> each.live().forget(process(ENDING_CLIENT)));
          });
    }
  }
}
