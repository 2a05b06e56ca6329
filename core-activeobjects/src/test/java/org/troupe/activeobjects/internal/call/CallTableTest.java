package org.troupe.activeobjects.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Gate;
import org.troupe.activeobjects.UnsuitableClassException;
import org.troupe.futures.Futures;

@Timeout(60)
class CallTableTest {

  record Point(int x, int y) {}

  enum Colour {
    RED
  }

  sealed interface Shape permits Circle {}

  record Circle(double radius) implements Shape {}

  static class Field {
    private final int size;

    Field(int size) {
      this.size = size;
    }

    int size() {
      return size;
    }
  }

  static class BadTemper extends Exception {
    BadTemper(String message) {
      super(message);
    }
  }

  interface Greeter<T> {
    T greet(T whom);

    default String politely(String whom) {
      return "Dear " + whom;
    }
  }

  static class FieldGreeter implements Greeter<Field> {
    @Override
    public Field greet(Field whom) {
      return new Field(whom.size() + 1);
    }
  }

  static class Base {
    Object thing() {
      return "base";
    }
  }

  static class Derived extends Base {
    @Override
    Field thing() {
      return new Field(7);
    }
  }

  static class All {
    private int steps;

    void step() {
      steps++;
    }

    void hold(Gate gate) {
      gate.pass();
    }

    int steps() {
      return steps;
    }

    boolean aBoolean() {
      return true;
    }

    byte aByte() {
      return 1;
    }

    short aShort() {
      return 2;
    }

    char aChar() {
      return 'c';
    }

    long aLong() {
      return 4;
    }

    float aFloat() {
      return 5.5f;
    }

    double aDouble(byte a, short b, char c, int d, long e, float f, double g, boolean h) {
      return a + b + c + d + e + f + g + (h ? 1 : 0);
    }

    Point point() {
      return new Point(1, 2);
    }

    String string() {
      return "text";
    }

    Colour colour() {
      return Colour.RED;
    }

    Shape shape() {
      return new Circle(2);
    }

    int[] array() {
      return new int[] {1, 2, 3};
    }

    Optional<String> optional() {
      return Optional.of("some");
    }

    Object object() {
      return new Field(3);
    }

    <T> T same(T value) {
      return value;
    }

    <T extends Field> T bounded(T value) {
      return value;
    }

    Field field() {
      return new Field(42);
    }

    List<String> list(Gate gate) {
      gate.pass();
      return List.of("a", "b");
    }

    CompletableFuture<Integer> later() {
      return CompletableFuture.completedFuture(9);
    }

    CompletionStage<Integer> stage() {
      return later();
    }

    Future<Integer> future() {
      return later();
    }

    void strictly(boolean fail) throws BadTemper {
      if (fail) {
        throw new BadTemper("no");
      }
    }

    Field checkedField() throws IOException {
      throw new IOException("disk");
    }

    String varied(String... words) {
      return String.join(" ", words);
    }

    Field unchecked() throws IllegalStateException {
      throw new IllegalStateException("declared, but unchecked");
    }
  }

  private final All all = ActiveObjects.here().create(All.class);

  @BeforeEach
  void close() {
    Gate.closeAll();
  }

  @Test
  void voidReturnsAtOnce() {
    all.hold(Gate.ONE);
    all.step();
    all.step();
    Gate.ONE.open();
    assertThat(all.steps()).isEqualTo(2);
  }

  @Test
  void reifiableResultsComeAsTransparentFutures() {
    var list = all.list(Gate.ONE);
    assertThat(Futures.isAwaited(list)).isTrue();
    Gate.ONE.open();
    assertThat(list).containsExactly("a", "b");
    assertThat(all.field().size()).isEqualTo(42);
  }

  @Test
  void completableFuturesComeAtOnce() throws Exception {
    all.hold(Gate.ONE);
    var later = all.later();
    var stage = all.stage();
    var future = all.future();
    assertThat(later.isDone()).isFalse();
    Gate.ONE.open();
    assertThat(later.join()).isEqualTo(9);
    assertThat(stage.toCompletableFuture().join()).isEqualTo(9);
    assertThat(future.get()).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everythingElseWaits(boolean virtual) throws Exception {
    var done = new CompletableFuture<Void>();
    Runnable work =
        () -> {
          try {
            assertThat(all.aBoolean()).isTrue();
            assertThat(all.aByte()).isEqualTo((byte) 1);
            assertThat(all.aShort()).isEqualTo((short) 2);
            assertThat(all.aChar()).isEqualTo('c');
            assertThat(all.steps()).isZero();
            assertThat(all.aLong()).isEqualTo(4);
            assertThat(all.aFloat()).isEqualTo(5.5f);
            assertThat(all.aDouble((byte) 1, (short) 2, (char) 3, 4, 5, 6, 7, true)).isEqualTo(29);
            assertThat(all.point()).isEqualTo(new Point(1, 2));
            assertThat(all.string()).isEqualTo("text");
            assertThat(all.colour()).isSameAs(Colour.RED);
            assertThat(all.shape()).isEqualTo(new Circle(2));
            assertThat(all.array()).containsExactly(1, 2, 3);
            assertThat(all.optional()).contains("some");
            assertThat(all.object()).isExactlyInstanceOf(Field.class);
            assertThat(all.same("value")).isEqualTo("value");
            assertThat(all.<String>same(null)).isNull();
            assertThat(all.bounded(new Field(5))).isExactlyInstanceOf(Field.class);
            assertThat(all.varied("a", "b")).isEqualTo("a b");
            done.complete(null);
          } catch (Throwable failure) {
            done.completeExceptionally(failure);
          }
        };
    (virtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(work);
    done.get();
  }

  @Test
  void checkedExceptionsAreThrownAtTheCall() throws Exception {
    all.strictly(false);
    assertThatThrownBy(() -> all.strictly(true))
        .isExactlyInstanceOf(BadTemper.class)
        .hasMessage("no");
    assertThatThrownBy(all::checkedField).isExactlyInstanceOf(IOException.class);
  }

  @Test
  void uncheckedExceptionsInThrowsDoNotMakeACallWait() {
    var field = all.unchecked();
    assertThatThrownBy(field::size).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void genericInterfacesBridgesAndDefaultMethodsWork() {
    FieldGreeter own = ActiveObjects.here().create(FieldGreeter.class);
    Greeter<Field> general = own;
    assertThat(own.greet(new Field(1)).size()).isEqualTo(2);
    assertThat(general.greet(new Field(2)).size()).isEqualTo(3);
    assertThat(general.politely("Ishmael")).isEqualTo("Dear Ishmael");
    assertThat(ActiveObjects.ref(own).ask(g -> g.greet(new Field(3))).join().size()).isEqualTo(4);
    assertThat(ActiveObjects.ref(general).ask(g -> g.greet(new Field(4))).join().size())
        .isEqualTo(5);

    Base derived = ActiveObjects.here().create(Derived.class);
    assertThat(((Field) derived.thing()).size()).isEqualTo(7);
  }

  @Test
  void aReferenceCallsByAnInterfaceToo() {
    var own = ActiveObjects.here().create(FieldGreeter.class);
    assertThat(own).isInstanceOf(Greeter.class);
    assertThat(ActiveObjects.ref(own).type()).isEqualTo(FieldGreeter.class);
  }

  @Test
  void identityIsAnsweredByTheStub() {
    all.hold(Gate.ONE); // whatever the object is doing
    var same = ActiveObjects.ref(all).stub();
    var other = ActiveObjects.here().create(All.class);

    assertThat(all).isEqualTo(same).isNotEqualTo(other).isNotEqualTo(null).isNotEqualTo("x");
    assertThat(all).hasSameHashCodeAs(same).hasToString("an All on node 'main'");
    assertThat(ActiveObjects.ref(all)).isEqualTo(ActiveObjects.ref(same));
    assertThat(ActiveObjects.isStub(all)).isTrue();
    assertThat(ActiveObjects.isStub("x")).isFalse();
    assertThat(ActiveObjects.isStub(null)).isFalse();
    Gate.ONE.open();
  }

  @Test
  void explainShowsWhatEveryCallDoes() {
    assertThat(ActiveObjects.explain(All.class))
        .startsWith("A call on a stub of " + All.class.getName() + ":")
        .contains(
            "void step()\n      returns at once; a failure goes to the failure handler",
            "Field field()\n      returns at once, with a transparent future",
            "CompletableFuture later()\n      returns at once; the answer completes the future",
            "int steps()\n      waits for the answer: int is primitive; ask(..) returns at once",
            "Point point()\n      waits for the answer: Point is not reifiable: ",
            "Object same(Object)\n      waits for the answer: its result is of a type variable",
            "void strictly(boolean)\n      waits for the answer: it declares a checked exception",
            "String toString()\n      is answered by the stub itself");
  }

  static class Flawed {
    public int count;

    public final int total() {
      return count;
    }
  }

  @Test
  void explainAndCreateListEveryReasonAgainstAClass() {
    assertThat(ActiveObjects.explain(Flawed.class))
        .contains("cannot be an active object", "'total()'", "'count'");
    assertThatThrownBy(() -> ActiveObjects.here().create(Flawed.class))
        .isInstanceOf(UnsuitableClassException.class)
        .hasMessage(ActiveObjects.explain(Flawed.class));
    assertThatThrownBy(() -> ActiveObjects.here().createAsync(Flawed.class))
        .isInstanceOf(UnsuitableClassException.class);
    assertThatThrownBy(() -> ActiveObjects.here().turnActive(new Flawed()))
        .isInstanceOf(UnsuitableClassException.class);
    assertThatThrownBy(() -> ActiveObjects.here().create(Point.class, 1, 2))
        .isInstanceOf(UnsuitableClassException.class);
  }
}
