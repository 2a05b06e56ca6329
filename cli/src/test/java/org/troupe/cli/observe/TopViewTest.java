package org.troupe.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.watch.WatchRecord;

class TopViewTest {

  private final TopView view = new TopView();

  private static WatchRecord.Node node(String name, long served) {
    return node(name, "grid.xml:3:5", "joined", false, served);
  }

  private static WatchRecord.Node node(
      String name, String element, String state, boolean isSilent, long served) {
    return new WatchRecord.Node(
        name,
        element,
        "host",
        "",
        List.of(),
        state,
        "",
        1,
        isSilent,
        new WatchRecord.Load(
            "times", 1 << 20, 2 << 20, 0, 0, 3, 1.5, 0, 10, 4, 5, 1, 7, served, 0, 0, 0, 0, 0));
  }

  private static WatchRecord.Method method(String node, long served) {
    return new WatchRecord.Method(
        node,
        "acme.Worker",
        "step(double)",
        served + 3,
        served,
        2,
        new WatchRecord.Times(9, 0.0000012, 0.0034, 5),
        null);
  }

  private void round(long timeMillis) {
    view.add(new WatchRecord.Round("e-1", timeMillis, 2, 0, 0.01, 10, 0));
  }

  private void twoRounds() {
    view.add(new WatchRecord.Begin(1, "17", "0a1b", "Program", 1, true));
    view.add(node("n1", 100));
    view.add(node("n2", 100));
    view.add(method("n1", 100));
    view.add(method("n2", 100));
    round(10_000);
    view.add(node("n1", 300));
    view.add(method("n1", 300));
    round(12_000);
  }

  @Test
  void countsOneOfAThing() {
    view.add(node("n1", 1));
    view.add(
        new WatchRecord.Failure(
            "n1", "one-way", "Worker.step()", "java.lang.E", "W.java:3", 1, 3, 4, "m"));
    round(1_000);

    assertThat(view.line()).contains("1 of 1 node up, ").endsWith(", 1 failure");
  }

  @Test
  void countsNodesWithoutTheProgramAndApartFromSilentOnes() {
    view.add(node("main", "", "joined", false, 1));
    view.add(node("n1", 1));
    view.add(node("n2", "grid.xml:3:5", "joined", true, 1));
    round(1_000);

    assertThat(view.line()).contains("1 of 2 nodes up, 1 silent, ");
    assertThat(String.join("\n", view.screen(200, 50)))
        .containsPattern("main +program ")
        .containsPattern("n2 +silent ");
  }

  @Test
  void nodesThatAreEquallyBusyAreInTheOrderOfTheirNames() {
    view.add(node("n10", 1));
    view.add(node("n2", 1));
    view.add(node("n1", 1));
    round(1_000);

    assertThat(String.join(" ", view.screen(200, 50))).containsPattern("n1 .*n2 .*n10 ");
  }

  @Test
  void waitsNameTheMissingRanksOfACollectiveOperation() {
    view.add(new WatchRecord.Waits("n1", List.of(WaitTextTest.inBarrier(List.of(7)))));
    round(1_000);

    assertThat(String.join("\n", view.screen(200, 50)))
        .containsPattern("Solver n1/5 +n1 +28.0 s +step +in barrier\\(\\) for rank 7 of 16");
  }

  @Test
  void leavesOutWhatANodeDidThatHasEnded() {
    view.add(node("n1", 1));
    view.add(node("n2", "grid.xml:3:5", "ended", false, 1));
    view.add(new WatchRecord.Waits("n2", List.of(WaitTextTest.inBarrier(List.of(7)))));
    round(1_000);

    assertThat(view.line()).contains("1 of 2 nodes up, 1 ended, 5 queued, 1 waiting, 7 pending");
    assertThat(String.join("\n", view.screen(200, 50)))
        .containsPattern("n2 +ended +- +- +- +- +- +-")
        .doesNotContain("in barrier()");
  }

  @Test
  void aWholeMinuteHasItsSeconds() {
    round(60_000);

    assertThat(view.line()).containsPattern("^\\d\\d:\\d\\d:00 ");
  }

  @Test
  void ratesAreThoseSinceTheRoundBefore() {
    twoRounds();

    assertThat(view.line())
        .contains("2 of 2 nodes up, 100 requests/s, 10 queued, 2 waiting, 14 pending, 0 failures")
        .endsWith("; busiest Worker.step(double) 100/s");
  }

  @Test
  void theScreenShowsMethodsOfAllNodesTogether() {
    twoRounds();

    var screen = view.screen(200, 50);

    assertThat(screen.getFirst()).isEqualTo("17: Program");
    assertThat(screen)
        .anySatisfy(
            line ->
                assertThat(line)
                    .matches("Worker.step\\(double\\) +100 +406 +400 +4 +1.2 us / 3.4 ms +-"));
  }

  @Test
  void theScreenShowsWhichRanksOfAGroupAreMissingAndTheLastCycle() {
    view.add(
        new WatchRecord.Collective(
            "a-1", "acme.Solver", 12, "barrier()", List.of(0, 1), List.of(7), 2.5));
    view.add(
        new WatchRecord.Cycle(
            "n1", 1, 2, "these waits could never end:\n  - A waits for B\n  - B waits for A"));
    round(1_000);

    assertThat(String.join("\n", view.screen(200, 50)))
        .containsPattern("12 Solver +barrier\\(\\) +2.5 s +0-1 +7")
        .contains("last cycle of waits, found on n1:\n  - A waits for B\n  - B waits for A");
    view.add(new WatchRecord.Collective("a-1", "acme.Solver", 12, "", List.of(), List.of(), 0));
    assertThat(String.join("\n", view.screen(200, 50))).doesNotContain("Solver");
  }

  @Test
  void theScreenShowsQueuesWaitsFailuresAndTheLastEvent() {
    view.add(
        new WatchRecord.Queues(
            "n1",
            List.of(new WatchRecord.Queue("n1/7", "acme.Worker", 12, "step", "n2/4", 0.5, 0))));
    view.add(
        new WatchRecord.Waits(
            "n1",
            List.of(
                new WatchRecord.Wait(
                    "n1/8",
                    "acme.Worker",
                    "step",
                    "reply",
                    "an answer",
                    "",
                    "",
                    "",
                    -1,
                    0,
                    "",
                    "",
                    -1,
                    0,
                    List.of()))));
    view.add(
        new WatchRecord.Failure(
            "n1", "one-way", "Worker.step()", "java.lang.E", "W.java:3", 2, 3, 4, "m"));
    view.add(new WatchRecord.Event(1, 2, "left", "n2", "signal 9"));
    round(1_000);

    assertThat(String.join("\n", view.screen(200, 50)))
        .containsPattern("OBJECT +NODE +QUEUED +SERVES +CALLER +SINCE AT MOST")
        .containsPattern("Worker n1/7 +n1 +12 +step +n2/4 +500.0 ms")
        .containsPattern("Worker n1/8 +n1 +- +step +for an answer")
        .containsPattern("2 +one-way +Worker.step\\(\\) +E +W.java:3")
        .contains("last event: n2 left: signal 9");
  }

  @Test
  void aScreenHasTheSizeOfTheTerminal() {
    twoRounds();
    for (var i = 0; i < 100; i++) {
      view.add(node("more-" + i, 1));
    }
    round(13_000);

    assertThat(view.screen(40, 12)).hasSize(11).allMatch(line -> line.length() < 40);
    assertThat(view.screen(200, 50))
        .anyMatch(line -> line.startsWith("... and 94 more of 102 JVMs"));
  }

  @Test
  void textOfAProgramCannotControlTheTerminal() {
    view.add(new WatchRecord.Begin(1, "17", "0a1b", "Program\u001b[2J\u0007", 1, true));
    view.add(
        new WatchRecord.Failure("n1", "one-way", "a\u001b]0;x", "E\r", "", 1, 1, 1, "\u001b[31m"));
    round(1_000);

    assertThat(String.join("", view.screen(200, 50))).doesNotContainPattern("\\p{Cc}");
    assertThat(view.line()).doesNotContainPattern("\\p{Cc}");
  }
}
