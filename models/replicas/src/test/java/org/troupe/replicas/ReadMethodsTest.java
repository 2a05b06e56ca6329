package org.troupe.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadMethodsTest {

  record Point(int x, int y) {
    int sum() {
      return x + y;
    }
  }

  interface Shown {
    String shown();
  }

  @Reads
  interface Sized {
    int size();
  }

  static class Open {
    int peek() {
      return 1;
    }
  }

  /** A class with each form of a read and of a write. */
  static class Subject implements Shown, Sized {
    private static int total;

    private final int[] values = new int[4];
    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> ages = new HashMap<>();
    private final Open open = new Open();
    private Point point = new Point(1, 2);
    private int count;

    // Reads.

    public int readField() {
      return count;
    }

    public int readElement(int place) {
      return values[place];
    }

    public int readByOwnMethod() {
      return readElement(0) + helped(count);
    }

    private static int helped(int value) {
      return Math.max(value, 0);
    }

    public int readRecord() {
      return point.sum() + new Point(3, count).x();
    }

    public String readText() {
      return "count " + count + name(count);
    }

    private static String name(int value) {
      var text = new StringBuilder();
      text.append(value);
      text.append('-');
      return text.toString().trim();
    }

    public List<Integer> readIntoFreshObjects() {
      var copy = new int[values.length];
      for (var i = 0; i < copy.length; i++) {
        copy[i] = values[i];
      }
      List<Integer> result = new ArrayList<>();
      return copy.length == 0 ? result : List.of(copy[0]);
    }

    public int readRecursively(int depth) {
      return depth == 0 ? count : readRecursively(depth - 1);
    }

    public int readOrThrow() {
      if (count < 0) {
        throw new IllegalStateException("the count is negative: " + count);
      }
      return count;
    }

    // Writes, or what may be one.

    public void writeField() {
      count++;
    }

    public void writeElement() {
      values[0] = 1;
    }

    public void writeStatic() {
      total++;
    }

    public int writeByOwnMethod() {
      return writing(true) ? 1 : 0;
    }

    private boolean writing(boolean isNew) {
      count = isNew ? 1 : 2;
      return isNew;
    }

    public int writeInOneBranch(int value) {
      if (value > 100) {
        point = new Point(value, value);
      }
      return point.x();
    }

    public int writeRecursively(int depth) {
      if (depth > 0) {
        return writeRecursively(depth - 1);
      }
      count = 0;
      return 0;
    }

    public int writeInCycle(int depth) {
      var result = depth == 0 ? 0 : writeInCycleToo(depth - 1);
      count = result;
      return result;
    }

    public int writeInCycleToo(int depth) {
      return depth == 0 ? 0 : writeInCycle(depth - 1);
    }

    public boolean writeByPlatform() {
      return names.add("x");
    }

    public int writePerhapsByMap() {
      return ages.get("x");
    }

    public int writePerhapsBySubclass() {
      return open.peek();
    }

    public long writeByClock() {
      return System.nanoTime();
    }

    public void writeByArgument(int[] argument) {
      argument[0] = 1;
    }

    public void writeByLambda() {
      Runnable change = () -> count = 5;
      change.run();
    }

    public String writePerhapsByText(Object other) {
      return "it is " + other;
    }

    // Declared.

    @Reads
    public int declaredAge() {
      return ages.get("x");
    }

    @Override
    public int size() {
      return names.size();
    }

    @Override
    public String shown() {
      return names.get(0);
    }
  }

  private static ReadMethods.Verdict verdict(String name) {
    var method =
        Stream.of(Subject.class.getMethods())
            .filter(each -> each.getName().equals(name) && !each.isBridge())
            .findFirst()
            .orElseThrow();
    return ReadMethods.of(Subject.class).verdict(method);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "readField",
        "readElement",
        "readByOwnMethod",
        "readRecord",
        "readText",
        "readRecursively",
        "readOrThrow"
      })
  void areProvedByTheByteCode(String name) {
    assertThat(verdict(name))
        .isEqualTo(new ReadMethods.Verdict(true, true, "its byte code changes nothing"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "writeField",
        "writeElement",
        "writeStatic",
        "writeByOwnMethod",
        "writeInOneBranch",
        "writeRecursively",
        "writeInCycle",
        "writeInCycleToo",
        "writeByPlatform",
        "writePerhapsByMap",
        "writePerhapsBySubclass",
        "writeByClock",
        "writeByArgument",
        "writeByLambda",
        "writePerhapsByText",
        "shown"
      })
  void areNoneIfThereIsADoubt(String name) {
    var verdict = verdict(name);
    assertThat(verdict.isRead()).as(verdict.why()).isFalse();
    assertThat(verdict.why()).contains("ReadMethodsTest.java:");
  }

  @Test
  void areDeclaredOnAMethodOrAnInterface() {
    assertThat(verdict("declaredAge"))
        .isEqualTo(new ReadMethods.Verdict(true, false, "it is declared with @Reads"));
    assertThat(verdict("size").isRead()).isTrue();
  }

  @Test
  void areExplainedWithTheLineOfTheDoubt() {
    assertThat(Replicas.explain(Subject.class))
        .startsWith(Subject.class.getName())
        .containsPattern("readField\\(\\) +read +its byte code changes nothing")
        .containsPattern("writeField\\(\\) +write +it stores to the field 'count' \\(ReadM")
        .containsPattern("writeByOwnMethod\\(\\) +write +it calls Subject.writing: it stores");
  }

  @Test
  void areNotLookedForInAClassThatCannotBeReplicated() {
    assertThat(Replicas.explain(Point.class)).contains("Point", "final");
  }
}
