package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.OwnFailures;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.RequestInService;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * A logged object that is made again sends a call again that a queue has accepted: the queue does
 * not refuse it then.
 */
@Timeout(120)
class ResentCallsTest {

  private static final String GATE = "ResentCallsTest";
  private static final int MUCH_BYTES = 40 << 20; // two of these fill a link

  private final OwnFailures failures = OwnFailures.of(ResentCallsTest.class);
  private final FaultyTransport transport = new FaultyTransport();
  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Serves its first call at a gate. */
  public static class Register {
    private volatile List<Integer> served = List.of();

    public int count(int number) {
      if (served.isEmpty()) {
        Cell.gate(GATE + " is reached").countDown();
        Waits.await(Cell.gate(GATE), "the gate");
      }
      served = Stream.concat(served.stream(), Stream.of(number)).toList();
      return number;
    }

    public void take(int number, byte[] much) {
      count(number);
    }

    public String greet(Clerk clerk) {
      Cell.gate(GATE + " is reached").countDown();
      Waits.await(Cell.gate(GATE), "the gate");
      return "hello, " + clerk.name();
    }

    @Immediate
    public List<Integer> served() { // the queue may be full
      return served;
    }
  }

  /** Calls a register. */
  public static class Clerk {
    public int count(Register register, int number) {
      return register.count(number);
    }

    public void fill(Register register, int count, int bytes) {
      for (var i = 1; i <= count; i++) {
        register.take(i, new byte[bytes]);
      }
      register.take(count + 1, new byte[1]);
    }

    public String giveUp(Register register, int number) {
      var limited = ActiveObjects.ref(register).within(Duration.ofMillis(1));
      try {
        return "answer " + limited.ask(each -> each.count(number)).join();
      } catch (CompletionException late) {
        return String.valueOf(late.getMessage());
      }
    }

    public String giveUpWaiting(Register register, int number) {
      try {
        var limited = ActiveObjects.ref(register).within(Duration.ofMillis(1)).stub();
        return "answer " + limited.count(number);
      } catch (CallTimeoutException late) {
        return String.valueOf(late.getMessage());
      }
    }

    public String cancel(Register register, int number) {
      var asked = ActiveObjects.ref(register).ask(each -> each.count(number));
      return asked.cancel(true) ? "cancelled" : "answered";
    }

    public String name() {
      return "clerk";
    }

    public int tell(Register register, int number) {
      ActiveObjects.ref(register).tell(each -> each.count(number));
      return number;
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    ActiveObjects.onFailure(failures);
    grid = InProcessGrid.start(3, transport);
  }

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(CountDownLatch::countDown);
    Cell.GATES.clear();
    transport.letThrough();
    grid.close();
    ActiveObjects.onFailure(null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areNotRefusedByAFullQueue(boolean isCalledKept) {
    var kept = Options.STANDARD.withKeep(Keep.calls(Store.directory(folder.resolve("store"))));
    var bounded = (isCalledKept ? kept : Options.STANDARD).withQueueBound(1).refusing();
    var register = ActiveObjects.on(grid.get(1)).with(bounded).create(Register.class);
    var restarted = kept.withRestart(Restart.elsewhere());
    var clerk =
        ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(restarted).create(Clerk.class));
    var answer = clerk.ask(each -> each.count(register, 1));
    Waits.await(Cell.gate(GATE + " is reached"), "the call");
    IntStream.of(1, 2)
        .mapToObj(each -> ActiveObjects.ref(ActiveObjects.on(grid.get(each)).create(Clerk.class)))
        .forEach(each -> valueOf(each.ask(other -> other.tell(register, 2)), "a full queue"));

    grid.kill(0);
    Waits.until(() -> answer.isDone() || waits(clerk), "the call, sent again");
    Cell.gate(GATE).countDown();

    assertThat((int) valueOf(answer, "the answer")).isEqualTo(1);
    Waits.until(() -> register.served().size() > 2, "all calls");
    assertThat(register.served()).containsExactly(1, 2, 2);
    assertThat(failures.all()).isEmpty();
  }

  /**
   * The called object waits for its caller, which therefore cannot wait for a place in its queue.
   */
  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void areSentLaterToAFullQueue(boolean isCalledKept, boolean hasImage) {
    var kept = Options.STANDARD.withKeep(Keep.calls(Store.directory(folder.resolve("store"))));
    var bounded = (isCalledKept ? kept : Options.STANDARD).withQueueBound(1);
    var register = ActiveObjects.on(grid.get(1)).with(bounded).create(Register.class);
    var restarted = kept.withRestart(Restart.elsewhere());
    var clerk =
        ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(restarted).create(Clerk.class));
    var stub = clerk.stub();
    var greeting = ActiveObjects.ref(register).ask(each -> each.greet(stub));
    Waits.await(Cell.gate(GATE + " is reached"), "the greeting");
    transport.keep(2, 1); // the clerk does not learn that its call was taken
    var noted = clerk.ask(each -> each.tell(register, 1));
    assertThat((int) valueOf(noted, "a call of the clerk")).isEqualTo(1);
    if (hasImage) {
      valueOf(clerk.checkpoint(), "an image");
    }
    IntStream.of(1, 2)
        .mapToObj(each -> ActiveObjects.ref(ActiveObjects.on(grid.get(each)).create(Clerk.class)))
        .forEach(each -> valueOf(each.ask(other -> other.tell(register, 2)), "a full queue"));

    grid.kill(0);
    Waits.until(() -> isMadeAgain(clerk), "the clerk, made again");
    Cell.gate(GATE).countDown();

    assertThat(valueOf(greeting, "the greeting")).isEqualTo("hello, clerk");
    assertThat((int) valueOf(clerk.ask(each -> each.count(register, 3)), "a call")).isEqualTo(3);
    Waits.until(() -> register.served().size() > 3, "all calls");
    assertThat(register.served()).containsExactlyInAnyOrder(1, 2, 2, 3);
    assertThat(failures.all()).isEmpty();
  }

  /**
   * A caller waits for space in the link to a node that its object has left, and that is lost: it
   * calls the object where it is now.
   */
  @Test
  void areSentToWhereTheObjectIsIfTheLinkWasFull() {
    var kept =
        Options.STANDARD
            .withKeep(Keep.calls(Store.directory(folder.resolve("store"))))
            .withRestart(Restart.elsewhere());
    Cell.gate(GATE).countDown();
    var register = ActiveObjects.on(grid.get(1)).create(Register.class);
    var clerk = ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(kept).create(Clerk.class));
    transport.keep(1, 2); // from the first node to the second one
    var filled = clerk.tell(each -> each.fill(register, 2, MUCH_BYTES));
    var target = Reference.require(clerk.stub()).target();
    var body = Objects.requireNonNull(grid.member(0).node().objects().body(target.number()));
    Waits.until(
        () -> body.inService() instanceof RequestInService it && it.crowdedLink() != null,
        "the full link");
    valueOf(ActiveObjects.ref(register).move(grid.get(2).id()), "the move");

    grid.kill(1);

    valueOf(filled, "the calls");
    assertThat((int) valueOf(clerk.ask(each -> each.count(register, 4)), "a call")).isEqualTo(4);
    // The register is not kept: what was on its way by the lost node is lost.
    assertThat(register.served()).endsWith(3, 4);
    assertThat(failures.all()).noneMatch(each -> each.contains("has moved"));
  }

  /** Gives up a call of a clerk. */
  private enum GivenUp {
    WAIT {
      @Override
      String call(Clerk clerk, Register register, int number) {
        return clerk.giveUpWaiting(register, number);
      }
    },
    RESULT {
      @Override
      String call(Clerk clerk, Register register, int number) {
        return clerk.giveUp(register, number);
      }
    },
    CANCELLED {
      @Override
      String call(Clerk clerk, Register register, int number) {
        return clerk.cancel(register, number);
      }
    };

    abstract String call(Clerk clerk, Register register, int number);
  }

  static Stream<Arguments> givenUp() {
    return Stream.of(GivenUp.values())
        .flatMap(
            each ->
                Stream.of(
                    Arguments.of(each, true, true),
                    Arguments.of(each, true, false),
                    Arguments.of(each, false, true),
                    Arguments.of(each, false, false)));
  }

  /** The called object may lack a call that its caller has given up. */
  @ParameterizedTest
  @MethodSource("givenUp")
  void areThoseThatWereGivenUp(GivenUp way, boolean isCalledKept, boolean hasImage) {
    var kept =
        Options.STANDARD
            .withKeep(Keep.calls(Store.directory(folder.resolve("store"))))
            .withRestart(Restart.elsewhere());
    var called = isCalledKept ? kept : Options.STANDARD;
    var register = ActiveObjects.on(grid.get(1)).with(called).create(Register.class);
    var clerk = ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(kept).create(Clerk.class));
    Cell.gate(GATE).countDown();
    assertThat((int) valueOf(clerk.ask(each -> each.count(register, 1)), "a call")).isEqualTo(1);
    transport.keep(1, 2); // from the first node to the second one
    String late = valueOf(clerk.ask(each -> way.call(each, register, 2)), "a call given up");
    assertThat(late).contains(way == GivenUp.CANCELLED ? "cancelled" : "was not answered within");
    if (hasImage) {
      valueOf(clerk.checkpoint(), "an image");
    }

    grid.kill(0);
    assertThat((int) valueOf(clerk.ask(each -> each.count(register, 3)), "a call")).isEqualTo(3);

    assertThat(register.served()).containsExactly(1, 2, 3);
  }

  private boolean isMadeAgain(Ref<Clerk> clerk) {
    return guests(clerk).findAny().isPresent();
  }

  private boolean waits(Ref<Clerk> clerk) {
    return guests(clerk).anyMatch(body -> body.waitingFor != null);
  }

  private Stream<Body> guests(Ref<Clerk> clerk) {
    var target = Reference.require(clerk.stub()).target();
    return IntStream.of(1, 2)
        .mapToObj(each -> grid.member(each).node().moved().here(target.birth(), target.number()))
        .flatMap(Stream::ofNullable);
  }
}
