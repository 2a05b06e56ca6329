package ibis.satin.programs;

import static org.assertj.core.api.Assertions.assertThatCode;

import ibis.satin.weave.ProgramLoader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of the model, each with its sequential check: not woven, and woven. */
class ProgramsTest {

  private static final String HERE = "ibis.satin.programs.";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Fib",
        "NQueens",
        "FirstQueens",
        "Knapsack",
        "Tsp",
        "MatrixProduct",
        "Integrate",
        "GameTree",
        "BarnesHut"
      })
  void computeTheSameWoven(String program) {
    assertThatCode(() -> run(ProgramLoader.woven(HERE), program)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Fib",
        "NQueens",
        "FirstQueens",
        "Knapsack",
        "Tsp",
        "MatrixProduct",
        "Integrate",
        "BarnesHut"
      })
  void computeTheSameSequentially(String program) {
    assertThatCode(() -> run(ProgramLoader.unwoven(HERE), program)).doesNotThrowAnyException();
  }

  private static void run(ClassLoader loader, String program) throws Throwable {
    var main = Class.forName(HERE + program, true, loader).getMethod("main", String[].class);
    try {
      main.invoke(null, (Object) new String[0]);
    } catch (java.lang.reflect.InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
