package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;

class GroupsTest {

  public static class Mesh {
    private final int cells;

    Mesh(int cells) {
      this.cells = cells;
    }
  }

  public static class Field {
    private final double value;

    Field(double value) {
      this.value = value;
    }

    public double value() {
      return value;
    }
  }

  public static class Solver {
    private final Mesh part;
    private double time;

    public Solver(Mesh part) {
      this.part = part;
    }

    public void step(double dt) {
      time += dt;
    }

    public Field field() {
      return new Field(part.cells * time);
    }

    public double energy() {
      return part.cells + time;
    }
  }

  @Test
  void broadcastsAndGathers() {
    try (var nodes = LocalNodes.start(3)) {
      var parts = List.of(new Mesh(1), new Mesh(2), new Mesh(3));
      Solver all = Groups.on(nodes.nodes()).create(Solver.class, Scatter.of(parts));
      all.step(0.5);
      Field fields = all.field();
      assertThat(Group.of(fields).size()).isEqualTo(3);
      Group.of(fields).results().awaitAny();
      assertThat(Group.of(fields).get(2).value()).isEqualTo(1.5);
      var total = Group.of(all).ask(Solver::energy).reduce(Double::sum);
      assertThat(total.join()).isEqualTo(7.5);
    }
  }

  @Test
  void namesWhatIsMissing() {
    assertThatThrownBy(() -> Groups.of(Runnable.class, null)).hasMessageContaining("members");
    assertThatThrownBy(() -> Groups.on((Node) null)).hasMessageContaining("node 0");
  }
}
