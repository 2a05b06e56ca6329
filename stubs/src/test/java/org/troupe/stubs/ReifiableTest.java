package org.troupe.stubs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Its own nest: who uses updaters for one class may use them for others of its nest. */
class ByUpdater {
  private volatile int x;
  private static final AtomicIntegerFieldUpdater<ByUpdater> X =
      AtomicIntegerFieldUpdater.newUpdater(ByUpdater.class, "x");

  int of(ByUpdater other) {
    return X.get(other);
  }
}

class OwnUpdater {
  private volatile int x;
  private static final AtomicIntegerFieldUpdater<OwnUpdater> X =
      AtomicIntegerFieldUpdater.newUpdater(OwnUpdater.class, "x");

  int next() {
    return X.incrementAndGet(this);
  }
}

class ReifiableTest {

  static void assertRefused(Class<?> type, String... parts) {
    Reifiable verdict = Reifiable.of(type);
    assertThat(verdict.isReifiable()).as("%s is reifiable", type).isFalse();
    assertThat(verdict.describe())
        .startsWith(type.getTypeName() + " cannot have a stub:\n  - ")
        .contains(parts);
    assertThatThrownBy(() -> Stubs.define(type))
        .isInstanceOfSatisfying(
            NotReifiableException.class, e -> assertThat(e.verdict()).isEqualTo(verdict))
        .hasMessage(verdict.describe());
  }

  static void assertAccepted(Class<?> type) {
    assertThat(Reifiable.of(type).problems()).as("problems of %s", type).isEmpty();
    assertThat(Reifiable.of(type).describe()).isEqualTo(type.getTypeName() + " can have a stub");
    assertThat(Stubs.define(type).newStub(new RecordingHandler())).isInstanceOf(type);
  }

  // Kinds of types.

  record Pair(int a, int b) {}

  enum Colour {
    RED
  }

  sealed interface Shape permits Square {}

  static final class Square implements Shape {}

  @ParameterizedTest
  @ValueSource(classes = {int.class, void.class, int[].class, String[].class, Object.class})
  void refusesWhatHasNoMethodsToIntercept(Class<?> type) {
    assertRefused(type, "use an interface or an ordinary class");
  }

  @Test
  void refusesWhatCannotBeExtended() {
    assertRefused(Pair.class, "a record is", "(ReifiableTest.java)");
    assertRefused(Colour.class, "enum");
    assertRefused(Shape.class, "is sealed", "remove 'sealed'");
    assertRefused(Square.class, "it is final", "remove 'final'");
    assertRefused(String.class, "it is final");
    Runnable hidden = () -> {};
    assertRefused(hidden.getClass(), "hidden class");
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        List.class,
        Map.class,
        Runnable.class,
        Callable.class,
        Comparator.class,
        Iterator.class,
        Function.class,
        CharSequence.class,
        Appendable.class
      })
  void acceptsInterfacesOfTheJdk(Class<?> type) {
    assertAccepted(type);
  }

  @Test
  void refusesClassesOfTheJdkWithVisibleState() {
    assertRefused(ArrayList.class, "field 'modCount' of java.util.AbstractList");
    assertRefused(HashMap.class, "is package-private");
    assertRefused(Thread.class, "is final");
  }

  // Members.

  static class Worker {
    public int count = 3;
    protected long sum;
    private int own;

    public final int total() {
      return own;
    }

    public int fine() {
      return own;
    }
  }

  @Test
  void namesEveryProblemWithItsPlaceAndRemedy() {
    assertThat(Reifiable.of(Worker.class).problems())
        .extracting(Reifiable.Problem::toString)
        .satisfiesExactly(
            p ->
                assertThat(p)
                    .matches(
                        "method 'total\\(\\)' \\(ReifiableTest.java:\\d+\\) is final, so calls to it"
                            + " would run on the caller's stub; remove 'final'"),
            p ->
                assertThat(p)
                    .matches(
                        "field 'count' \\(ReifiableTest.java:\\d+\\) is public, so reads of it would"
                            + " see the caller's stub; make it private"),
            p -> assertThat(p).startsWith("field 'sum' (ReifiableTest.java) is protected"));
    assertThat(Reifiable.of(Worker.class).problems().getFirst().where())
        .matches("ReifiableTest.java:\\d+");
  }

  static class Heir extends Worker {}

  @Test
  void decidesByTheKindOfATypeAsByAllReasons() {
    for (Class<?> type :
        List.of(
            int.class,
            int[].class,
            Object.class,
            String.class,
            Pair.class,
            Colour.class,
            Worker.class,
            List.class,
            ArrayList.class,
            Reifiable.class,
            ByOwnReference.class)) {
      assertThat(Reifiable.canHaveStub(type))
          .as(type.getName())
          .isEqualTo(Reifiable.of(type).isReifiable());
    }
  }

  @Test
  void looksAtSuperclasses() {
    assertRefused(Heir.class, "'total()' of " + Worker.class.getTypeName(), "'count' of");
  }

  // Byte code that reaches into another instance.

  static class Point {
    private final int x;

    Point(int x) {
      this.x = x;
    }

    public int x() {
      return x;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Point p && p.x == x;
    }

    @Override
    public int hashCode() {
      return x;
    }
  }

  static class Copied {
    private int x;

    Copied() {}

    Copied(Copied other) {
      this.x = other.x;
    }
  }

  static class Written {
    private int x;

    void give(Written other) {
      other.x = this.x;
    }
  }

  static class Chain {
    private Chain next;

    Chain last() {
      return next == null ? this : next.next;
    }
  }

  static class Calling {
    private int secret() {
      return 1;
    }

    int of(Calling other) {
      return other.secret();
    }
  }

  static class ByLambda {
    private int x;

    static Comparator<ByLambda> order() {
      return (a, b) -> Integer.compare(a.x, b.x);
    }
  }

  static class ByReference {
    private int x;

    private int x() {
      return x;
    }

    static ToIntFunction<ByReference> unbound() {
      return ByReference::x;
    }
  }

  static class ByBoundReference {
    private int x;

    private int x() {
      return x;
    }

    static Callable<Integer> bound(ByBoundReference other) {
      return other::x;
    }
  }

  static class ByOwnReference {
    private int x;

    private int x() {
      return x;
    }

    Callable<Integer> own() {
      return this::x;
    }

    Callable<Integer> lambda() {
      return () -> x + x();
    }
  }

  static class ReadOutside {
    private int x;
  }

  static int readOutside(ReadOutside r) {
    return r.x;
  }

  static class ReadByOuter {
    private int x;

    private static class Helper {
      int help(ReadByOuter other) {
        return other.x;
      }
    }
  }

  static class Either {
    private int x;

    int either(Either other, boolean mine) {
      Either one = mine ? this : other;
      return one.x;
    }

    int loop(List<Either> all) {
      Either last = new Either();
      for (Either e : all) {
        last = e;
      }
      return last.x;
    }

    int caught(Either other) {
      Either one = this;
      try {
        one = other;
        Integer.parseInt("no number");
        one = this;
      } catch (NumberFormatException e) {
        return one.x;
      }
      return 0;
    }
  }

  static class ByHandle {
    private volatile int x;
    private static final VarHandle X;

    static {
      try {
        X = MethodHandles.lookup().findVarHandle(ByHandle.class, "x", int.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    int of(ByHandle other) {
      return (int) X.getAcquire(other);
    }
  }

  @Test
  void refusesReachingIntoAnotherInstance() {
    assertRefused(
        Point.class,
        "method 'equals(Object)' of ReifiableTest.Point (ReifiableTest.java:",
        "reads private field 'x' of another Point, which would be empty in a stub; call a method");
    assertRefused(Copied.class, "constructor 'Copied(ReifiableTest.Copied)'", "reads private");
    assertRefused(Written.class, "writes private field 'x'");
    assertRefused(Chain.class, "'last()'", "reads private field 'next'");
    assertRefused(Calling.class, "calls private method 'secret'");
    assertRefused(ByLambda.class, "a lambda in 'order'", "reads private field 'x'");
    assertRefused(ByReference.class, "'unbound()'", "calls private method 'x'");
    assertRefused(ByBoundReference.class, "calls private method 'x'");
    assertRefused(ReadOutside.class, "'readOutside(", "of ReifiableTest (");
    assertRefused(ReadByOuter.class, "'help(", "of ReifiableTest.ReadByOuter.Helper (");
    assertRefused(Either.class, "'either(", "'loop(", "'caught(");
    assertRefused(ByHandle.class, "through a field accessor");
    assertRefused(ByUpdater.class, "through a field accessor");
  }

  /** Everything a class may do with itself and with objects it makes. */
  static class Busy {
    private int x;
    private long wide;
    private double[] data = new double[4];
    private Map<String, List<Integer>> map = new HashMap<>();

    static Busy of(int x) {
      Busy made = new Busy();
      made.x = x;
      made.fill(x);
      return made;
    }

    private void fill(int with) {
      Arrays.fill(data, with);
      wide += with * 3L;
      wide <<= 2;
    }

    double work(int n, long m, double d, Object o) {
      double sum = -d;
      for (int i = 0; i < n; i++) {
        sum += data[i & 3]++ * m % 7;
        data[i & 3] += sum > 3 ? 1 : 2;
        wide = x++ + (long) sum;
      }
      synchronized (this) {
        x ^= 3;
      }
      long[][] grid = new long[3][n];
      grid[1][0] = wide++;
      try {
        map.computeIfAbsent("a" + x + wide, k -> new ArrayList<>()).add(x);
      } finally {
        x = -x;
      }
      return switch (o) {
        case String s when s.length() > x -> wide + s.length();
        case Integer i -> i + this.x;
        case null -> x;
        default -> ~wide;
      };
    }

    Runnable task() {
      return new Runnable() {
        private int runs;

        @Override
        public void run() {
          Runnable again = () -> x += runs++;
          again.run();
          fill(x);
        }
      };
    }

    Iterator<Integer> iterator() {
      class Local implements Iterator<Integer> {
        private int at = x;

        @Override
        public boolean hasNext() {
          return at < x;
        }

        @Override
        public Integer next() {
          return at++ + new Inner().y;
        }
      }
      return new Local();
    }

    private class Inner {
      int y = x;

      class Deeper extends Inner {
        int z = x + Busy.this.x + y;
      }
    }
  }

  @Test
  void acceptsTheUseOfItsOwnStateAndOfObjectsItMakes() {
    assertAccepted(ByOwnReference.class);
    assertAccepted(OwnUpdater.class);
    assertAccepted(Busy.class);
  }

  // Inner classes around a stub.

  static class Room {
    private int chairs;

    class Table {
      int seats() {
        return chairs;
      }
    }
  }

  static class OpenByConstructor {
    private int chairs;

    class Table {
      int seats = chairs;
    }
  }

  static class Swapped {
    private int chairs;

    private class Table {
      int seats() {
        return chairs;
      }
    }

    int look(Swapped other) {
      return other.new Table().seats();
    }
  }

  static class Locked {
    private int chairs;

    class Table {
      private Table() {}

      int seats() {
        return chairs;
      }
    }
  }

  static class LocalInStatic {
    private int x;

    static int look(LocalInStatic other) {
      class Viewer {
        int seen = other.x;
      }
      return new Viewer().seen;
    }
  }

  @Test
  void refusesInnerClassesThatSomebodyCouldMakeAroundAStub() {
    assertRefused(Room.class, "method 'seats()' of ReifiableTest.Room.Table", "stub.new Table(..)");
    assertRefused(OpenByConstructor.class, "reads private field 'chairs' of the");
    assertRefused(Swapped.class, "makes a ReifiableTest.Swapped.Table inside another Swapped");
    assertRefused(LocalInStatic.class, "reads private field 'x'");
    assertAccepted(Locked.class);
  }

  @Test
  void acceptsInnerClassesThemselves() {
    class Local {
      int one() {
        return 1;
      }
    }
    assertAccepted(Room.Table.class);
    assertAccepted(Local.class);
    assertAccepted(new Object() {}.getClass());
  }

  static class Sending {
    private int x;

    Callable<Integer> task() {
      return (Callable<Integer> & Serializable) () -> x;
    }
  }

  @Test
  void refusesSerializableLambdasThatHoldThis() {
    assertRefused(Sending.class, "a serializable lambda");
  }

  static class Native {
    private long pointer;

    static native long read(Native other);
  }

  @Test
  void refusesNativeCodeThatTakesAnInstance() {
    assertRefused(Native.class, "is native and takes one");
  }
}
