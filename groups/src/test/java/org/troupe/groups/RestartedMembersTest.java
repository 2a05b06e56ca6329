package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.testing.LogRecords;

/** A member of a typed group is made anew on another node. */
@Timeout(60)
class RestartedMembersTest {

  private static final long BOUND_SECONDS = 20;

  private LocalNodes nodes;
  private Member all;
  private Ref<Member> bystander; // its end reports the loss of its node

  /** Keeps what it receives. */
  public static class Member {
    private final List<Integer> received = new ArrayList<>();

    public void receive(int number) {
      received.add(number);
    }

    public List<Integer> received() {
      return List.copyOf(received);
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  @BeforeEach
  void start(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "restarted on another node");
    nodes = LocalNodes.start(3);
    all =
        Groups.on(nodes.nodes())
            .with(Options.STANDARD.withRestart(Restart.elsewhere()))
            .create(Member.class);
    all.receive(-1);
    assertThat(Group.of(all).ask(Member::place).toList())
        .containsExactly("node-1", "node-2", "node-3");
    bystander = ActiveObjects.ref(ActiveObjects.on(nodes.get(1)).create(Member.class));
    nodes.kill(1);
    assertThat(bystander.end().get(BOUND_SECONDS, TimeUnit.SECONDS).how()).isEqualTo(End.How.LOST);
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  @Test
  void broadcastsReachItInOrder() {
    for (var i = 0; i < 100; i++) {
      all.receive(i);
    }
    var received = Group.of(all).ask(Member::received).toList();
    assertThat(received.get(0)).hasSize(101).isSorted();
    assertThat(received.get(1)).hasSize(100).isSorted();
    assertThat(received.get(2)).hasSize(101).isSorted();
  }

  @Test
  void itsAnswersAreCollected() {
    var places = Group.of(all).ask(Member::place).toList();
    assertThat(places.get(0)).isEqualTo("node-1");
    assertThat(places.get(1)).isIn("node-1", "node-3");
    assertThat(places.get(2)).isEqualTo("node-3");
  }
}
