package ibis.satin.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.satin.Inlet;
import ibis.satin.SatinObject;
import ibis.satin.Spawnable;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.troupe.testing.LogRecords;

/** Section 5.3 of the specification: children that throw, inlets, and abort. */
class InletTest {

  static class Found extends Inlet {
    final int value;

    Found(int value) {
      this.value = value;
    }
  }

  static class OtherFound extends Found {
    OtherFound(int value) {
      super(value);
    }
  }

  interface Spawns extends Spawnable {
    int one(int value) throws Found;

    void seek(int value) throws Found;

    int fail(String message);

    void noted(List<Object> notes, Object what);
  }

  static class Work extends SatinObject implements Spawns {
    @Override
    public int one(int value) throws Found {
      if (value < 0) {
        throw new OtherFound(-value);
      }
      return value;
    }

    @Override
    public void seek(int value) throws Found {
      if (value % 3 == 0) {
        throw new Found(value);
      }
    }

    @Override
    public int fail(String message) {
      throw new IllegalArgumentException(message);
    }

    @Override
    public void noted(List<Object> notes, Object what) {
      notes.add(what);
    }
  }

  static class Counting extends Work implements Callable<List<Integer>> {
    @Override
    public List<Integer> call() {
      int count = 0;
      int sum = 0;
      for (int i = 1; i <= 9; i++) {
        try {
          seek(i);
        } catch (Found found) {
          count++;
          sum += found.value;
        }
      }
      sync();
      return List.of(count, sum);
    }
  }

  @ParameterizedTest
  @EnumSource
  void runsOnceForEachChildThatThrows(Form form) throws Exception {
    assertThat(form.call(Counting.class)).isEqualTo(List.of(3, 18));
  }

  static class Order extends Work implements Callable<List<Object>> {
    private final List<Object> notes = new ArrayList<>();

    private int body(int value) {
      int x = 0;
      try {
        try {
          x = one(value);
        } catch (IllegalStateException e) {
          notes.add("wrong type " + e);
          return 0;
        } catch (OtherFound found) {
          notes.add("inner " + found.value);
          return 0;
        }
      } catch (Found found) {
        notes.add("outer " + found.value);
        return 0;
      }
      sync();
      return x;
    }

    @Override
    public List<Object> call() {
      for (int i = -1; i <= 1; i++) {
        notes.add(body(i));
      }
      return notes;
    }
  }

  @ParameterizedTest
  @EnumSource
  void takesTheFirstCatchInTheOrderOfTheTable(Form form) throws Exception {
    assertThat(form.call(Order.class)).isEqualTo(List.of("inner 1", 0, 0, 1));
  }

  static class Shared extends Work implements Callable<List<Object>> {
    private List<Object> body(int parameter, long wide, String text, double[] array) {
      int local = 10;
      Object object = "before";
      boolean flag = false;
      try {
        seek(3);
      } catch (Found found) {
        parameter += found.value;
        wide = wide * 2 + local;
        local = 11;
        text = text + "!";
        array[0] = 1.5;
        object = List.of(found.value);
        flag = true;
      }
      local++;
      sync();
      return List.of(parameter, wide, local, text, array[0], object, flag);
    }

    @Override
    public List<Object> call() {
      return body(1, 5L, "text", new double[1]);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "UNWOVEN", mode = Mode.EXCLUDE)
  void readsAndWritesTheVariablesAndParametersOfTheParent(Form form) throws Exception {
    // The parent has made local 11 before the inlet runs, in its sync; the code behind the try is
    // then run by the inlet as well.
    assertThat(form.call(Shared.class))
        .isEqualTo(List.of(4, 21L, 12, "text!", 1.5, List.of(3), true));
  }

  static class Widened extends Work implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      Number number = 1;
      Object nothing = null;
      Object kept = null;
      try {
        seek(3);
      } catch (Found found) {
        number = 2.5;
        nothing = "something";
      }
      sync();
      return List.of(number.doubleValue(), nothing == null ? "null" : nothing, kept == null);
    }
  }

  @ParameterizedTest
  @EnumSource
  void mayStoreObjectsOfOtherClassesInAVariable(Form form) throws Exception {
    assertThat(form.call(Widened.class)).isEqualTo(List.of(2.5, "something", true));
  }

  static class Returns extends Work implements Callable<List<Object>> {
    private List<Object> notes = new ArrayList<>();

    private int body() {
      int result = -1;
      try {
        seek(3);
      } catch (Found found) {
        result = found.value;
        notes.add("inlet");
        return 99;
      }
      notes.add("behind the try");
      sync();
      notes.add("behind sync");
      return result;
    }

    @Override
    public List<Object> call() {
      notes.add(body());
      return notes;
    }
  }

  @ParameterizedTest
  @EnumSource(names = "UNWOVEN", mode = Mode.EXCLUDE)
  void endsByReturnWhichDropsItsValue(Form form) throws Exception {
    assertThat(form.call(Returns.class))
        .isEqualTo(List.of("behind the try", "inlet", "behind sync", 3));
  }

  static class RunsOut extends Work implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      List<Object> notes = new ArrayList<>();
      int rounds = 0;
      int spawned = 0;
      for (int i = 0; i < 3; i++) {
        try {
          seek(i + 7); // 9 throws
        } catch (Found found) {
          notes.add("inlet " + i);
        }
        rounds++;
        spawned += 1;
      }
      int x;
      try {
        x = one(rounds);
      } catch (Found never) {
        x = 0;
      }
      sync();
      notes.add("end " + rounds + " " + x);
      return notes;
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"WOVEN", "WOVEN_ON_A_WORKER"})
  void runsOnBehindTheTryAsASecondActivationWithTheSameVariables(Form form) throws Exception {
    // The loop variable is 3 when the inlet runs; the second activation leaves the loop after one
    // more round, spawns for itself, and its end comes before that of the parent.
    assertThat(form.call(RunsOut.class)).isEqualTo(List.of("inlet 3", "end 4 4", "end 4 3"));
  }

  static class Throwing extends Work implements Callable<List<Object>> {
    static final List<Object> NOTES = new ArrayList<>();

    @Override
    public void seek(int value) throws Found {
      if (value == 0) {
        super.seek(0);
      }
      int x = 0;
      try {
        x = one(-value);
      } catch (Found found) {
        throw new Found(found.value * 10);
      }
      sync();
      NOTES.add("behind the sync of the child");
    }

    @Override
    public List<Object> call() {
      int got = 0;
      try {
        seek(4);
      } catch (Found found) {
        got = found.value;
        return NOTES;
      }
      sync();
      NOTES.add(got);
      return NOTES;
    }
  }

  @ParameterizedTest
  @EnumSource(names = "UNWOVEN", mode = Mode.EXCLUDE)
  void thatThrowsCountsAsThrownByTheParent(Form form) throws Exception {
    assertThat(form.call(Throwing.class)).isEqualTo(List.of(40));
  }

  static class WithoutInlet extends Work implements Callable<List<Object>> {
    static final List<Object> NOTES = new ArrayList<>();

    @Override
    public int one(int value) {
      int x = 0;
      noted(NOTES, "aborted sibling");
      try {
        helper();
      } catch (RuntimeException seen) {
        NOTES.add("caught around a call that syncs");
      }
      return x;
    }

    private void helper() {
      int y = fail("child");
      try {
        sync();
        NOTES.add("behind sync");
      } catch (RuntimeException seen) {
        NOTES.add("caught around sync");
      } finally {
        NOTES.add("finally");
      }
    }

    @Override
    public List<Object> call() {
      int x = 0;
      try {
        x = one(1);
      } catch (IllegalArgumentException e) {
        NOTES.add("inlet of the parent: " + e.getMessage());
        return NOTES;
      }
      sync();
      return NOTES;
    }
  }

  @ParameterizedTest
  @EnumSource(names = "UNWOVEN", mode = Mode.EXCLUDE)
  void ofTheGrandparentTakesWhatTheParentDoesNot(Form form) throws Exception {
    assertThat(form.call(WithoutInlet.class))
        .isEqualTo(List.of("finally", "inlet of the parent: child"));
  }

  static class AtTheRoot extends Work implements Callable<Object> {
    public static void main(String[] arguments) {
      AtTheRoot root = new AtTheRoot();
      int x = 0;
      try {
        root.helper();
      } catch (RuntimeException seen) {
        x = 1;
      }
    }

    private void helper() {
      int x = fail("lost");
      sync();
    }

    @Override
    public Object call() {
      main(new String[0]);
      return "caught";
    }
  }

  @ParameterizedTest
  @EnumSource(names = "UNWOVEN", mode = Mode.EXCLUDE)
  void missingAtTheRootLetsTheExceptionLeaveMain(Form form) {
    assertThatThrownBy(() -> form.call(AtTheRoot.class))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("lost");
  }

  static class Aborting extends Work implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      List<Object> notes = new ArrayList<>();
      int x = 5;
      noted(notes, "never");
      try {
        x = one(-1);
      } catch (Found found) {
        notes.add("never");
      }
      abort();
      noted(notes, "later spawn");
      sync();
      notes.add(x);
      return notes;
    }
  }

  @ParameterizedTest
  @EnumSource(names = "UNWOVEN", mode = Mode.EXCLUDE)
  void doesNotRunForJobsThatWereAborted(Form form) throws Exception {
    assertThat(form.call(Aborting.class)).isEqualTo(List.of("later spawn", 5));
  }

  static class Search extends Work implements Callable<List<Object>> {
    static int tried;

    @Override
    public void seek(int value) throws Found {
      tried++;
      if (value == 42) {
        throw new Found(value);
      }
    }

    @Override
    public List<Object> call() {
      int result = 0;
      for (int i = 0; i < 100; i++) {
        try {
          seek(i);
        } catch (Found found) {
          result = found.value;
          abort();
          return List.of();
        }
      }
      sync();
      return List.of(result, tried < 100);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "UNWOVEN", mode = Mode.EXCLUDE)
  void mayEndTheSearchOfItsSiblings(Form form) throws Exception {
    assertThat(form.call(Search.class)).isEqualTo(List.of(42, true));
  }

  static class Unsynced extends Work implements Callable<List<Object>> {
    private int[] results = new int[1];

    private void forgets() throws Found {
      results[0] = one(4);
    }

    @Override
    public List<Object> call() throws Exception {
      try {
        forgets();
      } catch (Found found) {
        throw new IllegalStateException(found);
      }
      return List.of(results[0]);
    }
  }

  @Test
  void returnWithSpawnsOutstandingSyncsAndWarnsOnce(LogRecords records) throws Exception {
    assertThat(Form.WOVEN.call(Unsynced.class)).isEqualTo(List.of(4));
    assertThat(Form.WOVEN.call(Unsynced.class)).isEqualTo(List.of(4));

    records.expect(Level.WARNING, "Unsynced.forgets returns before the jobs");
    assertThat(records.texts(Level.WARNING)).hasSize(1);
  }
}
