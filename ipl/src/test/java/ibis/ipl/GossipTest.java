package ibis.ipl;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.testing.LogRecords;

/** Pools without a centre. */
@Timeout(60)
class GossipTest {

  static final IbisCapabilities CAPABILITIES =
      new IbisCapabilities(
          IbisCapabilities.MALLEABLE,
          IbisCapabilities.MEMBERSHIP_UNRELIABLE,
          IbisCapabilities.ELECTIONS_UNRELIABLE,
          IbisCapabilities.SIGNALS);

  private final TestPool pool;

  GossipTest() throws IOException {
    pool = pool();
  }

  /** Makes a pool whose members talk often and wait little. */
  static TestPool pool() throws IOException {
    return new TestPool()
        .with(IbisProperties.REGISTRY_IMPLEMENTATION, "gossip")
        .with("ibis.registry.gossip.gossip.interval", "0.05")
        .with("ibis.registry.gossip.peer.dead.timeout", "0.3")
        .with("ibis.registry.gossip.election.timeout", "0.5");
  }

  @AfterEach
  void end() throws IOException {
    pool.close();
  }

  @Test
  void tellsAllMembersWhoJoinsAndLeaves() throws Exception {
    List<RecordedEvents> recorded = new ArrayList<>();
    List<Ibis> members = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      recorded.add(new RecordedEvents());
      members.add(pool.join(CAPABILITIES, recorded.get(i)));
      members.get(i).registry().enableEvents();
    }
    for (RecordedEvents events : recorded) {
      for (Ibis member : members) {
        events.await("joined " + member.identifier().name());
      }
    }

    members.get(1).end();

    for (RecordedEvents events : List.of(recorded.get(0), recorded.get(2), recorded.get(3))) {
      events.await("left " + members.get(1).identifier().name());
    }
  }

  @Test
  void goesOnWithoutTheServer(LogRecords records) throws Exception {
    records.allow(WARNING, "newcomers cannot join the pool until a server is there again");
    var events = new RecordedEvents();
    Ibis first = pool.join(CAPABILITIES, events);
    Ibis second = pool.join(CAPABILITIES);
    first.registry().enableEvents();

    pool.server().end(-1);
    second.end();

    events.await("left " + second.identifier().name());
  }

  /** Members that know each other once never spoke to a server again. */
  @Test
  void isFoundByNewcomersThroughARestartedServer(LogRecords records) throws Exception {
    var events = new RecordedEvents();
    Ibis first = pool.join(CAPABILITIES, events);
    Ibis second = pool.join(CAPABILITIES);
    first.registry().enableEvents();
    events.await("joined " + second.identifier().name());

    pool.server().end(-1);
    records.expect(WARNING, "newcomers cannot join the pool until a server is there again");
    pool.restartServer();
    records.expect(WARNING, "the server at", "is there again");
    Ibis third = pool.join(CAPABILITIES);

    events.await("joined " + third.identifier().name());
  }

  @Test
  void electsTheSmallestOfTheCandidates() throws Exception {
    Ibis first = pool.join(CAPABILITIES);
    Ibis second = pool.join(CAPABILITIES);
    IbisIdentifier expected =
        List.of(first.identifier(), second.identifier()).stream()
            .min(Comparator.comparing(IbisIdentifier::name))
            .orElseThrow();
    assertThat(first.registry().getElectionResult("leader", -1)).isNull();
    first.registry().elect("leader");

    assertThat(second.registry().elect("leader")).isEqualTo(expected);
  }

  @Test
  void sendsSignalsStraightToTheirTargets() throws Exception {
    var events = new RecordedEvents();
    Ibis first = pool.join(CAPABILITIES, events);
    Ibis second = pool.join(CAPABILITIES);
    first.registry().enableEvents();

    second.registry().signal("go", first.identifier());

    events.await("signal go of " + second.identifier().name());
  }

  @Test
  void believesWhoDeclaresAMemberDead() throws Exception {
    var events = new RecordedEvents();
    Ibis first = pool.join(CAPABILITIES, events);
    Ibis second = pool.join(CAPABILITIES);
    first.registry().enableEvents();

    first.registry().assumeDead(second.identifier());

    events.await("died " + second.identifier().name());
  }

  @Test
  void refusesWhatNeedsACentre() throws Exception {
    for (String capability :
        List.of(
            IbisCapabilities.CLOSED_WORLD,
            IbisCapabilities.MEMBERSHIP_TOTALLY_ORDERED,
            IbisCapabilities.ELECTIONS_STRICT,
            IbisCapabilities.TERMINATION)) {
      pool.with(IbisProperties.POOL_SIZE, "1");
      assertThatThrownBy(() -> pool.join(new IbisCapabilities(capability)))
          .isInstanceOf(IbisConfigurationException.class)
          .hasMessageContaining(capability);
    }
    Registry registry = pool.join(CAPABILITIES).registry();
    assertThatThrownBy(() -> registry.getSequenceNumber("x"))
        .isInstanceOf(IbisConfigurationException.class);
    assertThatThrownBy(() -> registry.addTokens("x", 1))
        .isInstanceOf(IbisConfigurationException.class);
    assertThatThrownBy(() -> registry.getToken("x")).isInstanceOf(IbisConfigurationException.class);
    assertThatThrownBy(registry::terminate).isInstanceOf(IbisConfigurationException.class);
  }
}
