package org.troupe.junit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.troupe.activeobjects.Node;

/** Waits until the calls of a test have ended, with all that they have caused. */
final class GridQuiescence {

  /*
   * Design: detection of quiescence
   *
   * No single look at each node can tell that nothing is under way: a call may leave a node that has not been looked
   * at for one that has. So the one-way calls are counted twice, as in [1]:
   *
   *   1. Each node waits until its one-way calls to other nodes have been served, and returns their number. Then it
   *      waits until its failure handler has received the failures that it knows.
   *   2. No object has a request in its queue or in service.
   *   3. As 1. If a number has changed, begin again at 2.
   *
   * If the numbers are equal, all calls that were sent before step 2 were served before it, and the requests of
   * step 2 have sent none. A failure is on the link in front of the answer that its call was served, so the node of the
   * caller knows it then; and in front of the messages of step 3 if it comes from a node to which its object had moved.
   * Calls with an answer are not counted: step 1 sends a message behind them, so they have arrived, and step 2 sees
   * them. It also sees the failures that an object receives itself, as a request.
   *
   * Steps 1 and 3 wait for events. Only an object that is busy is looked at again and again. It has a second; the rest
   * has longer, since it depends on the links and the machine alone.
   *
   * [1] F. Mattern, Algorithms for distributed termination detection, Distributed Computing 2, 1987.
   */
  private static final long BUSY_SECONDS = 1;

  private static final long CALLS_SECONDS = 10;
  private static final long PAUSE_MILLIS = 10;

  private final TestGrid grid;
  private final long began = System.nanoTime();

  /**
   * The answers of the nodes to a question.
   *
   * @param values those that came in time; a node that is lost has none
   * @param late the nodes whose answers did not come in time
   */
  private record Answers<R>(Map<Node, R> values, List<Node> late) {}

  GridQuiescence(TestGrid grid) {
    this.grid = grid;
  }

  /**
   * Waits until all calls have ended and their failures have been reported.
   *
   * @return a line for each thing that has not come to an end in time
   */
  List<String> await() throws InterruptedException {
    var before = callsServed(BUSY_SECONDS);
    awaitReports(BUSY_SECONDS);
    for (var busy = grid.busyObjects(); ; busy = grid.busyObjects()) {
      if (busy.isEmpty()) {
        var calls = callsServed(CALLS_SECONDS);
        if (!calls.late().isEmpty()) {
          return unserved(calls.late());
        }
        var unreported = awaitReports(CALLS_SECONDS);
        if (!unreported.isEmpty() || calls.equals(before) || isOver(CALLS_SECONDS)) {
          return unreported;
        }
        before = calls;
      } else if (isOver(BUSY_SECONDS)) {
        return busyLines(busy);
      } else {
        Thread.sleep(PAUSE_MILLIS); // no event announces that an object is idle
      }
    }
  }

  private boolean isOver(long seconds) {
    return nanosLeft(seconds) <= 0;
  }

  private long nanosLeft(long seconds) {
    return began + TimeUnit.SECONDS.toNanos(seconds) - System.nanoTime();
  }

  private Answers<Long> callsServed(long seconds) throws InterruptedException {
    return answers(grid.member()::callsServed, seconds);
  }

  private List<String> unserved(List<Node> late) {
    var busy = grid.busyObjects();
    return busy.isEmpty()
        ? late.stream()
            .map(
                node ->
                    "one-way calls from node '%s' have not been served %d s after the test, although no object has requests"
                        .formatted(node.name(), CALLS_SECONDS))
            .toList()
        : busyLines(busy);
  }

  private static List<String> busyLines(List<String> busy) {
    return busy.stream()
        .map(line -> "an object still has requests a second after the test: " + line)
        .toList();
  }

  /**
   * Waits until the failures that the nodes know have been reported.
   *
   * @return a line for each node that has not reported all
   */
  List<String> awaitReports(long seconds) throws InterruptedException {
    return answers(grid.member()::failuresReported, seconds).late().stream()
        .map(
            node ->
                "failures on node '%s' have not been reported %d s after the test: the decoding of an exception, or a failure handler, does not return"
                    .formatted(node.name(), seconds))
        .toList();
  }

  /** Asks all nodes at once, and waits until so many seconds after the test. */
  private <R> Answers<R> answers(Function<Node, CompletableFuture<R>> question, long seconds)
      throws InterruptedException {
    Map<Node, CompletableFuture<R>> asked = new LinkedHashMap<>();
    grid.members().forEach(node -> asked.put(node, question.apply(node)));
    var answers = new Answers<R>(new LinkedHashMap<>(), new ArrayList<>());
    for (var each : asked.entrySet()) {
      try {
        var value = each.getValue().get(Math.max(0, nanosLeft(seconds)), TimeUnit.NANOSECONDS);
        answers.values().put(each.getKey(), value);
      } catch (TimeoutException e) {
        answers.late().add(each.getKey());
      } catch (ExecutionException e) {
        // The node is lost, or the test has closed the grid.
      }
    }
    return answers;
  }
}
