package org.troupe.activeobjects.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.activeobjects.hosting.FailureGroup;
import org.troupe.activeobjects.hosting.FailureGroup.Kind;

class FailureGroupsTest {

  private final AtomicLong clock = new AtomicLong(1_000);
  private final FailureGroups groups = new FailureGroups(clock::get);

  private static RuntimeException failure(String message, String... classes) {
    var failure = new IllegalStateException(message);
    var trace = new StackTraceElement[classes.length];
    for (var i = 0; i < classes.length; i++) {
      trace[i] = new StackTraceElement(classes[i], "run", classes[i] + ".java", 10 + i);
    }
    failure.setStackTrace(trace);
    return failure;
  }

  @Test
  void failuresOfOnePlaceAreAGroupWithTheLastAsItsExample() {
    groups.add(Kind.ONE_WAY, "Worker.step()", failure("first", "acme.Worker"));
    clock.set(5_000);
    groups.add(Kind.ONE_WAY, "Worker.step()", failure("second", "acme.Worker"));

    assertThat(groups.all())
        .containsExactly(
            new FailureGroup(
                Kind.ONE_WAY,
                "Worker.step()",
                "java.lang.IllegalStateException",
                "acme.Worker.run(acme.Worker.java:10)",
                2,
                1_000,
                5_000,
                "second"));
  }

  @Test
  void theMarkBetweenServerAndCallerIsNoLineOfTheProgram() {
    groups.add(
        Kind.UNCLAIMED,
        "Worker.step()",
        failure("lost", "java.lang.X", "----- called", "acme.Main"));

    assertThat(groups.all())
        .singleElement()
        .returns("acme.Main.run(acme.Main.java:12)", FailureGroup::frame);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          Worker.step(..) on node '%s'                        | Worker.step(..)
          Page.print(int) on Writer.page() on node '%s'       | Page.print(int) on Writer.page()
          a stage or handler of an acme.Worker on node '%s'   | a stage or handler of an acme.Worker
          one-way calls to node '%s'                          | one-way calls to node '..'
          the journal 'object-1f%s'                           | the journal '..'
          """)
  void oneMistakeOnManyNodesIsAGroup(String call, String common) {
    for (var i = 0; i < FailureGroups.MOST_GROUPS + 50; i++) {
      groups.add(Kind.ONE_WAY, call.formatted("n" + i), failure("on n" + i, "acme.Worker"));
    }

    assertThat(groups.all())
        .singleElement()
        .returns(common, FailureGroup::call)
        .returns(250L, FailureGroup::count)
        .returns("on n249", FailureGroup::example);
  }

  @Test
  void theExampleOfALostNodeNamesIt() {
    groups.add(Kind.DEATH, "node 'b2'", "signal 9 (killed)");

    assertThat(groups.all())
        .singleElement()
        .returns("node '..'", FailureGroup::call)
        .returns("node 'b2': signal 9 (killed)", FailureGroup::example);
  }

  @Test
  void thePlaceIsTheFirstLineOfTheProgram() {
    groups.add(
        Kind.UNCLAIMED,
        "Worker.step()",
        failure("m", "java.util.List", "org.troupe.futures.Future", "acme.Step", "acme.Worker"));

    assertThat(groups.all().getFirst().frame()).isEqualTo("acme.Step.run(acme.Step.java:12)");
  }

  @Test
  void thePlaceMayBeThatOfACause() {
    var outer = failure("outer", "java.lang.Thread");
    outer.initCause(failure("inner", "acme.Worker"));

    groups.add(Kind.ONE_WAY, "Worker.step()", outer);

    assertThat(groups.all().getFirst().frame()).startsWith("acme.Worker.run");
  }

  @Test
  void causesThatFormACycleHaveNoPlace() {
    var one = failure("one", "java.lang.Thread");
    var other = failure("other", "java.lang.Thread");
    one.initCause(other);
    other.initCause(one);

    groups.add(Kind.ONE_WAY, "Worker.step()", one);

    assertThat(groups.all().getFirst().frame()).isEmpty();
  }

  /** An exception whose message cannot be read. */
  private static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }
  }

  @Test
  void exceptionsWhoseMethodsFailAreCounted() {
    groups.add(Kind.ONE_WAY, "Worker.step()", new Hostile());

    assertThat(groups.all().getFirst().example())
        .isEqualTo("its text cannot be read, because of java.lang.IllegalStateException");
  }

  @Test
  void failuresBeyondTheMostGroupsAreCountedTogether() {
    for (var i = 0; i < FailureGroups.MOST_GROUPS + 50; i++) {
      groups.add(Kind.ONE_WAY, "Worker.step" + i + "()", failure("m", "acme.Worker"));
    }

    assertThat(groups.all()).hasSize(FailureGroups.MOST_GROUPS + 1);
    assertThat(groups.all().stream().mapToLong(FailureGroup::count).sum())
        .isEqualTo(FailureGroups.MOST_GROUPS + 50);
  }

  @Test
  void textsAreCut() {
    groups.add(Kind.DEATH, "n".repeat(10_000), "x".repeat(10_000));

    var group = groups.all().getFirst();
    assertThat(group.example()).hasSize(FailureGroup.LONGEST_EXAMPLE);
    assertThat(group.call()).hasSize(200);
  }

  @Test
  void theLastFailureComesFirst() {
    groups.add(Kind.RESET, "a", "");
    clock.set(2_000);
    groups.add(Kind.RESET, "b", "");

    assertThat(groups.all()).extracting(FailureGroup::call).containsExactly("b", "a");
  }
}
