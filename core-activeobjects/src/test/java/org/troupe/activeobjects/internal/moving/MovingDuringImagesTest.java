package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.WrappedJournal;
import org.troupe.activeobjects.internal.object.WrappedJournals;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;

/** A kept object is to move while an image of it is under way, or while it sleeps. */
@Timeout(120)
class MovingDuringImagesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static volatile CountDownLatch isWriting = new CountDownLatch(1);
  private static volatile CountDownLatch mayWrite = new CountDownLatch(0);

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Knows where it is. */
  public static class Traveller {
    public String place() {
      return ActiveObjects.node().name();
    }

    @Immediate
    public String placeNow() {
      return place();
    }
  }

  /** How a traveller is kept. */
  enum Kind {
    STATE(Keep::state),
    CALLS(Keep::calls);

    private final Function<Store, Keep> keep;

    Kind(Function<Store, Keep> keep) {
      this.keep = keep;
    }
  }

  /** A store in a directory that writes images when it is told to. */
  record HeldStore(Store.Directory directory) implements Store {
    @Override
    public Journals open(StoreUser user) throws IOException {
      return new WrappedJournals(directory.open(user), HeldJournal::new);
    }

    @Override
    public Journals openExisting(StoreUser user) throws IOException {
      return new WrappedJournals(directory.openExisting(user), HeldJournal::new);
    }
  }

  private static final class HeldJournal extends WrappedJournal {
    HeldJournal(Journal journal) {
      super(journal);
    }

    @Override
    public void replace(long upTo, ByteBuffer... parts) throws IOException {
      isWriting.countDown();
      Waits.await(mayWrite, "the order to write");
      super.replace(upTo, parts);
    }
  }

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(2);
  }

  @AfterEach
  void end() {
    RestartStep.follow(null);
    mayWrite.countDown();
    grid.close();
  }

  private Options kept(Kind kind) {
    return Options.STANDARD.withKeep(
        kind.keep.apply(new HeldStore(Store.directory(folder.resolve("store")))));
  }

  private Body traveller(Options options) {
    var made = ActiveObjects.on(grid.get(0)).with(options).create(Traveller.class);
    return grid.member(0).node().objects().body(Reference.require(made).target().number());
  }

  /** Calls {@code move} on the node of an object. */
  private CompletableFuture<Void> move(Body body, Duration patience) {
    return grid.member(0).mobility().move(Reference.to(body), grid.get(1).id(), patience);
  }

  /** Calls an object, and waits until it has served the call or holds it. */
  private static CompletableFuture<String> ask(Body body, Function<Traveller, String> method) {
    var place = Reference.to(body).as(Traveller.class).ask(method::apply);
    var isBehind = new CountDownLatch(1);
    body.execute(isBehind::countDown); // tasks are served in any case
    Waits.await(isBehind, "a task behind the call");
    return place;
  }

  @ParameterizedTest
  @EnumSource
  void noRequestBeginsAfterTheCallOfMoveWhileAnImageIsWritten(Kind kind) {
    var body = traveller(kept(kind));
    holdImages();
    var image = grid.member(0).node().objects().host().keeper().checkpoint(body);
    Waits.await(isWriting, "the image");
    assertThat(valueOf(ask(body, Traveller::place), "a call before")).isEqualTo("node-1");

    var move = move(body, PATIENCE);
    var place = ask(body, Traveller::place);
    var immediate = ask(body, Traveller::placeNow);
    mayWrite.countDown();

    assertThat(valueOf(place, "the call")).isEqualTo("node-2");
    assertThat(valueOf(immediate, "the immediate call")).isEqualTo("node-2");
    valueOf(move, "the move");
    valueOf(image, "the image");
  }

  @Test
  void anObjectThatFallsAsleepServesNoRequestBeforeItMoves() {
    var fallsAsleep = new CountDownLatch(1);
    var maySleep = new CountDownLatch(1);
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.ASLEEP) {
            fallsAsleep.countDown();
            Waits.await(maySleep, "the order to sleep");
          }
        });
    var body = traveller(kept(Kind.STATE).withIdle(Duration.ofMillis(10)));
    Waits.await(fallsAsleep, "the sleep");

    var move = move(body, PATIENCE);
    var place = ask(body, Traveller::place);
    maySleep.countDown();

    assertThat(valueOf(place, "the call")).isEqualTo("node-2");
    valueOf(move, "the move");
  }

  @Test
  void anObjectGoesOnWhoseImageIsNotStoredWithinThePatience() {
    var body = traveller(kept(Kind.STATE));
    holdImages();
    var image = grid.member(0).node().objects().host().keeper().checkpoint(body);
    Waits.await(isWriting, "the image");

    assertThat(failureOf(move(body, Duration.ofMillis(1)), "the move"))
        .isInstanceOf(MoveException.class)
        .hasMessageContaining("an image of it had not been stored after PT0.001S")
        .hasMessageEndingWith("it goes on where it is");
    assertThat(valueOf(ask(body, Traveller::place), "a call")).isEqualTo("node-1");

    mayWrite.countDown();
    valueOf(image, "the image");
    valueOf(move(body, PATIENCE), "a later move");
    assertThat(valueOf(ask(body, Traveller::place), "a call")).isEqualTo("node-2");
  }

  @Test
  void anObjectGoesOnThatIsNotWokenWithinThePatience() {
    var mayWake = new CountDownLatch(1);
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.WOKEN) {
            Waits.await(mayWake, "the order to wake");
          }
        });
    var body = traveller(kept(Kind.STATE).withIdle(Duration.ofMillis(10)));
    var keeper = grid.member(0).node().objects().host().keeper();
    Waits.until(() -> keeper.report(body).isAsleep(), "the sleep");
    valueOf(keeper.checkpoint(body), "the end of the step to sleep");

    try {
      assertThat(failureOf(move(body, Duration.ofSeconds(1)), "the move"))
          .isInstanceOf(MoveException.class)
          .hasMessageContaining("it sleeps, and had not been woken from its store after PT1S")
          .hasMessageEndingWith("it goes on where it is");
    } finally {
      mayWake.countDown();
    }
    assertThat(valueOf(ask(body, Traveller::place), "a call")).isEqualTo("node-1");

    valueOf(move(body, PATIENCE), "a later move");
    assertThat(valueOf(ask(body, Traveller::place), "a call")).isEqualTo("node-2");
  }

  @ParameterizedTest
  @EnumSource
  void anObjectStoresAnImageForWhichItIsAskedWhileItArrives(Kind kind) {
    var body = traveller(kept(kind));
    var arrives = new CountDownLatch(1);
    var mayArrive = new CountDownLatch(1);
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.STORE_READ) {
            arrives.countDown();
            Waits.await(mayArrive, "the order to arrive");
          }
        });
    var move = move(body, PATIENCE);
    Waits.await(arrives, "the object");

    var image = Reference.to(body).checkpoint();
    var other = ActiveObjects.on(grid.get(1)).create(Traveller.class);
    for (var call = 0; call < 100 && !image.isDone(); call++) { // until the request has arrived
      other.place();
    }
    mayArrive.countDown();

    valueOf(move, "the move");
    valueOf(image, "the image");
  }

  @ParameterizedTest
  @EnumSource
  void anObjectThatHasComeBackStoresAnImage(Kind kind) {
    var body = traveller(kept(kind));
    valueOf(move(body, PATIENCE), "the move");
    valueOf(Reference.to(body).checkpoint(), "an image elsewhere");
    valueOf(Reference.to(body).move(grid.get(0).id()), "the move back");
    valueOf(Reference.to(body).checkpoint(), "an image");
  }

  private static void holdImages() {
    isWriting = new CountDownLatch(1);
    mayWrite = new CountDownLatch(1);
  }

  /** Whether it reaches a safe point at once depends on its thread. */
  @Test
  void anObjectThatIsAwakeIsNotSaidToSleepWhenTheMoveHasNoPatience() {
    var body = traveller(kept(Kind.STATE));
    assertThat(valueOf(ask(body, Traveller::place), "a call")).isEqualTo("node-1");
    var how = move(body, Duration.ZERO).handle((_, failure) -> String.valueOf(failure));
    assertThat(valueOf(how, "the move or its failure")).doesNotContain("sleeps");
  }
}
