package org.troupe.stubs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class StubsTest {

  private final RecordingHandler handler = new RecordingHandler();

  static class Solver {
    private final int cells;
    private double time;

    Solver(int cells) {
      this.cells = cells;
    }

    public void step(double dt) {
      time += dt;
    }

    protected int cells() {
      return cells;
    }

    double time() {
      return time;
    }

    static int instances() {
      return 1;
    }

    private void reset() {
      time = 0;
    }

    public void restart() {
      reset();
    }
  }

  @Test
  void listsEveryOverridableMethodInOneOrder() {
    assertThat(Stubs.define(Solver.class).methods())
        .extracting(StubMethod::toString)
        .containsExactly(
            "cells()",
            "equals(Object)",
            "hashCode()",
            "restart()",
            "step(double)",
            "time()",
            "toString()");
    assertThat(Stubs.define(Solver.class).methods())
        .extracting(StubMethod::index)
        .containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(Stubs.define(Solver.class).methods().get(4).descriptor()).isEqualTo("(D)V");
  }

  @Test
  void passesEveryCallToTheHandler() {
    Solver stub = Stubs.define(Solver.class).newStub(handler);
    handler.answer = 7;

    stub.step(0.5);
    assertThat(stub.cells()).isEqualTo(7);
    assertThat(stub.hashCode()).isEqualTo(7);
    handler.answer = true;
    assertThat(stub.equals("x")).isTrue();
    handler.answer = 2.5;
    assertThat(stub.time()).isEqualTo(2.5);

    assertThat(handler.calls)
        .containsExactly("boxed 4[0.5]", "boxed 0[]", "boxed 2[]", "boxed 1[x]", "boxed 5[]");
  }

  @Test
  void callsRealObjectsByIndex() throws Throwable {
    var solver = new Solver(9);
    StubClass<Solver> stubs = Stubs.define(Solver.class);

    assertThat(stubs.invoke(4, solver, new Object[] {0.25})).isNull();
    assertThat(stubs.invoke(5, solver, null)).isEqualTo(0.25);
    assertThat(stubs.invoke(0, solver, new Object[0])).isEqualTo(9);
    assertThat(stubs.invoke(1, solver, new Object[] {solver})).isEqualTo(true);
    assertThatThrownBy(() -> stubs.invoke(7, solver, null))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> stubs.invoke(-1, solver, null))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> stubs.invoke(0, "no solver", null))
        .isInstanceOf(ClassCastException.class);
  }

  @Test
  void knowsItsStubs() {
    Solver stub = Stubs.define(Solver.class).newStub(handler);

    assertThat(Stubs.handlerOf(stub)).isSameAs(handler);
    assertThat(Stubs.handlerOf(new Solver(1))).isNull();
    assertThat(Stubs.handlerOf(null)).isNull();
    assertThat(Stubs.typeOf(stub)).isEqualTo(Solver.class);
    assertThatThrownBy(() -> Stubs.typeOf("text"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.String is no stub");
    assertThat(handler.calls).isEmpty();
  }

  @Test
  void remembersAClassPerTypeAndKind() {
    assertThat(Stubs.define(Solver.class)).isSameAs(Stubs.define(Solver.class));
    assertThat(Stubs.define(Solver.class, Typed.class)).isNotSameAs(Stubs.define(Solver.class));
    assertThat(Stubs.define(List.class)).isSameAs(Stubs.define(List.class));
  }

  @Test
  void throwsWhatTheHandlerThrowsUnchanged() {
    Solver stub = Stubs.define(Solver.class).newStub(handler);
    handler.failure = new IOException("not declared");

    assertThat(catchThrowable(() -> stub.step(1))).isSameAs(handler.failure);
  }

  interface Shapes {
    void none();

    long one(long a);

    boolean mixed(byte b, Object o, char c, String s, float f, double[] d, short h, boolean z);

    int pair(Object a, String b);

    String varargs(String... parts);

    default int twice(int n) {
      return 2 * n;
    }
  }

  /** A kind with overloads of several shapes. */
  public static final class Typed extends RecordingHandler {
    public Object call(int method) throws Throwable {
      return record("()", method, List.of());
    }

    public Object call(int method, long a) throws Throwable {
      return record("(long)", method, List.of(a));
    }

    public Object call(int method, Object a, Object b) throws Throwable {
      return record("(Object,Object)", method, List.of(a, b));
    }

    public Object call(int m, byte b, Object o, char c, Object s, float f, Object d, short h)
        throws Throwable {
      throw new AssertionError("one parameter short");
    }
  }

  @Test
  void picksTheOverloadThatMatchesExactly() {
    Shapes stub = Stubs.define(Shapes.class, Typed.class).newStub(typed);
    typed.answer = 5L;
    stub.none();
    assertThat(stub.one(3)).isEqualTo(5);
    typed.answer = 4;
    assertThat(stub.pair(1, "b")).isEqualTo(4);
    assertThat(stub.twice(21)).isEqualTo(4);
    typed.answer = true;
    Object d = new double[0];
    assertThat(stub.mixed((byte) 1, "o", 'c', "s", 1.5f, (double[]) d, (short) 2, true)).isTrue();

    assertThat(typed.calls)
        .containsExactly(
            "() 3[]",
            "(long) 4[3]",
            "(Object,Object) 5[1, b]",
            "boxed 7[21]",
            "boxed 2[1, o, c, s, 1.5, " + d + ", 2, true]");
  }

  private final Typed typed = new Typed();

  /** A kind that is an interface. */
  public interface Narrow extends CallHandler {
    Object call(int method, Object only);
  }

  @Test
  void takesAnInterfaceAsKind() {
    var seen = new ArrayList<Object>();
    Comparator<?> stub =
        Stubs.define(Comparator.class, Narrow.class)
            .newStub(
                new Narrow() {
                  @Override
                  public Object call(int method, Object only) {
                    seen.add(only);
                    return true;
                  }

                  @Override
                  public Object call(int method, Object[] arguments) {
                    throw new AssertionError();
                  }
                });
    boolean _ = stub.equals("other");
    assertThat(seen).containsExactly("other");
  }

  @Test
  void refusesAHandlerOfAnotherKind() {
    assertThatThrownBy(() -> Stubs.define(Shapes.class, Typed.class).newStub(handler))
        .isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> Stubs.define(Shapes.class).newStub(null))
        .isInstanceOf(NullPointerException.class);
  }

  interface Hidden extends CallHandler {}

  @Test
  void refusesAKindThatIsNotPublic() {
    assertThatThrownBy(() -> Stubs.define(Shapes.class, Hidden.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not public");
  }

  @Test
  void standsForInterfacesOfTheJdk() throws Throwable {
    List<?> list = Stubs.define(List.class).newStub(handler);
    handler.answer = 3;
    assertThat(list.size()).isEqualTo(3);
    Stubs.define(Runnable.class).newStub(handler).run();
    handler.answer = "called";
    assertThat(Stubs.define(Callable.class).newStub(handler).call()).isEqualTo("called");

    StubClass<Runnable> runnables = Stubs.define(Runnable.class);
    var ran = new boolean[1];
    Runnable real = () -> ran[0] = true;
    runnables.invoke(index(runnables, "run()"), real, null);
    assertThat(ran[0]).isTrue();
    assertThat(runnables.invoke(index(runnables, "hashCode()"), real, null))
        .isEqualTo(real.hashCode());
  }

  static int index(StubClass<?> stubs, String method) {
    return stubs.methods().stream()
        .filter(m -> m.toString().equals(method))
        .findFirst()
        .orElseThrow()
        .index();
  }
}
