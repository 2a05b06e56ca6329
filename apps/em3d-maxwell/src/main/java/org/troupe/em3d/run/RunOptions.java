package org.troupe.em3d.run;

import java.time.Duration;

/**
 * The options of a run.
 *
 * @param steps the step at which it ends
 * @param cfl the time step as a fraction of the proved bound
 * @param minNodes the least number of nodes to continue with after a loss
 * @param patience how long to wait for that number
 * @param checkpointEvery the number of steps between two saved states; 0 for none
 * @param worthSteps the least gain, in steps, for which the run uses nodes that join; {@link
 *     #NEVER} for never
 * @param saves whether there is enough memory to save states
 * @param threads the number of threads per sub-domain; {@link #ALL_THREADS} for the processors of a
 *     machine divided by its sub-domains
 * @param solver the class of the sub-domains; a subclass of {@link SubDomainSolver} only in
 *     benchmarks
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
   * Estimated, not measured: a state has 48 bytes per cell, and a step moves some hundreds. So saving takes as
   * long as a few steps if memory bandwidth is the limit, and as some tens over a network that is ten times slower.
   */
  public static final int CHECKPOINT_EVERY = 1000;

  /** The estimated cost, in steps, of saving, placing, building the mesh and warming up again. */
  public static final int WORTH_STEPS = 100;

  public static final int NEVER = Integer.MAX_VALUE;

  public static final int ALL_THREADS = 0;

  /**
   * Returns options with the default fault tolerance: the run continues with any number of nodes.
   */
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

  /**
   * Returns options for a run that saves no states: it starts again after a loss and does not use
   * nodes that join.
   */
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
