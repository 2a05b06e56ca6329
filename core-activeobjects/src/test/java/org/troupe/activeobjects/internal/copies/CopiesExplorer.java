package org.troupe.activeobjects.internal.copies;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.copies.SimulatedCopies.SimulatedNode;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.LostJournalException;

/**
 * Drives the copies of one journal through a random order of events. Its writer is restarted when
 * its node is lost, moves, and is deleted and made again under the same name, as a named object is.
 */
final class CopiesExplorer {

  private static final String NAME = "named-17";
  private static final int NODES = 4;
  private static final int LEAST_ALIVE = 3;
  private static final int STEPS = 400;
  private static final int MOST_NODES = 16;

  /** One in so many losses follows another one closely, so that all copies may be lost. */
  private static final int MOST_QUIET = 12;

  private final long seed;
  private final Random random;
  private final SimulatedCopies grid = new SimulatedCopies(NODES);

  private int writer = -1; // the node of the writer; -1: there is none
  private @Nullable Journal journal;
  private long epoch;
  private int generation; // of the journal
  private volatile long acknowledged; // the last record that was
  private @Nullable CompletableFuture<?> action; // of the writer, which blocks
  private @Nullable Runnable afterwards;
  private boolean exists;
  private int losses;
  private int restarts;
  private int deletions;

  CopiesExplorer(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  int losses() {
    return losses;
  }

  int restarts() {
    return restarts;
  }

  int deletions() {
    return deletions;
  }

  void explore() {
    for (var step = 0; step < STEPS; step++) {
      proceed();
      switch (random.nextInt(22)) {
        case 0 -> lose();
        case 1 -> leave();
        case 2 -> join();
        case 3, 20, 21 -> begin();
        case 4, 5, 6 -> append();
        case 7 -> appendAndWait();
        case 8 -> image();
        case 9, 10 -> grid.expire(anyLiving().number);
        case 11, 12, 13 -> grid.learn(anyLiving().number);
        default -> deliver();
      }
    }
    rest();
    for (var attempt = 0; attempt < 10 && writer < 0; attempt++) {
      begin();
      rest();
    }
    if (writer >= 0) {
      delete();
      rest();
    }
    for (var round = 0; round < 3; round++) { // orphans of lost nodes
      for (var each : grid.living()) {
        grid.expire(each.number);
      }
      grid.settle();
    }
    require(!exists, "the journal is there");
    for (var each : grid.living()) {
      require(
          each.table.names().isEmpty(),
          "node %s still has %s".formatted(each, each.table.head(NAME)));
    }
  }

  private void rest() {
    for (var i = 0; i < 10; i++) {
      grid.settle();
      proceed();
    }
    require(action == null, "the writer waits for ever: " + action);
  }

  private void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError("seed " + seed + ": " + what);
    }
  }

  private SimulatedNode anyLiving() {
    var living = grid.living();
    return living.get(random.nextInt(living.size()));
  }

  private void deliver() {
    var links = grid.busyLinks();
    if (!links.isEmpty()) {
      grid.deliver(links.get(random.nextInt(links.size())));
    }
  }

  // The members

  private void lose() {
    var lost = anyLiving().number;
    var isQuiet = writer >= 0 && grid.living().stream().noneMatch(SimulatedNode::hasNews);
    if (grid.living().size() > LEAST_ALIVE && (isQuiet || random.nextInt(MOST_QUIET) == 0)) {
      grid.kill(lost);
      if (lost == writer) {
        writer = -1;
        journal = null;
      }
    }
  }

  private void leave() {
    var node = anyLiving();
    if (node.isLeaving) { // its last step
      if (node.number != writer && action == null && grid.living().size() > LEAST_ALIVE) {
        var left =
            grid.begin(
                () -> {
                  node.table.leave();
                  return true;
                });
        perform(left, () -> grid.kill(node.number));
      }
    } else if (random.nextBoolean()) {
      grid.leaving(node.number);
    }
  }

  private void join() {
    if (grid.living().size() < NODES && grid.size() < MOST_NODES) {
      grid.join();
    }
  }

  // The writer

  private void perform(CompletableFuture<?> begun, Runnable then) {
    action = begun;
    afterwards = then;
  }

  /** Goes on behind an action that is over. */
  private void proceed() {
    var its = action;
    if (its != null && its.isDone()) {
      var then = afterwards;
      action = null;
      afterwards = null;
      if (then != null) {
        then.run();
      }
    }
  }

  /** Makes the writer, makes it again after a loss, or moves or deletes it. */
  private void begin() {
    if (action != null) {
      return;
    }
    if (writer >= 0) {
      if (random.nextInt(8) == 0) {
        delete();
      } else if (random.nextInt(4) == 0) {
        move();
      }
    } else if (!exists) {
      create();
    } else if (grid.living().stream().noneMatch(SimulatedNode::hasNews)) { // the fence
      restart();
    }
  }

  private void create() {
    var node = anyLiving();
    if (node.candidates().isEmpty() || node.isLeaving) {
      return;
    }
    var made = grid.begin(() -> node.journals.create(NAME, 0));
    perform(
        made,
        () -> {
          if (!node.lives || made.isCompletedExceptionally()) {
            return; // there is no other node
          }
          journal = value(made);
          generation++;
          epoch = 0;
          acknowledged = 0;
          exists = true;
          writer = node.number;
          image();
        });
  }

  private <T> T value(CompletableFuture<T> done) {
    try {
      return done.get();
    } catch (ExecutionException | InterruptedException failure) {
      throw new AssertionError("seed " + seed, failure);
    }
  }

  private void restart() {
    restarts++;
    open(anyLiving());
  }

  private void open(SimulatedNode node) {
    var next = epoch + 1;
    epoch = next;
    var opened = grid.begin(() -> node.journals.openExisting(NAME, next));
    perform(
        opened,
        () -> {
          if (!node.lives) {
            return; // it is made again elsewhere
          }
          try {
            var its = opened.get();
            check(its);
            journal = its;
            writer = node.number;
          } catch (ExecutionException failure) {
            if (!(failure.getCause() instanceof LostJournalException)) {
              return; // as a restart that fails is repeated
            }
            losses++;
            exists = false;
            for (var each : grid.living()) {
              require(each.table.names().isEmpty(), "it is lost, but node " + each + " has it");
            }
          } catch (InterruptedException | IOException failure) {
            throw new AssertionError(failure);
          }
        });
  }

  private void check(Journal found) throws IOException {
    var numbers = new ArrayList<Long>();
    var image = found.image();
    if (image.isPresent()) {
      var content = ByteBuffer.wrap(image.get().content());
      require(content.getInt() == generation, "the image is one of a deleted journal");
      require(content.getLong() == image.get().upTo(), "the image has another content");
    }
    found.records(
        (number, content) -> {
          var record = ByteBuffer.wrap(content);
          require(record.getInt() == generation, "a record is one of a deleted journal");
          require(record.getLong() == number, "a record has another content");
          numbers.add(number);
        });
    require(
        found.last() >= acknowledged,
        "found up to %d, but %d was acknowledged".formatted(found.last(), acknowledged));
    var first = image.map(each -> each.upTo()).orElse(0L) + 1;
    for (var i = 0; i < numbers.size(); i++) {
      require(numbers.get(i) == first + i, "the records have gaps: " + numbers);
    }
    acknowledged = found.last(); // a restarted object depends on all that it has found
  }

  private void append() {
    var its = journal;
    if (its == null || action != null) {
      return;
    }
    var ofGeneration = generation;
    var node = grid.node(writer);
    try {
      var number = its.last() + 1;
      var record = ByteBuffer.allocate(12).putInt(generation).putLong(number).flip();
      its.append(record);
      its.stable(number)
          .thenRun(
              () -> {
                if (generation == ofGeneration && node.lives) {
                  acknowledged = Math.max(acknowledged, number);
                }
              });
    } catch (IOException failure) {
      throw new AssertionError("seed " + seed, failure);
    }
  }

  /** Appends a record, for which the thread of the writer waits. */
  private void appendAndWait() {
    var its = journal;
    if (its == null || action != null) {
      return;
    }
    append();
    var number = its.last();
    var waiting =
        grid.begin(
            () -> {
              its.awaitStable(number);
              return true;
            });
    perform(waiting, () -> {});
  }

  private void image() {
    var its = journal;
    if (its == null || action != null) {
      return;
    }
    var upTo = its.last();
    var content = ByteBuffer.allocate(12).putInt(generation).putLong(upTo).flip();
    var written =
        grid.begin(
            () -> {
              its.replace(upTo, content);
              return true;
            });
    perform(written, () -> {});
  }

  private void move() {
    var its = journal;
    var to = anyLiving();
    if (its == null || to.number == writer || to.isLeaving) {
      return;
    }
    var from = grid.node(writer);
    var closed =
        grid.begin(
            () -> {
              its.close();
              return true;
            });
    perform(
        closed,
        () -> {
          journal = null;
          writer = -1; // if it is lost meanwhile, it is made again
          if (from.lives && to.lives && !closed.isCompletedExceptionally()) {
            open(to);
          }
        });
  }

  private void delete() {
    var node = grid.node(writer);
    if (node.table.owned(NAME) == null) {
      return;
    }
    journal = null;
    var deleted =
        grid.begin(
            () -> {
              node.journals.delete(NAME);
              return true;
            });
    perform(
        deleted,
        () -> {
          if (node.lives) {
            value(deleted);
            deletions++;
            exists = false;
            writer = -1;
            generation++;
            for (var each : grid.living()) {
              require(
                  each.table.names().isEmpty(),
                  "after the deletion on node %s, node %s has %s"
                      .formatted(node, each, each.table.head(NAME)));
            }
          }
        });
  }
}
