package ibis.satin.weave;

import static org.assertj.core.api.Assertions.assertThat;

import ibis.satin.SatinObject;
import ibis.satin.SharedObject;
import ibis.satin.Spawnable;
import ibis.satin.WriteMethodsInterface;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Section 5.4 of the specification, as far as one JVM shows it: when an object is shared. */
class SharedObjectTest {

  interface Writes extends WriteMethodsInterface {
    int add(int amount);

    void fail();
  }

  static final class Counter extends SharedObject implements Writes {
    private int sum;

    @Override
    public int add(int amount) {
      sum += amount;
      return sum;
    }

    @Override
    public void fail() {
      throw new UnsupportedOperationException("of the write");
    }

    int sum() {
      return sum;
    }
  }

  interface Spawns extends Spawnable {
    int read(Counter counter);
  }

  static class Passing extends SatinObject implements Spawns, Callable<List<Object>> {
    @Override
    public int read(Counter counter) {
      return counter.sum();
    }

    @Override
    public List<Object> call() {
      Counter counter = new Counter();
      boolean isUnshared = counter.isUnshared();
      counter.add(2);
      int read = read(counter);
      sync();
      return List.of(isUnshared, read, counter.isUnshared(), export(counter));
    }

    static boolean export(Counter counter) {
      try {
        counter.exportObject();
        return true;
      } catch (IllegalStateException e) {
        return !e.getMessage().contains("shared already");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = "UNWOVEN", mode = EnumSource.Mode.EXCLUDE)
  void isSharedByAParameterOfASpawn(Form form) throws Exception {
    assertThat(form.call(Passing.class)).isEqualTo(List.of(true, 2, false, false));
  }

  @ParameterizedTest
  @EnumSource(names = "UNWOVEN")
  void isNotSharedByACall(Form form) throws Exception {
    assertThat(form.call(Passing.class)).isEqualTo(List.of(true, 2, true, true));
  }

  static class Exporting extends SatinObject implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      Counter counter = new Counter();
      counter.exportObject();
      int sum = counter.add(3);
      String thrown = "";
      try {
        counter.fail();
      } catch (UnsupportedOperationException e) {
        thrown = e.getMessage();
      }
      return List.of(counter.isUnshared(), Passing.export(counter), sum, thrown, counter.add(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void isExportedOnceAndGivesTheCallerTheOutcomesOfItsWrites(Form form) throws Exception {
    assertThat(form.call(Exporting.class)).isEqualTo(List.of(false, false, 3, "of the write", 4));
  }
}
