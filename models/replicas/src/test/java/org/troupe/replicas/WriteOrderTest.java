package org.troupe.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Drives the order of several members through random deliveries, joins and losses. */
@Timeout(60)
class WriteOrderTest {

  private static final int RUNS = 1_000;
  private static final int STEPS = 400;

  /** An address that is only passed on. */
  private record Address(int index) implements ReplicaMember {
    @Override
    public void receive(OrderMessage message) {
      throw new AssertionError();
    }

    @Override
    public boolean begin(OrderMessage.State state) {
      throw new AssertionError();
    }

    @Override
    public Place order(Change.Write write) {
      throw new AssertionError();
    }

    @Override
    public boolean join(ReplicaMember newcomer) {
      throw new AssertionError();
    }

    @Override
    public void end(String why) {
      throw new AssertionError();
    }
  }

  /** One member: its history is the list of the ids of all writes that it has applied. */
  private static final class Member {
    final WriteOrder order = new WriteOrder();
    final int address;
    List<Change.Id> history = new ArrayList<>();
    final Set<Change.Id> succeeded = new HashSet<>();
    final Set<Change.Id> lost = new HashSet<>();
    final Map<Integer, Integer> addresses = new HashMap<>(); // by member
    long writes;
    boolean isDead;

    Member(int address) {
      this.address = address;
    }
  }

  /** A request to a sequencer, or its answer. */
  private record Ask(Change.Write write) {}

  private record Answer(Place place, Change.Write write) {}

  private final class Run {
    final Random random;
    final List<Member> members = new ArrayList<>();
    final Map<Integer, ArrayDeque<Object>> links = new TreeMap<>(); // by from * 100 + to
    final Map<Integer, Set<Integer>> unheard = new HashMap<>(); // deaths to tell, by address

    Run(long seed, int count) {
      random = new Random(seed);
      Map<Integer, ReplicaMember> view = new TreeMap<>();
      for (var i = 0; i < count; i++) {
        view.put(i, new Address(i));
      }
      for (var i = 0; i < count; i++) {
        var member = new Member(i);
        members.add(member);
        view.keySet().forEach(each -> member.addresses.put(each, each));
        member.order.begin(
            new OrderMessage.State(new Address(0), i, 0, 0, List.of(), view, List.of()));
      }
    }

    void post(Member from, int to, Object message) {
      links.computeIfAbsent(from.address * 100 + to, each -> new ArrayDeque<>()).add(message);
    }

    void write(Member member) {
      if (!member.order.hasState()) {
        return;
      }
      var proposed = member.order.propose(++member.writes, 0, new Object[0]);
      flush(member);
      if (proposed.toAsk()) {
        post(member, member.addresses.get(member.order.epoch()), new Ask(proposed.write()));
      }
    }

    void flush(Member member) {
      for (var envelope : member.order.out) {
        var joining = member.order.address(envelope.to());
        var to =
            joining == null ? member.addresses.get(envelope.to()) : ((Address) joining).index();
        post(member, to, envelope.message());
      }
      member.order.out.clear();
      var me = member.order.me();
      member.order.lost.forEach(number -> member.lost.add(new Change.Id(me, number)));
      member.order.unsent.forEach(number -> member.lost.add(new Change.Id(me, number)));
      member.order.lost.clear();
      member.order.unsent.clear();
    }

    void apply(Member member) {
      var newcomer = member.order.newcomer();
      if (newcomer >= 0) {
        var members = new TreeMap<Integer, ReplicaMember>();
        member.order.view().forEach(e -> members.put(e, new Address(member.addresses.get(e))));
        var state = List.copyOf(member.history);
        member.order.welcome(newcomer, new Address(0), state, members);
        flush(member);
        return;
      }
      var change = member.order.hasState() ? member.order.next() : null;
      if (change == null) {
        return;
      }
      if (change instanceof Change.Write write) {
        member.history.add(write.id());
        if (write.origin() == member.order.me()) {
          member.succeeded.add(write.id());
        }
      } else if (change instanceof Change.Join(int index, ReplicaMember address)) {
        member.addresses.put(index, ((Address) address).index());
      }
      member.order.advance();
      flush(member);
    }

    void deliver(int link) {
      var to = members.get(link % 100);
      var from = members.get(link / 100);
      var message = links.get(link).poll();
      if (message == null || to.isDead) {
        return;
      }
      if (from.isDead && !unheard.getOrDefault(to.address, Set.of()).contains(from.address)) {
        return; // the node takes no more frames of the dead one
      }
      switch (message) {
        case OrderMessage.State state when !to.order.hasState() -> {
          to.order.receive(state);
          if (to.order.me() == state.member()) {
            @SuppressWarnings("unchecked")
            var history = (List<Change.Id>) state.object();
            to.history = new ArrayList<>(history);
            state
                .members()
                .forEach(
                    (member, address) -> to.addresses.put(member, ((Address) address).index()));
            for (var other : members) {
              if (other.isDead) {
                unheard.computeIfAbsent(to.address, each -> new HashSet<>()).add(other.address);
              }
            }
          }
        }
        case OrderMessage other -> to.order.receive(other);
        case Ask(Change.Write write) ->
            post(to, from.address, new Answer(to.order.order(write), write));
        case Answer(Place place, Change.Write write) -> to.order.placed(place, write);
        default -> throw new AssertionError(message);
      }
      flush(to);
    }

    void kill(Member member) {
      if (member.isDead || members.stream().filter(this::isReplica).count() < 2) {
        return;
      }
      if (!isReplica(member)) {
        return;
      }
      member.isDead = true;
      for (var other : members) {
        if (!other.isDead) {
          unheard.computeIfAbsent(other.address, each -> new HashSet<>()).add(member.address);
        }
      }
    }

    boolean isReplica(Member member) {
      return !member.isDead && member.order.hasState();
    }

    void hear(Member member) {
      var deaths = unheard.get(member.address);
      if (member.isDead || deaths == null || deaths.isEmpty() || !member.order.hasState()) {
        return;
      }
      var dead = deaths.iterator().next();
      deaths.remove(dead);
      for (var known : member.addresses.entrySet()) {
        if (known.getValue().equals(dead)) {
          member.order.lost(known.getKey());
        }
      }
      // Deaths of members whose join is applied later are told then.
      if (!member.addresses.containsValue(dead)) {
        deaths.add(dead);
      }
      flush(member);
    }

    void join() {
      for (var member : members) {
        if (isReplica(member) && member.order.isSequencer() && members.size() < 7) {
          var newcomer = new Member(members.size());
          members.add(newcomer);
          member.order.join(new Address(newcomer.address));
          flush(member);
          return;
        }
      }
    }

    void step(int deaths) {
      var member = members.get(random.nextInt(members.size()));
      switch (random.nextInt(20)) {
        case 0, 1 -> {
          if (!member.isDead) {
            write(member);
          }
        }
        case 2 -> {
          if (random.nextInt(12) < deaths) {
            kill(member);
          }
        }
        case 3 -> {
          if (random.nextInt(8) == 0) {
            join();
          }
        }
        case 4, 5 -> hear(member);
        default -> {
          if (random.nextBoolean() && !member.isDead) {
            apply(member);
          } else if (!links.isEmpty()) {
            var ways = List.copyOf(links.keySet());
            deliver(ways.get(random.nextInt(ways.size())));
          }
        }
      }
    }

    void settle() {
      for (var round = 0; round < 400; round++) {
        for (var link : List.copyOf(links.keySet())) {
          while (!links.get(link).isEmpty()) {
            deliver(link);
          }
        }
        for (var member : members) {
          if (!member.isDead) {
            hear(member);
            for (var i = 0; i < 20; i++) {
              apply(member);
            }
          }
        }
      }
    }

    void check(String run) {
      var living = members.stream().filter(this::isReplica).toList();
      var history = living.getFirst().history;
      assertThat(history).as(run).doesNotHaveDuplicates();
      for (var member : living) {
        assertThat(member.history).as(run + ", member " + member.address).isEqualTo(history);
        assertThat(new HashSet<>(history).containsAll(member.succeeded)).as(run).isTrue();
        assertThat(history).as(run).noneMatch(member.lost::contains);
        assertThat(member.succeeded.size() + member.lost.size())
            .as(run + ": each write of member " + member.address + " has ended")
            .isEqualTo((int) member.writes);
        assertThat(member.order.applied()).as(run).isEqualTo(living.getFirst().order.applied());
      }
      for (var member : members) {
        if (!member.isDead && !member.order.hasState()) {
          // Its join was lost with the sequencer, and none of the living knows it.
          assertThat(living)
              .as(run)
              .noneMatch(each -> each.addresses.containsValue(member.address));
        }
      }
    }
  }

  private void runs(int count, int deaths) {
    for (var seed = 1; seed <= RUNS; seed++) {
      var run = new Run(seed, count);
      for (var i = 0; i < STEPS; i++) {
        run.step(deaths);
      }
      run.settle();
      run.check(count + " members, seed " + seed);
    }
  }

  @Test
  void isOneWithoutLosses() {
    runs(3, 0);
  }

  @Test
  void isOneWithLossesOfAnyMember() {
    runs(3, 3);
    runs(4, 8);
  }

  @Test
  void isOneWhereverTheSequencerIsLost() {
    for (var killed = 1; killed < STEPS; killed++) {
      for (var seed = 1; seed <= 10; seed++) {
        var run = new Run(seed, 3);
        for (var i = 0; i < STEPS; i++) {
          if (i == killed) {
            run.kill(run.members.getFirst());
          }
          run.step(0);
        }
        run.settle();
        run.check("killed at step " + killed + ", seed " + seed);
      }
    }
  }
}
