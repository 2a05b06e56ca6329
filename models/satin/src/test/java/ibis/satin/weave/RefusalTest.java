package ibis.satin.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ibis.satin.SatinObject;
import ibis.satin.Spawnable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What cannot be woven, and how it is told. */
class RefusalTest {

  interface Spawns extends Spawnable {
    int one(int value);

    void none();
  }

  static class Work extends SatinObject implements Spawns {
    @Override
    public int one(int value) {
      return value;
    }

    @Override
    public void none() {}
  }

  static class Uses extends Work {
    int returned() {
      return one(1);
    }

    void dropped() {
      one(2);
    }

    void passed() {
      System.out.println(one(3));
    }

    int computed() {
      int x = one(4) + 1;
      sync();
      return x;
    }

    int conditional(boolean first) {
      int x = first ? one(5) : one(6);
      sync();
      return x;
    }

    int twice() {
      int x;
      int y = x = one(7);
      sync();
      return x + y;
    }
  }

  @Test
  void tellsEachUseOfAResultBeforeSyncWithClassMethodAndLine() throws Exception {
    assertThat(problems(Uses.class))
        .extracting(WeavingProblem::toString)
        .containsExactly(
            refused("returned", 33, "returned at once, before the job has ended"),
            refused("dropped", 37, "dropped"),
            refused("passed", 41, "passed on before the job has ended"),
            refused("computed", 45, "computed with before the job has ended"),
            refused("conditional", 51, "part of a condition"),
            refused("conditional", 51, "part of a condition"),
            refused("twice", 58, "used twice"));
  }

  private static String refused(String method, int line, String use) {
    return "ibis.satin.weave.RefusalTest$Uses.%s(RefusalTest.java:%d): the result of the spawn 'ibis.satin.weave.RefusalTest.Uses.one' is %s; assign it to a variable, an array element or a field, and use that after sync()"
        .formatted(method, line, use);
  }

  static class Around extends Work {
    void inFinally() {
      try {
        none();
      } finally {
        sync();
      }
    }

    void inSynchronized() {
      synchronized (this) {
        none();
        sync();
      }
    }

    synchronized void synchronizedMethod() {
      none();
      sync();
    }

    void withResources(AutoCloseable resource) throws Exception {
      try (resource) {
        none();
        sync();
      }
    }
  }

  @Test
  void refusesSpawnsWithinFinallySynchronizedAndResources() throws Exception {
    assertThat(problems(Around.class))
        .extracting(WeavingProblem::what)
        .allMatch(what -> what.startsWith("'ibis.satin.weave.RefusalTest.Around.none' is spawned "))
        .extracting(what -> what.replaceAll(".*spawned (with)?in (.*), w.*", "$2"))
        .containsExactly(
            "a finally", "a synchronized block", "a synchronized method", "a try with resources");
  }

  static class Constructed extends Work {
    Constructed() {
      try {
        none();
      } catch (RuntimeException e) {
        throw e;
      }
      sync();
    }
  }

  @Test
  void refusesInletsOfConstructors() throws Exception {
    assertThat(problems(Constructed.class))
        .singleElement()
        .extracting(WeavingProblem::what)
        .asString()
        .startsWith("the constructor spawns within a try with a catch");
  }

  @Test
  void collectsTheProblemsOfAllClasses() throws Exception {
    var weaver = Weaver.of(getClass().getClassLoader());
    var files = List.of(Form.file(Uses.class), Form.file(Constructed.class));

    assertThatThrownBy(() -> weaver.weaveAll(files))
        .isInstanceOfSatisfying(WeavingException.class, e -> assertThat(e.problems()).hasSize(8));
  }

  @Test
  void refusesDamagedFiles() throws Exception {
    byte[] file = Form.file(Work.class);
    file[9] = 99;
    file[10] = 99;

    assertThatThrownBy(() -> Weaver.of(getClass().getClassLoader()).weave(file))
        .isInstanceOf(WeavingException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void refusesClassesForANewerJdk() throws Exception {
    byte[] file = Form.file(Work.class);
    file[7] = 99;

    assertThatThrownBy(() -> Weaver.of(getClass().getClassLoader()).weave(file))
        .isInstanceOf(WeavingException.class)
        .hasMessageContaining("class-file version 99");
  }

  @Test
  void leavesClassesAloneThatAreWovenAlready() throws Exception {
    var weaver = Weaver.of(getClass().getClassLoader());
    byte[] woven =
        weaver.weave(Form.file(SpawnTest.Fib.class)).get("ibis/satin/weave/SpawnTest$Fib");

    assertThat(weaver.weave(woven)).isEmpty();
  }

  @Test
  void leavesClassesAloneThatDoNotSpawn() throws Exception {
    assertThat(Weaver.of(getClass().getClassLoader()).weave(Form.file(Work.class))).isEmpty();
  }

  private static List<WeavingProblem> problems(Class<?> type) throws Exception {
    var weaver = Weaver.of(type.getClassLoader());
    byte[] file = Form.file(type);
    return catchThrowableOfType(WeavingException.class, () -> weaver.weave(file)).problems();
  }
}
