package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.LoggedCallers.note;
import static org.troupe.activeobjects.LoggedCallers.served;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.IntStream;
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
import org.troupe.activeobjects.LoggedCallers.Clerk;
import org.troupe.activeobjects.LoggedCallers.Register;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * Calls with names to an object that refuses calls while it is made again: each is served later, or
 * its caller learns that it is not, and none prevents the later ones.
 */
@Timeout(120)
class RefusingObjectsTest {

  private static final String MADE = "RefusingObjectsTest";
  private static final int HOSTS = 4;

  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final Set<Integer> killed = new HashSet<>();
  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Has a reference to a register since it was made. */
  public static class Holder {
    private final Register register;

    public Holder(Register register) {
      this.register = register;
    }

    public int count(int number) {
      return register.count(number);
    }

    public void note(int number) {
      register.note(number);
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    grid = InProcessGrid.start(HOSTS);
    for (var host = 0; host < HOSTS; host++) {
      var its = grid.member(host).node().objects().failures();
      its.handler(failure -> failures.add(failure.cause()));
    }
  }

  @AfterEach
  void end() {
    RestartStep.follow(null);
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    grid.close();
  }

  private Options kept(Restart restart) {
    return Options.STANDARD
        .withKeep(Keep.calls(Store.directory(folder.resolve("store"))))
        .withRestart(restart);
  }

  private <T> Ref<T> create(int host, Options options, Class<T> type, Object... arguments) {
    return ActiveObjects.ref(
        ActiveObjects.on(grid.get(host)).with(options).create(type, arguments));
  }

  /** Kills a node; returns when all others have applied its death. */
  private void kill(int index) {
    killed.add(index);
    grid.kill(index);
    var dead = grid.get(index).id();
    IntStream.range(0, HOSTS)
        .filter(each -> !killed.contains(each))
        .mapToObj(each -> grid.member(each).node().peers())
        .forEach(
            peers ->
                Waits.until(
                    () -> peers.known(dead) instanceof Peer peer && peer.isLost(),
                    "the death of " + dead));
  }

  /** Kills a node whose objects are not made again before {@link #letMake}. */
  private void killAndRefuse(int index) {
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.MAKING) {
            Waits.await(Cell.gate(MADE), "the end of the refusals");
          }
        });
    kill(index);
  }

  /** Lets the object be made again; returns when it serves the calls of a caller. */
  private static <T> void letMake(Ref<T> caller, Function<T, ?> call) {
    Cell.gate(MADE).countDown();
    RestartStep.follow(null);
    Waits.until(
        () -> caller.ask(call::apply).handle((value, failure) -> failure == null).join(),
        "the object, made again");
  }

  /** Waits until an object on the node of its birth waits for the answer of its call. */
  private void awaitCall(Ref<?> caller, int host) {
    var number = Reference.require(caller.stub()).target().number();
    var body = Objects.requireNonNull(grid.member(host).node().objects().body(number));
    Waits.until(() -> body.waitingFor != null, "the call");
  }

  /** The caller is lost, too, and makes its calls again; the one that was refused stays so. */
  @Test
  void refuseTheCallsOfALoggedObjectIfTheyHaveNoLog() {
    var failingFast = Options.STANDARD.withRestart(Restart.elsewhere().failingFast());
    var register = create(0, failingFast, Register.class);
    var clerk = create(1, kept(Restart.elsewhere()), Clerk.class);
    var stub = register.stub();
    note(clerk, register, 0, 1);
    assertThat(served(clerk, register)).containsExactly(0);
    killAndRefuse(0);

    note(clerk, register, 1, 1);
    Waits.until(() -> !failures.isEmpty(), "the report of a one-way call that was refused");
    assertThat(failureOf(clerk.ask(each -> each.countOne(stub, 2)), "a call that was refused"))
        .isInstanceOf(RestartedException.class)
        .hasMessageContaining("the call was not served");

    assertThat(valueOf(clerk.ask(Clerk::place), "a later request")).isEqualTo("node-2");
    kill(1);
    letMake(clerk, each -> each.served(stub));
    note(clerk, register, 3, 1);
    assertThat(served(clerk, register)).containsExactly(3);
    assertThat(failures)
        .singleElement()
        .satisfies(
            each ->
                assertThat(each)
                    .isInstanceOf(RestartedException.class)
                    .hasMessageContaining("the call was not served"));
  }

  /** The caller has not heard that the object has moved, so a former host forwards its calls. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void serveLaterTheCallsThatAFormerHostForwards(boolean isCallerKept) {
    var register = create(0, kept(Restart.elsewhere().failingFast()), Register.class);
    var stub = register.stub();
    var options = isCallerKept ? kept(Restart.elsewhere()) : Options.STANDARD;
    var holder = create(2, options, Holder.class, stub);
    var near = create(0, Options.STANDARD, Clerk.class);
    var far = create(2, Options.STANDARD, Clerk.class);
    var other = create(0, Options.STANDARD, Register.class).stub();
    valueOf(register.move(grid.get(1).id()), "a move");
    killAndRefuse(1);

    valueOf(holder.tell(each -> each.note(1)), "a one-way call");
    var answer = holder.ask(each -> each.count(2));
    awaitCall(holder, 2);
    List<Integer> none = valueOf(far.ask(each -> each.served(other)), "the link to that host");
    assertThat(none).isEmpty();
    isRefused(near, stub);
    letMake(register, Register::served);

    assertThat((int) valueOf(answer, "the answer")).isEqualTo(2);
    assertThat((int) valueOf(holder.ask(each -> each.count(3)), "a later call")).isEqualTo(3);
    assertThat(valueOf(register.ask(Register::served), "the calls")).containsExactly(1, 2, 3);
    assertThat(failures).isEmpty();
  }

  private static void isRefused(Ref<Clerk> plain, Register register) {
    assertThat(failureOf(plain.ask(each -> each.countOne(register, 9)), "a call that is refused"))
        .isInstanceOf(RestartedException.class);
  }

  /** The caller is where the object was created, and calls it by the body that it has left. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void serveTheCallsOfALoggedObjectLaterIfTheyHaveALog(int host) {
    var register = create(0, kept(Restart.elsewhere().failingFast()), Register.class);
    var stub = register.stub();
    var clerk = create(host, kept(Restart.elsewhere()), Clerk.class);
    var near = create(host, Options.STANDARD, Clerk.class);
    valueOf(register.move(grid.get(1).id()), "a move");
    note(clerk, register, 0, 1);
    assertThat(served(clerk, register)).containsExactly(0);
    killAndRefuse(1);

    note(clerk, register, 1, 1);
    var answer = clerk.ask(each -> each.countOne(stub, 2));
    awaitCall(clerk, host);
    isRefused(near, stub);
    letMake(register, Register::served);

    assertThat((int) valueOf(answer, "the answer")).isEqualTo(2);
    note(clerk, register, 3, 1);
    assertThat(served(clerk, register)).containsExactly(0, 1, 2, 3);
    assertThat(failures).isEmpty();
  }
}
