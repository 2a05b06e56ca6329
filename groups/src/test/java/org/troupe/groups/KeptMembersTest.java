package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.testing.LogRecords;

/** Members of typed groups that are kept by their calls. */
@Timeout(60)
class KeptMembersTest {

  @TempDir private Path temporary;
  private LocalNodes nodes;
  private Member all;
  private List<Member> members;

  /** Counts what it receives. */
  public static class Member {
    private int sum;

    public void receive(int number) {
      sum += number;
    }

    public int sum() {
      return sum;
    }

    public int overflow() {
      sum = -1;
      throw new StackOverflowError("deep");
    }

    public int askAll(Member group) {
      return Group.of(group).ask(Member::sum).reduce(Integer::sum).join();
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    nodes = LocalNodes.start(2);
    var kept =
        Options.STANDARD
            .withKeep(Keep.calls(Store.directory(temporary.resolve("s"))))
            .withRestart(Restart.here());
    List<Member> made = new ArrayList<>();
    for (var i = 0; i < 3; i++) {
      made.add(ActiveObjects.on(nodes.get(i % 2)).with(kept).create(Member.class));
    }
    members = made;
    all = Groups.of(Member.class, made);
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private int sumOfAll() {
    return Group.of(all).ask(Member::sum).reduce(Integer::sum).join();
  }

  @Test
  void broadcastsAndCombinedAnswersAreServedAgainAfterAFailure() {
    all.receive(5);
    assertThat(sumOfAll()).isEqualTo(15);
    members.get(0).receive(1);
    members.forEach(
        each -> assertThatThrownBy(each::overflow).isInstanceOf(StackOverflowError.class));
    assertThat(sumOfAll()).isEqualTo(16);
    all.receive(1);
    assertThat(sumOfAll()).isEqualTo(19);
    assertThatThrownBy(members.get(0)::overflow).isInstanceOf(StackOverflowError.class);
    assertThat(sumOfAll()).isEqualTo(19);
  }

  @Test
  void aRequestThatCallsAGroupIsRefused() {
    assertThatThrownBy(() -> members.get(0).askAll(all))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is kept by its calls, and a call of a group would happen again")
        .hasMessageEndingWith("call the members one by one, or within ActiveObjects.once(..)");
  }

  @Test
  void aMemberOfAGroupInStepCannotBeKeptSo() {
    assertThatThrownBy(() -> Groups.spmd(Member.class, members))
        .hasMessageContaining(
            "is kept by its calls, and cannot become a member of a group in step");
  }
}
