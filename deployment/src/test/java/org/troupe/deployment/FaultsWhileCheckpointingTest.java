package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallException;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Store;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Placement;
import org.troupe.program.Walker;
import org.troupe.testing.LogRecords;

/**
 * Each step of the checkpoints of a group and of its restoration, while the node that comes to it
 * ends, or the store fails there. Each time the group can be restored to one generation.
 */
@Timeout(120)
class FaultsWhileCheckpointingTest {

  private static final String STEPS = "org.troupe.activeobjects.internal.fault.CheckpointStep";
  private static final int NODES = 3;
  private static final int MEMBERS = 4; // two of them on the first node
  private static final int CHECKPOINTS = 3;
  private static final int EACH = 2; // steps between two checkpoints
  private static final long BOUND_SECONDS = 30;

  @TempDir private Path folder;
  private LocalNodes nodes;
  private Store store;

  /** What happens at a step. */
  enum Fault {
    ENDS,
    THROWS
  }

  static Stream<Arguments> faults() {
    List<Arguments> all = new ArrayList<>();
    for (var step : List.of("GROUP_IMAGED", "IMAGE_WRITTEN", "IMAGE_STABLE", "GENERATION_STABLE")) {
      for (var passage = 1; passage <= CHECKPOINTS * MEMBERS; passage++) {
        if (!step.equals("GENERATION_STABLE") || passage <= CHECKPOINTS) {
          all.add(Arguments.of(step, passage, Fault.ENDS));
        }
      }
    }
    for (var passage = 1; passage <= CHECKPOINTS * MEMBERS; passage++) {
      all.add(Arguments.of("IMAGE_WRITTEN", passage, Fault.THROWS));
    }
    for (var passage = 1; passage <= MEMBERS; passage++) {
      all.add(Arguments.of("MEMBER_RESTORED", passage, Fault.ENDS));
      all.add(Arguments.of("MEMBER_RESTORED", passage, Fault.THROWS));
    }
    return all.stream();
  }

  @BeforeEach
  void start() {
    nodes = LocalNodes.start(NODES);
    store = Store.directory(folder.resolve("store"));
  }

  @AfterEach
  void stop() throws ReflectiveOperationException {
    follow(null);
    nodes.close();
  }

  /** Sets the action at a step; by reflection, because its package is not for programs. */
  private static void follow(BiConsumer<Object, Object> plan) throws ReflectiveOperationException {
    Class.forName(STEPS).getMethod("follow", BiConsumer.class).invoke(null, plan);
  }

  /** Lets a fault happen once; returns the counter of the passages of its step. */
  private AtomicInteger plan(String step, int passage, Fault fault)
      throws ReflectiveOperationException {
    var passages = new AtomicInteger();
    follow(
        (at, node) -> {
          if (at.toString().equals(step) && passages.incrementAndGet() == passage) {
            if (fault == Fault.THROWS) {
              throw new UncheckedIOException(new IOException("the disk is full"));
            }
            kill((NodeId) node);
          }
        });
    return passages;
  }

  private void kill(NodeId node) {
    for (var i = 0; i < NODES; i++) {
      if (nodes.get(i).id().equals(node)) {
        nodes.kill(i);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void theGroupCanBeRestoredToOneGeneration(
      String step, int passage, Fault fault, LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    var group =
        Group.of(
            Groups.on(nodes.nodes())
                .placed(Placement.roundRobin(MEMBERS))
                .<Walker>spmd(Walker.class));
    group.ask(Walker::begin).toList();
    var passages = plan(step, passage, fault);
    group.checkpoint(store); // the first may fail, and then there is none
    var stable = 0; // the last that is known to be
    for (var i = 1; i <= CHECKPOINTS; i++) {
      var outcomes = group.ask(each -> each.walk(EACH)).outcomes(); // all end
      assertThat(outcomes).hasSize(MEMBERS);
      try {
        var checkpoint = group.checkpoint(store).get(BOUND_SECONDS, TimeUnit.SECONDS);
        assertThat(checkpoint.members()).isEqualTo(MEMBERS);
        stable = i;
      } catch (ExecutionException failure) {
        assertThat(failure.getCause()).hasMessageStartingWith("the checkpoint does not count: ");
      }
    }
    if (step.equals("MEMBER_RESTORED")) {
      assertThat(stable).isEqualTo(CHECKPOINTS);
      restored(); // fails
    }
    assertThat(passages.get()).as("passages").isGreaterThanOrEqualTo(passage);
    follow(null);

    var again = restored();
    if (again == null) {
      assertThat(stable).as("a stable checkpoint is lost").isZero();
      return;
    }
    var steps = again.ask(Walker::steps).toList();
    assertThat(steps).hasSize(MEMBERS).containsOnly(steps.getFirst());
    assertThat(steps.getFirst()).isBetween(stable * EACH, CHECKPOINTS * EACH);
    again.ask(each -> each.walk(EACH)).toList();
    assertThat(again.ask(Walker::value).toList())
        .isEqualTo(
            Arrays.stream(Walker.expected(MEMBERS, steps.getFirst() + EACH)).boxed().toList());
    again.checkpoint(store).get(BOUND_SECONDS, TimeUnit.SECONDS);
    again.terminate().get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  /** Restores the group on the nodes that are left; {@code null} if that fails. */
  private Group<Walker> restored() {
    awaitLosses();
    try {
      return Groups.on(nodes.nodes())
          .restoreIfPresent(Walker.class, store)
          .map(Group::of)
          .orElse(null);
    } catch (CallException failure) {
      return null; // of a node that ends
    }
  }

  /** Waits until each node that was ended is known to be lost. */
  private void awaitLosses() {
    for (var each : nodes.list()) {
      if (!each.isAlive()) {
        continue;
      }
      try {
        ActiveObjects.on(each).create(Walker.class);
      } catch (RuntimeException lost) {
        // It has been ended; the call has ended with its loss.
      }
    }
  }
}
