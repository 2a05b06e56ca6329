package org.troupe.em3d.run;

import java.time.Duration;

/**
 * How a run is to be conducted.
 *
 * @param steps at which step it ends
 * @param cfl the time step as a fraction of the proved bound
 * @param minNodes with how many nodes it goes on after a loss
 * @param patience how long it waits for so many
 * @param checkpointEvery how many steps lie between two states that are saved; 0 for none
 * @param worthSteps how many steps' time a re-division has to gain, so that nodes which join are
 *     taken in; {@link #NEVER} for never
 * @param saves whether there is memory for states at all
 * @param threads how many advance each sub-domain; {@link #ALL_THREADS} for as many as its machine
 *     has processors for it
 * @param solver the class of the sub-domains; another than {@link SubDomainSolver} only to measure
 *     it
 */
public record RunOptions(
    int steps,
    double cfl,
    int minNodes,
    Duration patience,
    int checkpointEvery,
    int worthSteps,
    boolean saves,
    int threads,
    Class<? extends SubDomainSolver> solver) {

  /*
   * Estimated, not measured: a state is 48 bytes for each cell, and a step moves some hundreds. So saving costs as
   * much as a few steps where memory sets the pace, and as some tens over a network that is ten times slower.
   */
  public static final int CHECKPOINT_EVERY = 1000;

  /** As much as saving, placing, building the mesh and warming up again may cost. */
  public static final int WORTH_STEPS = 100;

  public static final int NEVER = Integer.MAX_VALUE;

  public static final int ALL_THREADS = 0;

  /** A run that takes what comes. */
  public static RunOptions of(int steps, double cfl) {
    return new RunOptions(
        steps,
        cfl,
        1,
        Duration.ofMinutes(2),
        CHECKPOINT_EVERY,
        WORTH_STEPS,
        true,
        ALL_THREADS,
        SubDomainSolver.class);
  }

  public RunOptions withEnough(int nodes, Duration itsPatience) {
    return new RunOptions(
        steps, cfl, nodes, itsPatience, checkpointEvery, worthSteps, saves, threads, solver);
  }

  public RunOptions withCheckpointEvery(int interval) {
    return new RunOptions(
        steps, cfl, minNodes, patience, interval, worthSteps, saves, threads, solver);
  }

  public RunOptions withWorthSteps(int gain) {
    return new RunOptions(
        steps, cfl, minNodes, patience, checkpointEvery, gain, saves, threads, solver);
  }

  /** Without states: what is lost is lost, and nothing changes on purpose. */
  public RunOptions withoutStates() {
    return new RunOptions(steps, cfl, minNodes, patience, 0, NEVER, false, threads, solver);
  }

  public RunOptions withThreads(int each) {
    return new RunOptions(
        steps, cfl, minNodes, patience, checkpointEvery, worthSteps, saves, each, solver);
  }

  public RunOptions withSolver(Class<? extends SubDomainSolver> other) {
    return new RunOptions(
        steps, cfl, minNodes, patience, checkpointEvery, worthSteps, saves, threads, other);
  }
}
