package org.troupe.mpj.launch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.mpj.comm.World;
import org.troupe.mpj.matching.RankAttachment;

/** Runs a program's main as ranks, one on each of some nodes. */
public final class RankRun {

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final int DIGITS = 9;

  private RankRun() {}

  /**
   * Runs a main class on nodes, one rank on each, in the order given; a node may be given several
   * times. Waits for the end.
   *
   * @return the exit code of the run: 0, or the first of a rank that was not 0
   */
  public static int run(List<Node> places, String mainClass, List<String> arguments) {
    var monitor = ActiveObjects.here().create(RunMonitor.class, places.size());
    var outcome = monitor.outcome();
    var input = ActiveObjects.here().create(StandardInput.class);
    List<Rank> ranks = new ArrayList<>();
    for (var each : places) {
      ranks.add(ActiveObjects.on(each).create(Rank.class));
    }
    RankAttachment.attach(ranks);
    for (var i = 0; i < ranks.size(); i++) {
      var rank = i;
      var argumentsOfRank = arguments.toArray(String[]::new);
      ActiveObjects.ref(ranks.get(i))
          .ask(each -> each.run(mainClass, argumentsOfRank, monitor, rank == 0 ? input : null))
          .whenComplete((_, failure) -> lost(monitor, rank, failure));
    }
    var code = outcome.join();
    ActiveObjects.ref(monitor).terminate();
    return code;
  }

  /** Makes active objects ranks, in their order, without a main: they call {@link #enter}. */
  public static void attach(List<?> members) {
    RankAttachment.attach(members);
  }

  /** Makes the active object that the current thread serves the one rank of this JVM. */
  public static void enter() {
    new World(
            RankAttachment.ofCurrent(),
            new World.RunControl() {
              @Override
              public void finalized() {
                // No thread waits for it.
              }

              @Override
              public void abort(int code) {
                Runtime.getRuntime().halt(code);
              }
            })
        .enter();
  }

  private static void lost(RunMonitor monitor, int rank, @Nullable Throwable failure) {
    if (failure == null) {
      return;
    }
    var cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    var code =
        cause instanceof NodeLostException lost
            ? lost.exitReport().map(ExitReport::exitCode).orElse(ExitReport.UNKNOWN)
            : ExitReport.UNKNOWN;
    monitor.lost(rank, code);
  }

  /** Returns nodes in the order of their names, numbers in which count as numbers. */
  public static List<Node> ordered(Iterable<Node> nodes) {
    List<Node> all = new ArrayList<>();
    nodes.forEach(all::add);
    all.sort(Comparator.comparing(each -> sortable(each.name())));
    return all;
  }

  private static String sortable(String name) {
    return NUMBER
        .matcher(name)
        .replaceAll(
            digits ->
                digits.group().length() < DIGITS
                    ? "0".repeat(DIGITS - digits.group().length()) + digits.group()
                    : digits.group());
  }
}
