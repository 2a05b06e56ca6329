package org.troupe.classics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * A program that computes a result with one thread and with active objects. Both versions take
 * turns, and their results must agree.
 *
 * @param <R> the type of the result
 */
public abstract class KernelProgram<R> extends ClassicProgram {

  /*
   * Why the warm-up is a time and not a number of rounds. A program with 1,200 messages a round reaches
   * the thresholds of the compilers only after ten rounds or more, and each node needs seven seconds of
   * processor time for compilation, which two nodes on two processors have to take from the computation
   * (44a32cc, 2026-11-22).
   *
   * Messages are not what limits the efficiency on a virtual machine of two processors. A half sweep
   * of sor took both members 75 us in one round, 100 in another and 150 in a third (medians of 2,000),
   * and the exchange of a border 4 to 5; the buckets of radix took 7 or 12 ms, its messages 1.1 to 1.5.
   * Both members slow down at the same time, as two threads of one core would (clocks inside the
   * programs, 9acbd6e, 2026-11-22).
   */

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "the number of rounds of both versions, in turns; figures are medians (default:"
              + " ${DEFAULT-VALUE})")
  private int rounds = 3;

  /** Returns the version without active objects. */
  protected abstract ProgramVersion<R> sequential();

  /** Returns the version with active objects. */
  protected abstract ProgramVersion<R> parallel(ProgramNodes nodes);

  /** Compares the two results, or compares the second one with a known result. */
  protected abstract List<ResultCheck> check(R expected, R found);

  /** Returns a checksum of a result, or of those parts of it that do not depend on rounding. */
  protected abstract String checksum(R found);

  /** Returns further figures of a result for the report, by name. */
  protected Map<String, Object> figures(R found) {
    return Map.of();
  }

  /**
   * Returns whether the problem is computed once, without warm-up and without a comparison of
   * times, since a part of it may have been computed before.
   */
  protected boolean isComputedOnce() {
    return false;
  }

  /** Applies defaults to the problem's options, and reports invalid ones. */
  protected abstract void prepareProblem(int nodes, List<String> wrong);

  @Override
  protected final void prepare(int nodes, List<String> wrong) {
    requirePositive("--rounds", rounds, wrong);
    prepareProblem(nodes, wrong);
  }

  @Override
  protected final RunResult run(ProgramNodes nodes) {
    var sequential = sequential();
    var parallel = parallel(nodes);
    var isOnce = isComputedOnce();
    var turns = isOnce ? 1 : rounds;
    if (!isOnce) {
      warmUp(sequential, parallel);
    }
    List<Double> bases = new ArrayList<>();
    List<RunTiming> times = new ArrayList<>();
    List<ResultCheck> checks = List.of();
    String checksum = "";
    Map<String, Object> figures = new LinkedHashMap<>();
    for (var round = 0; round < turns; round++) {
      sequential.prepare();
      var began = System.nanoTime();
      sequential.run();
      bases.add((System.nanoTime() - began) / 1e9);
      var expected = sequential.result();

      parallel.prepare();
      times.add(nodes.time(parallel::run));
      var found = parallel.result();
      if (isLong(bases.getLast() + times.getLast().seconds())) {
        printProgress(
            text(
                "round %d of %d: sequential %.2f s, on all nodes %.2f s",
                round + 1, turns, bases.getLast(), times.getLast().seconds()));
      }
      if (checks.stream().allMatch(ResultCheck::isMet)) { // keeps the first wrong result
        checks = check(expected, found);
        checksum = checksum(found);
        figures.putAll(figures(found));
      }
    }
    figures.put("baseRounds", bases);
    figures.put("rounds", times.stream().map(RunTiming::seconds).toList());
    var base = isOnce ? null : Median.of(bases);
    return new RunResult(Median.ofTimes(times), base, checksum, checks, figures);
  }

  private static boolean isLong(double seconds) {
    return seconds > 1;
  }

  /**
   * Runs the sequential version in every fourth round only: it has few loops, which one JVM
   * compiles.
   */
  private void warmUp(ProgramVersion<R> sequential, ProgramVersion<R> parallel) {
    var end = warmUpEnd();
    for (var round = 0; System.nanoTime() < end; round++) {
      if (round % 4 == 0) {
        sequential.prepare();
        sequential.run();
      }
      parallel.prepare();
      parallel.run();
    }
  }
}
