package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Reduction;
import org.troupe.groups.Scatter;
import org.troupe.program.Quick;
import org.troupe.program.Solver;
import org.troupe.program.Solver.Field;
import org.troupe.program.Solver.Mesh;
import org.troupe.program.Solver.Sink;

/** The program of the design page, and groups as arguments, between processes. */
@Timeout(120)
class GroupsOfJvmsTest {

  @Test
  void aTypedGroupSpansTwoProcesses() throws Exception {
    try (var grid = Grid.local(2, Quick.GRID)) {
      var nodes = grid.nodes("default").await(Nodes.atLeast(2), Duration.ofSeconds(60));
      var parts = List.of(new Mesh(1), new Mesh(2), new Mesh(3), new Mesh(4));

      Solver all = Groups.on(nodes).each(2).create(Solver.class, Scatter.of(parts));
      all.step(0.5);
      Field fields = all.field();
      Group.of(fields).results().awaitAny();
      CompletableFuture<Double> total = Group.of(all).ask(Solver::energy).reduce(Double::sum);

      assertThat(total.join()).isEqualTo(12.0);
      assertThat(Group.of(fields).stream().map(Field::value)).containsExactly(0.5, 1.0, 1.5, 2.0);

      var group = Group.of(all);
      assertThat(group.each(Solver::energy).combine(Reduction.tree(Double::sum)).join())
          .isEqualTo(12.0);
      Sink sink = ActiveObjects.on(nodes.first()).create(Sink.class);
      group.each(Solver::energy).forward(sink, Sink::take).join();
      assertThat(sink.sum()).isEqualTo(12.0);
    }
  }
}
