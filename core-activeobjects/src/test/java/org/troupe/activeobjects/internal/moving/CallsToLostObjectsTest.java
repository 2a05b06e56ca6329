package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.WrappedJournal;
import org.troupe.activeobjects.internal.object.WrappedJournals;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;

/**
 * Images of an object that is kept by its calls leave out its one-way calls to objects that have
 * ended or were lost for good, also if such an object had moved, or might have.
 */
@Timeout(120)
class CallsToLostObjectsTest {

  private static final String GATE = "CallsToLostObjectsTest";
  private static final int LARGE = 100_000; // bytes of an argument, far more than of the object

  private static volatile long imageBytes; // of the last one

  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  @TempDir private Path folder;
  private InProcessGrid grid;
  private Ref<Clerk> clerk;

  /** Is called. */
  public static class Register {
    public void note(byte[] content) {}

    public void waitAtGate() {
      Cell.gate(GATE + " is reached").countDown();
      Waits.await(Cell.gate(GATE), "the gate");
    }
  }

  /** Makes calls, and is kept by them. */
  public static class Clerk {
    public void note(Register register) {
      register.note(new byte[LARGE]);
    }
  }

  /** A store in a directory that records the sizes of images. */
  record MeasuredStore(Store.Directory directory) implements Store {
    @Override
    public Journals open(StoreUser user) throws IOException {
      return new WrappedJournals(directory.open(user), MeasuredJournal::new);
    }

    @Override
    public Journals openExisting(StoreUser user) throws IOException {
      return new WrappedJournals(directory.openExisting(user), MeasuredJournal::new);
    }
  }

  private static final class MeasuredJournal extends WrappedJournal {
    MeasuredJournal(Journal journal) {
      super(journal);
    }

    @Override
    public void replace(long upTo, ByteBuffer... parts) throws IOException {
      imageBytes = Arrays.stream(parts).mapToLong(ByteBuffer::remaining).sum();
      super.replace(upTo, parts);
    }
  }

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(3);
    var ofCallers = grid.member(1).node().objects().failures();
    ofCallers.handler(failure -> failures.add(failure.cause()));
    var kept =
        Options.STANDARD.withKeep(
            Keep.calls(new MeasuredStore(Store.directory(folder.resolve("store")))));
    clerk = ActiveObjects.ref(ActiveObjects.on(grid.get(1)).with(kept).create(Clerk.class));
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    grid.close();
  }

  private Ref<Register> register() {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(0)).create(Register.class));
  }

  private static void letWait(Ref<Register> register) {
    register.tell(Register::waitAtGate);
    Waits.await(Cell.gate(GATE + " is reached"), "the request that waits");
  }

  /** Lets the clerk call an object that does not serve the call. */
  private void note(Ref<Register> register, int host) {
    var stub = register.stub();
    valueOf(clerk.tell(each -> each.note(stub)), "a one-way call");
    var target = Reference.require(stub).target();
    var node = grid.member(host).node();
    var guest = node.moved().here(target.birth(), target.number());
    var body = guest != null ? guest : node.objects().body(target.number());
    Waits.until(body::hasQueued, "the call in the queue");
    valueOf(clerk.checkpoint(), "an image");
    assertThat(imageBytes).isGreaterThan(LARGE);
  }

  private void awaitSmallImage() {
    Waits.until(
        () -> {
          valueOf(clerk.checkpoint(), "an image");
          return imageBytes < LARGE;
        },
        "an image without the call");
  }

  @Test
  void leaveOutACallToAnObjectThatMightHaveLeftItsNode() {
    var other = register();
    valueOf(other.move(grid.get(2).id()), "the move of another object of that node");
    var register = register();
    letWait(register);
    note(register, 0);

    grid.kill(0);

    awaitSmallImage();
  }

  @Test
  void leaveOutACallToAnObjectThatHadMoved() {
    var register = register();
    valueOf(register.move(grid.get(2).id()), "the move");
    letWait(register);
    note(register, 2);

    grid.kill(2);

    awaitSmallImage();
  }

  @Test
  void leaveOutACallToAnObjectThatHadMovedAndWasLostAfterTheNodeOfItsBirth() {
    var register = register();
    valueOf(register.move(grid.get(2).id()), "the move");
    letWait(register);
    note(register, 2);

    grid.kill(0);
    valueOf(clerk.checkpoint(), "an image");
    assertThat(imageBytes).isGreaterThan(LARGE);
    grid.kill(2);

    awaitSmallImage();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void leaveOutACallToAnObjectThatHasEnded(int host) {
    var register = register();
    if (host > 0) {
      valueOf(register.move(grid.get(host).id()), "the move");
    }
    var stub = register.stub();
    valueOf(register.terminate(), "the end");

    valueOf(clerk.tell(each -> each.note(stub)), "a one-way call");

    awaitSmallImage();
    Waits.until(() -> !failures.isEmpty(), "the report of that call");
  }

  /** The node of an ordinary caller keeps the calls, rather than an image. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void areNotKeptForOrdinaryCallersIfTheObjectHasEnded(int host) {
    var kept =
        Options.STANDARD
            .withKeep(Keep.calls(Store.directory(folder.resolve("registers"))))
            .withRestart(Restart.elsewhere());
    var register =
        ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(kept).create(Register.class));
    if (host > 0) {
      valueOf(register.move(grid.get(host).id()), "the move");
    }
    var stub = register.stub();
    var plain = ActiveObjects.ref(ActiveObjects.on(grid.get(1)).create(Clerk.class));
    valueOf(register.terminate(), "the end");

    valueOf(plain.tell(each -> each.note(stub)), "a one-way call");
    Waits.until(() -> !failures.isEmpty(), "the report of that call");

    var node = grid.member(1).node();
    Waits.until(() -> node.moved().keptCalls() == 0, "the call, forgotten");
  }
}
