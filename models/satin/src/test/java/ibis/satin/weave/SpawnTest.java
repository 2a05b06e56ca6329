package ibis.satin.weave;

import static org.assertj.core.api.Assertions.assertThat;

import ibis.satin.SatinObject;
import ibis.satin.Spawnable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Section 5.2 of the specification: which calls are spawns, where results go, and when. */
class SpawnTest {

  interface FibSpawns extends Spawnable {
    long fib(int n);
  }

  static class Fib extends SatinObject implements FibSpawns, Callable<Long> {
    @Override
    public long fib(int n) {
      if (n < 2) {
        return n;
      }
      long x = fib(n - 1);
      long y = fib(n - 2);
      sync();
      return x + y;
    }

    @Override
    public Long call() {
      long f = fib(20);
      sync();
      return f;
    }
  }

  @ParameterizedTest
  @EnumSource
  void givesTheAnswerOfTheSequentialProgram(Form form) throws Exception {
    assertThat(form.call(Fib.class)).isEqualTo(6765);
  }

  interface Spawns extends Spawnable {
    int one(int value);

    double half(double value);

    String text(Object value);

    void note(List<Object> notes, Object what);

    byte small(int value);

    List<String> list(String only);
  }

  static class Work extends SatinObject implements Spawns {
    int field;
    static int shared;

    @Override
    public int one(int value) {
      return value;
    }

    @Override
    public double half(double value) {
      return value / 2;
    }

    @Override
    public String text(Object value) {
      return "<" + value + ">";
    }

    @Override
    public void note(List<Object> notes, Object what) {
      notes.add(what);
    }

    @Override
    public byte small(int value) {
      return (byte) value;
    }

    @Override
    public List<String> list(String only) {
      return List.of(only);
    }
  }

  static class Places extends Work implements Callable<List<Object>> {
    private long wide;

    @Override
    public List<Object> call() {
      int[] ints = new int[3];
      double[][] doubles = new double[2][2];
      Object[] objects = new Object[2];
      byte[] bytes = new byte[1];
      List<Object> notes = new ArrayList<>();
      Places other = new Places();
      int i = 0;
      ints[i++] = one(7);
      ints[i++] = one(8);
      doubles[1][0] = half(5);
      objects[1] = text("object");
      bytes[0] = small(300);
      field = one(1);
      other.field = one(2);
      shared = one(3);
      wide = one(4);
      other.wide = (long) half(9);
      Integer boxed = one(5);
      double converted = one(6);
      String s = text(1.5);
      Object o = list("a");
      note(notes, "noted");
      sync();
      return List.of(
          ints[0],
          ints[1],
          ints[2],
          doubles[1][0],
          objects[1],
          bytes[0],
          field,
          other.field,
          shared,
          wide,
          other.wide,
          boxed,
          converted,
          s,
          o,
          notes,
          i);
    }
  }

  @ParameterizedTest
  @EnumSource
  void storesResultsInVariablesElementsAndFields(Form form) throws Exception {
    assertThat(form.call(Places.class))
        .isEqualTo(
            List.of(
                7,
                8,
                0,
                2.5,
                "<object>",
                (byte) 44,
                1,
                2,
                3,
                4L,
                4L,
                5,
                6.0,
                "<1.5>",
                List.of("a"),
                List.of("noted"),
                2));
  }

  static class Moments extends Work implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      int[] first = new int[1];
      int[] second = new int[1];
      int[] array = first;
      Moments object = new Moments();
      Moments before = object;
      array[0] = one(1);
      object.field = one(2);
      array = second;
      object = new Moments();
      sync();
      return List.of(first[0], second[0], before.field, object.field, array == second);
    }
  }

  @ParameterizedTest
  @EnumSource
  void takesArrayIndexAndObjectOfTheMomentOfTheSpawn(Form form) throws Exception {
    assertThat(form.call(Moments.class)).isEqualTo(List.of(1, 0, 2, 0, true));
  }

  static class Old extends Work implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      int x = 5;
      String s = "old";
      x = one(6);
      s = text("new");
      int y;
      y = one(7);
      int seenX = x;
      String seenS = s;
      int seenY = y;
      sync();
      return List.of(seenX, seenS, seenY, x, s, y);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "UNWOVEN", mode = EnumSource.Mode.EXCLUDE)
  void keepsTheOldValueUntilSync(Form form) throws Exception {
    assertThat(form.call(Old.class)).isEqualTo(List.of(5, "old", 0, 6, "<new>", 7));
  }

  static class Twice extends Work implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      int x = 0;
      int[] a = new int[1];
      for (int i = 1; i <= 3; i++) {
        x = one(i);
        a[0] = one(10 * i);
      }
      sync();
      return List.of(x, a[0]);
    }
  }

  @ParameterizedTest
  @EnumSource
  void storesInTheOrderOfTheSpawns(Form form) throws Exception {
    assertThat(form.call(Twice.class)).isEqualTo(List.of(3, 30));
  }

  static class ReusedSlots extends Work implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      {
        int gone = one(1);
      }
      {
        int other = 5;
        sync();
        {
          String also = "kept";
          String more = text("out of scope");
        }
        String third = "third";
        sync();
        return List.of(other, third);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void leavesVariablesAloneThatShareTheSlotOfOneOutOfScope(Form form) throws Exception {
    assertThat(form.call(ReusedSlots.class)).isEqualTo(List.of(5, "third"));
  }

  static class Branches extends Work implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      List<Object> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int x;
        String s;
        if (i % 2 == 0) {
          x = one(i);
          s = text(i);
        } else {
          x = -i;
          s = "odd";
        }
        sync();
        all.add(x);
        all.add(s);
      }
      return all;
    }
  }

  @ParameterizedTest
  @EnumSource
  void spawnsOnSomePathsOnly(Form form) throws Exception {
    assertThat(form.call(Branches.class))
        .isEqualTo(List.of(0, "<0>", -1, "odd", 2, "<2>", -3, "odd"));
  }

  static class Ordinary extends Work implements Callable<List<Object>> {
    static class Below extends Work {
      @Override
      public int one(int value) {
        return super.one(value) + 1; // no spawn, so the result may be used at once
      }
    }

    @Override
    public List<Object> call() {
      Spawns byInterface = new Below();
      int x = byInterface.one(1) * 2;
      Below below = new Below();
      int y = below.one(10);
      sync();
      return List.of(x, y);
    }
  }

  @ParameterizedTest
  @EnumSource
  void callsThroughInterfacesAndOfSuperclassesAreOrdinary(Form form) throws Exception {
    assertThat(form.call(Ordinary.class)).isEqualTo(List.of(4, 11));
  }

  static class Helpers extends Work implements Callable<List<Object>> {
    private int helper(int n) {
      int x = one(n);
      sync();
      return x;
    }

    private static int byOther(Helpers h) {
      int x = h.one(9);
      h.sync();
      return x;
    }

    @Override
    public List<Object> call() {
      int outer = one(1);
      int inner = helper(2);
      int before = outer;
      int third = byOther(this);
      sync();
      return List.of(before, inner, third, outer);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "UNWOVEN", mode = EnumSource.Mode.EXCLUDE)
  void syncWaitsForTheSpawnsOfItsActivationOnly(Form form) throws Exception {
    assertThat(form.call(Helpers.class)).isEqualTo(List.of(0, 2, 9, 1));
  }

  static class Deep extends Work implements Callable<Integer> {
    @Override
    public int one(int value) {
      if (value == 0) {
        return 0;
      }
      int below = one(value - 1);
      int also;
      also = one(0);
      sync();
      return below + also + 1;
    }

    @Override
    public Integer call() {
      int[] depth = new int[1];
      depth[0] = one(300);
      sync();
      sync();
      return depth[0];
    }
  }

  @ParameterizedTest
  @EnumSource
  void nests(Form form) throws Exception {
    assertThat(form.call(Deep.class)).isEqualTo(300);
  }

  static class Wide extends SatinObject implements WideSpawns, Callable<Object> {
    @Override
    public long sum(long a, double b, int c, String d, float e, char f) {
      return (long) (a + b + c + d.length() + e + f);
    }

    @Override
    public Object call() {
      long before = 1;
      double between = 2;
      long x = sum(1L << 40, 2.0, 3, "four", 5f, (char) 6);
      long after = 3;
      sync();
      return List.of(before, between, x, after);
    }
  }

  interface WideSpawns extends Spawnable {
    long sum(long a, double b, int c, String d, float e, char f);
  }

  @ParameterizedTest
  @EnumSource
  void passesArgumentsOfEachKind(Form form) throws Exception {
    assertThat(form.call(Wide.class)).isEqualTo(List.of(1L, 2.0, (1L << 40) + 20, 3L));
  }
}
