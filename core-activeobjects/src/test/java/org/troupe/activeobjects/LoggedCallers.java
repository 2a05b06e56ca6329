package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Objects that are kept by their calls and made again on other nodes, and an object they call. */
public final class LoggedCallers {

  private static final String GATE = "LoggedCallers";

  private LoggedCallers() {}

  /** Records its calls. */
  public static class Register {
    private final List<Integer> served = new ArrayList<>();

    public void note(int number) {
      served.add(number);
    }

    public int count(int number) {
      served.add(number);
      return number;
    }

    public void waitAtGate() {
      Cell.gate(GATE + " is reached").countDown();
      Waits.await(Cell.gate(GATE), "the gate");
    }

    public List<Integer> served() {
      return List.copyOf(served);
    }
  }

  /** Calls a register. */
  public static class Clerk {
    public void note(Register register, int first, int count) {
      for (var i = first; i < first + count; i++) {
        register.note(i);
      }
    }

    public void count(Register register, int first, int count) {
      for (var i = first; i < first + count; i++) {
        register.count(i);
      }
    }

    public int countOne(Register register, int number) {
      return register.count(number);
    }

    public void askAll(Register register, int first, int count) {
      for (var i = first; i < first + count; i++) {
        var number = i;
        ActiveObjects.ref(register).ask(each -> each.count(number));
      }
    }

    public int noteAndFail(Register register, int number) {
      register.note(number);
      throw new StackOverflowError("deep");
    }

    public int fail() {
      throw new StackOverflowError("deep");
    }

    public List<Integer> served(Register register) {
      return register.served();
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  /** Creates an object that is kept by its calls, and made again on another node. */
  public static <T> Ref<T> kept(Class<T> type, Node node, Path store) {
    var options =
        Options.STANDARD
            .withKeep(Keep.calls(Store.directory(store)))
            .withRestart(Restart.elsewhere());
    return ActiveObjects.ref(ActiveObjects.on(node).with(options).create(type));
  }

  /** Lets a register wait in a request until the gate is opened. */
  public static void waitAtGate(Ref<? extends Register> register) {
    register.tell(Register::waitAtGate);
    Waits.await(Cell.gate(GATE + " is reached"), "the request that waits");
  }

  /** Ends the node of a register that waits in a request; returns when it waits elsewhere. */
  public static void loseAtGate(Runnable loss) {
    Cell.GATES.remove(GATE + " is reached");
    loss.run();
    Waits.await(Cell.gate(GATE + " is reached"), "the request that waits again");
  }

  public static void openGate() {
    Cell.gate(GATE).countDown();
  }

  /** Lets a clerk fail, and be made again on its node. */
  public static void restartInPlace(Ref<Clerk> clerk) {
    var before = valueOf(clerk.ask(Clerk::place), "the node of the clerk");
    assertThat(failureOf(clerk.ask(Clerk::fail), "a failure"))
        .isInstanceOf(StackOverflowError.class);
    assertThat(valueOf(clerk.ask(Clerk::place), "the clerk, made again")).isEqualTo(before);
  }

  /** Lets a clerk make one-way calls. */
  public static void note(
      Ref<Clerk> clerk, Ref<? extends Register> register, int first, int count) {
    Register stub = register.stub();
    valueOf(clerk.tell(each -> each.note(stub, first, count)), "one-way calls");
  }

  /** Returns the calls that a register has served, behind all calls of a clerk. */
  public static List<Integer> served(Ref<Clerk> clerk, Ref<? extends Register> register) {
    Register stub = register.stub();
    return valueOf(clerk.ask(each -> each.served(stub)), "the calls");
  }

  /** Returns the numbers of a register that has served as many calls, each once and in order. */
  public static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }
}
