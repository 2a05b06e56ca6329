package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.MoveException;

/** Members of typed groups move to other nodes. */
@Timeout(60)
class MovedMembersTest {

  private LocalNodes nodes;
  private Member all;
  private List<Member> members;

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

    public int count() {
      return received.size();
    }
  }

  @BeforeEach
  void start() {
    nodes = LocalNodes.start(3);
    all = Groups.on(nodes.nodes()).create(Member.class);
    members = Group.of(all).stream().toList();
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  @Test
  void eachMemberReceivesBroadcastsAndCallsInOrder() {
    for (var i = 0; i < 300; i++) {
      all.receive(i);
      members.get(1).receive(1_000 + i);
      if (i % 60 == 10) {
        ActiveObjects.ref(members.get(1)).move(nodes.get(i / 60 % 3).id());
      }
    }
    var numbers = IntStream.range(0, 300).boxed().toList();

    assertThat(members.get(0).received()).isEqualTo(numbers);
    assertThat(members.get(2).received()).isEqualTo(numbers);
    assertThat(members.get(1).received())
        .isEqualTo(
            IntStream.range(0, 300).boxed().flatMap(i -> List.of(i, 1_000 + i).stream()).toList());
  }

  @Test
  void answersOfAllMembersAreCollected() {
    ActiveObjects.ref(members.get(1)).move(nodes.get(0).id()).join();
    all.receive(1);

    assertThat(Group.of(all).ask(Member::place).toList())
        .containsExactly("node-1", "node-1", "node-3");
    assertThat(Group.of(all).ask(Member::count).reduce(Integer::sum).join()).isEqualTo(3);
    assertThat(members.get(1).place()).isEqualTo("node-1");
    assertThat(Group.of(all).ask(Member::count).reduce(Integer::sum).join()).isEqualTo(3);
  }

  @Test
  void membersInStepStayAndSayHowToHaveThemElsewhere() {
    var strips = Group.of(Groups.on(nodes.nodes()).spmd(Member.class)).stream().toList();

    assertThatThrownBy(() -> ActiveObjects.ref(strips.get(1)).move(nodes.get(0).id()).join())
        .hasCauseInstanceOf(MoveException.class)
        .hasMessageContaining(
            "it is rank 1 of 3 in a group in step, whose members stay where they are; to have them"
                + " elsewhere, use Group.checkpoint(store), and Groups.on(nodes).restore(type,"
                + " store)");
  }
}
