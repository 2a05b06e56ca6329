package org.troupe.replicas;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Drives the orders of several members through a random schedule of deliveries, writes, joins,
 * losses and an end of the object, which a seed repeats.
 */
final class OrderExplorer {

  private static final int MOST_MEMBERS = 9;
  private static final int MOST_ROUNDS = 2_000; // a schedule settles in some dozen
  private static final Change.Id END = new Change.Id(-1, 0); // of the object, in a history

  /** An address that is only passed on. */
  private record Address(int index) implements ReplicaMember {
    @Override
    public boolean begin(Object object) {
      throw new AssertionError();
    }

    @Override
    public CompletableFuture<Joined> join(List<ReplicaMember> members) {
      throw new AssertionError();
    }

    @Override
    public CompletableFuture<Boolean> close() {
      throw new AssertionError();
    }

    @Override
    public OrderMessage.Numbered number(OrderMessage.Proposal proposal) {
      throw new AssertionError();
    }

    @Override
    public void receive(List<OrderMessage> messages) {
      throw new AssertionError();
    }
  }

  /** One member: its object is the list of the ids of all writes that it has applied. */
  private static final class Member {
    final Address address;
    final WriteOrder order;
    final Set<Change.Id> succeeded = new HashSet<>();
    final Set<Change.Id> lost = new HashSet<>();
    final Set<ReplicaMember> watched = new HashSet<>(); // not heard to be lost
    final Set<Integer> heard = new HashSet<>();
    List<Change.Id> history = new ArrayList<>();
    @Nullable Runnable underWay; // the turn that it has begun
    long writes;
    boolean isDead; // also if it has ended

    Member(Address address, WriteOrder order) {
      this.address = address;
      this.order = order;
    }

    boolean isReplica() {
      return !isDead && order.hasState();
    }

    boolean isClosed() {
      return history.contains(END);
    }
  }

  private record Way(int from, int to) {}

  /** A call to the sequencer, or its answer. It may overtake messages, and they it. */
  private record Exchange(Member caller, Member called, OrderMessage content) {}

  private final Random random;
  private final OrderFault fault;
  private final boolean areLateMessagesTaken; // also those of members that are known to be lost
  private final int slow; // messages to it take long
  private final int clusters;
  private final List<Member> members = new ArrayList<>();
  private final Map<Way, Deque<OrderMessage>> ways = new LinkedHashMap<>();
  private final List<Exchange> exchanges = new ArrayList<>();
  private final Map<Change.Id, Integer> crossings = new HashMap<>(); // of links between clusters
  private final List<String> problems = new ArrayList<>();

  OrderExplorer(int seed, int count, OrderFault fault) {
    random = new Random(seed);
    this.fault = fault;
    areLateMessagesTaken = random.nextBoolean();
    slow = random.nextInt(2 * count);
    clusters = 1 + seed % 3;
    var first = new Address(0);
    members.add(new Member(first, WriteOrder.ofFirst(first)));
    locate(members.getFirst(), first);
    guarded(
        () -> {
          while (members.size() < count) {
            join();
            settle();
          }
        });
  }

  /** Takes random steps. */
  void explore(int steps, int losses) {
    guarded(
        () -> {
          for (var i = 0; i < steps; i++) {
            step(losses);
          }
        });
  }

  /** Loses the sequencer. */
  void loseSequencer() {
    sequencer().ifPresent(this::lose);
  }

  /** Closes the object at any member. */
  void close() {
    var replicas = members.stream().filter(Member::isReplica).toList();
    var member = replicas.get(random.nextInt(replicas.size()));
    member.order.close();
    flush(member);
  }

  private Optional<Member> sequencer() {
    return members.stream()
        .filter(Member::isReplica)
        .max(Comparator.comparing(member -> member.order.view().id()))
        .flatMap(
            newest ->
                newest.order.view().members().values().stream()
                    .map(this::member)
                    .filter(Member::isReplica)
                    .findFirst());
  }

  private Member member(ReplicaMember address) {
    return members.get(((Address) address).index());
  }

  /** Goes on until nothing is left to do, and returns what is wrong then. */
  List<String> problems() {
    guarded(
        () -> {
          settle();
          check();
        });
    return problems;
  }

  private void guarded(Runnable work) {
    if (fault == OrderFault.NONE) {
      work.run();
      return;
    }
    try {
      work.run();
    } catch (RuntimeException e) {
      problems.add(e.toString());
    }
  }

  private void step(int losses) {
    var member = members.get(random.nextInt(members.size()));
    switch (random.nextInt(20)) {
      case 0, 1 -> {
        write(member);
        if (random.nextInt(20) == 0) {
          interrupt();
        }
      }
      case 2 -> {
        if (random.nextInt(12) < losses) {
          if (random.nextBoolean()) {
            loseSequencer();
          } else {
            lose(member);
          }
        }
      }
      case 3 -> {
        if (random.nextInt(4) == 0) {
          join();
        }
      }
      case 4, 5 -> {
        if (fault == OrderFault.FALSE_LOSS && random.nextInt(10) == 0) {
          hearFalsely(member);
        }
        hear(member);
      }
      default -> {
        if (random.nextBoolean()) {
          turn(member);
        } else if (!exchanges.isEmpty() && random.nextInt(3) > 0) {
          exchange(random.nextInt(exchanges.size()));
        } else if (!ways.isEmpty()) {
          var all = List.copyOf(ways.keySet());
          var way = all.get(random.nextInt(all.size()));
          if (way.to() != slow || random.nextInt(6) == 0) {
            deliver(way);
          }
        }
      }
    }
  }

  private void write(Member member) {
    if (member.isReplica() && !member.isClosed()) {
      var question = member.order.propose(++member.writes, 0, new Object[0]);
      if (question != null) {
        exchanges.add(new Exchange(member, member(question.sequencer()), question.proposal()));
        countCrossing(member.address, question.sequencer(), question.proposal());
      }
      flush(member);
    }
  }

  /** Ends the last call to a sequencer, before or after its service. */
  private void interrupt() {
    if (!exchanges.isEmpty() && exchanges.getLast().content() instanceof OrderMessage.Proposal it) {
      var exchange = exchanges.removeLast();
      if (random.nextBoolean() && !exchange.called().isDead) {
        exchange.called().order.number(it);
        flush(exchange.called());
      }
      exchange.caller().order.renew(new WriteOrder.Question(exchange.called().address, it));
      flush(exchange.caller());
    }
  }

  /** Lets a call arrive at the sequencer, or its answer at the caller. */
  private void exchange(int place) {
    var exchange = exchanges.remove(place);
    var caller = exchange.caller();
    var called = exchange.called();
    if (exchange.content() instanceof OrderMessage.Proposal proposal && !called.isDead) {
      var numbered =
          called.order.number(
              (OrderMessage.Proposal)
                  Objects.requireNonNull(fault.changed(proposal, called.order, false)));
      flush(called);
      if (numbered != null) {
        exchanges.add(new Exchange(caller, called, numbered));
      }
    } else if (exchange.content() instanceof OrderMessage.Numbered numbered
        && !caller.isDead
        && (!called.isDead || random.nextBoolean())) {
      caller.order.receive(Objects.requireNonNull(fault.changed(numbered, caller.order, false)));
      flush(caller);
    }
  }

  /** Lets a newcomer join, if the one before has its state or is lost. */
  private void join() {
    var newest = members.getLast();
    if (members.size() < MOST_MEMBERS && (newest.isDead || newest.isReplica())) {
      var address = new Address(members.size());
      var others = members.stream().<ReplicaMember>map(each -> each.address).toList();
      members.add(new Member(address, WriteOrder.ofNewcomer(address, others)));
      locate(members.getLast(), address);
      flush(members.getLast());
    }
  }

  /**
   * Ends a member, without some of the messages that it has sent last, if another replica lives.
   */
  private void lose(Member member) {
    if (member.isDead || members.stream().noneMatch(each -> each != member && each.isReplica())) {
      return;
    }
    member.isDead = true;
    var isForNewest = random.nextInt(3) == 0; // the only ones that arrive
    ways.forEach(
        (way, messages) -> {
          if (way.from() == member.address.index()) {
            var cut =
                isForNewest
                    ? (way.to() == members.size() - 1 ? 0 : messages.size())
                    : random.nextInt(4);
            for (var i = 0; i < cut && !messages.isEmpty(); i++) {
              messages.removeLast();
            }
          }
        });
  }

  /** Tells a member of one loss. */
  private boolean hear(Member member) {
    if (member.isDead) {
      return false;
    }
    var known = new ArrayList<>(member.watched);
    Collections.shuffle(known, random);
    for (var each : known) {
      if (member(each).isDead) {
        tellLoss(member, each);
        return true;
      }
    }
    return false;
  }

  private void hearFalsely(Member member) {
    if (!member.isDead && !member.watched.isEmpty()) {
      tellLoss(member, member.watched.iterator().next());
    }
  }

  private void tellLoss(Member member, ReplicaMember gone) {
    member.watched.remove(gone);
    member.heard.add(((Address) gone).index());
    member.order.receive(new OrderMessage.Lost(gone));
    flush(member);
  }

  private void deliver(Way way) {
    var messages = ways.get(way);
    var to = members.get(way.to());
    var message = messages.pollFirst();
    if (message == null || to.isDead || (!areLateMessagesTaken && to.heard.contains(way.from()))) {
      return;
    }
    var changed = fault.changed(message, to.order, way.to() == 0);
    if (changed == null) {
      return;
    }
    var isNew = !to.order.hasState();
    to.order.receive(changed);
    if (isNew && to.order.hasState()) {
      var state = ((OrderMessage.Install) changed).state();
      @SuppressWarnings("unchecked")
      var history = (List<Change.Id>) state.object();
      to.history = new ArrayList<>(history);
    }
    flush(to);
  }

  /** Begins a member's turn at its object, or ends the one that it has begun. */
  private void turn(Member member) {
    var underWay = member.underWay;
    if (member.isDead) {
      return;
    }
    if (underWay != null) {
      member.underWay = null;
      underWay.run();
      flush(member);
    } else if (member.order.isInstallDue()) {
      if (member.order.needsState() && member.isClosed()) {
        member.order.refuse("it is closed");
      }
      var copy = List.copyOf(member.history);
      var state =
          member.order.needsState()
              ? new OrderMessage.State(members.getFirst().address, member.order.applied(), copy)
              : null;
      member.underWay = () -> installed(member, state);
    } else {
      var change = member.order.next();
      if (change != null) {
        member.underWay = () -> applied(member, change);
      }
    }
  }

  private static void installed(Member member, OrderMessage.@Nullable State state) {
    if (member.order.isInstallDue()) {
      member.order.install(state);
    }
  }

  private static void applied(Member member, Change change) {
    if (change instanceof Change.Write write) {
      member.history.add(write.id());
      if (write.origin() == member.order.me()) {
        member.succeeded.add(write.id());
      }
    }
    if (change instanceof Change.Close) {
      member.history.add(END);
    }
    member.order.advance();
  }

  private void flush(Member member) {
    for (var envelope : member.order.out) {
      post(member, envelope);
    }
    member.order.out.clear();
    member.order.met.forEach(each -> locate(member, each));
    member.watched.addAll(member.order.met);
    member.order.met.clear();
    for (var count : member.order.lost) {
      member.lost.add(new Change.Id(member.order.me(), count));
    }
    member.order.lost.clear();
    member.isDead |= member.order.isOver();
  }

  private void locate(Member member, ReplicaMember located) {
    member.order.locate(located, "cluster " + clusterOf(located));
  }

  private int clusterOf(ReplicaMember member) {
    return ((Address) member).index() % clusters;
  }

  /**
   * Lets each member write once, and returns how often each of the writes has come to another
   * cluster.
   */
  Map<Change.Id, Integer> crossings() {
    settle();
    crossings.clear();
    members.forEach(this::write);
    settle();
    return crossings;
  }

  private void countCrossing(ReplicaMember from, ReplicaMember to, OrderMessage message) {
    if (clusterOf(from) != clusterOf(to)) {
      switch (message) {
        case OrderMessage.Proposal proposal ->
            crossings.merge(proposal.write().id(), 1, Integer::sum);
        case OrderMessage.Numbered(var _, var _, Change.Write write, var _) ->
            crossings.merge(write.id(), 1, Integer::sum);
        case OrderMessage.Relay relay -> countCrossing(from, to, relay.message());
        default -> {}
      }
    }
  }

  private void post(Member from, WriteOrder.Envelope envelope) {
    countCrossing(from.address, envelope.to(), envelope.message());
    var to = (Address) envelope.to();
    ways.computeIfAbsent(new Way(from.address.index(), to.index()), each -> new ArrayDeque<>())
        .add(envelope.message());
    if (fault == OrderFault.MISSING_REPORT
        && envelope.message() instanceof OrderMessage.Prepare(View next)
        && random.nextInt(4) == 0) {
      next.members()
          .forEach(
              (member, address) -> {
                if (address.equals(to) && member < next.number()) {
                  forgeReport(from, member, to, next.id());
                }
              });
    }
  }

  private void forgeReport(Member preparing, int member, Address address, View.Id view) {
    var applied = members.get(address.index()).order.applied();
    ways.computeIfAbsent(
            new Way(address.index(), preparing.address.index()), each -> new ArrayDeque<>())
        .add(new OrderMessage.Report(view, member, new View.Id(0, 0), applied, new TreeMap<>()));
  }

  private void settle() {
    var isDone = false;
    for (var round = 0; !isDone; round++) {
      isDone = true;
      for (var way : List.copyOf(ways.keySet())) {
        while (!ways.get(way).isEmpty()) {
          deliver(way);
          isDone = false;
        }
      }
      while (!exchanges.isEmpty()) {
        exchange(0);
        isDone = false;
      }
      for (var member : members) {
        while (hear(member)) {
          isDone = false;
        }
        if (member.underWay == null) {
          turn(member); // begins
        }
        while (member.underWay != null && !member.isDead) {
          turn(member); // ends
          turn(member); // begins the next
          isDone = false;
        }
      }
      if (round == MOST_ROUNDS) {
        throw new IllegalStateException("the schedule does not settle");
      }
    }
  }

  private void check() {
    var ended = members.stream().filter(member -> member.order.isOver()).toList();
    if (ended.isEmpty()) {
      checkLiving();
    } else {
      checkEnd(ended);
    }
  }

  private void checkEnd(List<Member> ended) {
    var history =
        ended.stream().filter(each -> each.order.hasState()).findFirst().orElseThrow().history;
    require(new HashSet<>(history).size() == history.size(), null, "a change is applied twice");
    require(history.getLast().equals(END), null, "a write is behind the end");
    for (var member : members) {
      var isOver = member.order.isOver();
      require(isOver || member.isDead || member.order.isOrphan(), member, "has not ended");
      if (isOver && member.order.hasState()) {
        require(member.history.equals(history), member, "has applied other writes");
        require(
            history.stream().noneMatch(member.lost::contains), member, "has a lost write applied");
      }
    }
  }

  private void checkLiving() {
    var living = members.stream().filter(member -> !member.isDead).toList();
    var addresses =
        living.stream().<ReplicaMember>map(each -> each.address).collect(Collectors.toSet());
    var history = living.stream().filter(Member::isReplica).findFirst().orElseThrow().history;
    require(new HashSet<>(history).size() == history.size(), null, "a write is applied twice");
    for (var member : living) {
      require(member.order.hasState(), member, "has no state");
      require(!member.isClosed(), member, "has applied the end and has not ended");
      require(member.history.equals(history), member, "has applied other writes");
      require(history.containsAll(member.succeeded), member, "has a write that others have not");
      require(
          history.stream().noneMatch(member.lost::contains), member, "has a lost write applied");
      require(
          member.lost.isEmpty() || living.size() < members.size(),
          member,
          "has lost a write without the loss of a member");
      require(
          member.succeeded.size() + member.lost.size() == member.writes,
          member,
          "has a write without an end");
      var view = member.order.view();
      require(
          Set.copyOf(view.members().values()).equals(addresses),
          member,
          "has another view than the living members");
    }
  }

  private void require(boolean isTrue, @Nullable Member member, String problem) {
    if (!isTrue) {
      problems.add(member == null ? problem : "member " + member.address.index() + " " + problem);
    }
  }
}
