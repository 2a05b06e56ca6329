package org.troupe.em3d;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.troupe.em3d.maxwell.CompensatedSum;
import org.troupe.em3d.maxwell.EnergyHistory;

/**
 * Watches over a run: an active object that the sub-domains report to. It starts them together,
 * sums the energy, and steers.
 *
 * <p>Steering is by grants: sub-domains go on up to the step that was granted last. Grants run
 * ahead of what was reported, so nobody waits for them; when the run is paused, all come to rest at
 * the same step.
 */
class Collector {

  private final int ranks;
  private final int lastStep;
  private final int reportEvery;
  private final EnergyHistory history = new EnergyHistory();
  private final Map<Integer, double[]> energies = new HashMap<>(); // by step: of each rank
  private final Map<Integer, Integer> reports = new HashMap<>(); // by step: how many have come
  private final StringBuilder series = new StringBuilder("step,energy\n");
  private final CompletableFuture<Double> bound = new CompletableFuture<>();
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CompletableFuture<Integer> end = new CompletableFuture<>();

  private SubDomainSolver all; // the group
  private double smallestBound = Double.POSITIVE_INFINITY;
  private int boundsToCome;
  private int readyToCome;
  private int granted;
  private int reached; // by how many sub-domains, of the step that was granted last
  private int completeStep;
  private double lastEnergy = Double.NaN;
  private int samples;
  private boolean paused;
  private boolean stopped;

  /**
   * Prepares for a run.
   *
   * @param ranks how many sub-domains there are
   * @param lastStep the step at which the run ends
   * @param reportEvery how many steps lie between two reports
   */
  public Collector(int ranks, int lastStep, int reportEvery) {
    this.ranks = ranks;
    this.lastStep = lastStep;
    this.reportEvery = reportEvery;
    boundsToCome = ranks;
    readyToCome = ranks;
  }

  // Setting up

  /** A sub-domain tells the bound that it sets to the time step. */
  public void bound(int rank, double itsBound) {
    smallestBound = Math.min(smallestBound, itsBound);
    boundsToCome--;
    if (boundsToCome == 0) {
      bound.complete(smallestBound);
    }
  }

  /**
   * Returns the bound that all sub-domains together set to the time step, when all have told it.
   */
  public CompletableFuture<Double> stableStepBound() {
    return bound;
  }

  /** A sub-domain has its fields of the beginning. */
  public void ready(int rank) {
    readyToCome--;
    if (readyToCome == 0) {
      ready.complete(null);
    }
  }

  /** Completes when all sub-domains have their fields of the beginning. */
  public CompletableFuture<Void> allReady() {
    return ready;
  }

  /** Lets the sub-domains begin, all together; completes with the last step when they are there. */
  public CompletableFuture<Integer> run(SubDomainSolver subDomains) {
    all = subDomains;
    grantMore();
    return end;
  }

  // Reports

  /** A sub-domain tells its part of the energy at the beginning of a step. */
  public void energy(int rank, int step, double part) {
    energies.computeIfAbsent(step, key -> new double[ranks])[rank] = part;
    if (reports.merge(step, 1, Integer::sum) < ranks) {
      return;
    }
    var sum = new CompensatedSum();
    for (var each : energies.remove(step)) {
      sum.add(each);
    }
    reports.remove(step);
    completeStep = Math.max(completeStep, step);
    lastEnergy = sum.value();
    try {
      history.add(step, lastEnergy);
      samples++;
    } catch (ArithmeticException unstable) {
      failed(unstable.getMessage());
      return;
    }
    series.append(step).append(',').append(lastEnergy).append('\n');
    if (!paused) {
      grantMore();
    }
  }

  /** A sub-domain has come to the step that was granted last. */
  public void reached(int rank, int step) {
    if (step != granted) {
      return;
    }
    reached++;
    if (reached == ranks) {
      completeStep = step;
      if (stopped || step == lastStep) {
        end.complete(step);
      }
    }
  }

  /** A sub-domain cannot go on. */
  public void failed(String why) {
    var failure = new IllegalStateException(why);
    bound.completeExceptionally(failure);
    ready.completeExceptionally(failure);
    end.completeExceptionally(failure);
  }

  private void grantMore() {
    var next = Math.min(lastStep, completeStep + 4 * reportEvery);
    if (next > granted && !stopped) {
      granted = next;
      reached = 0;
      all.advanceTo(next);
    }
  }

  // Steering

  /** Lets the sub-domains come to rest, all at the same step. */
  public void pause() {
    paused = true;
  }

  /** Lets them go on. */
  public void resume() {
    paused = false;
    grantMore();
  }

  /** Ends the run early: at the step that was granted last, the same for all. */
  public void stop() {
    stopped = true;
    if (reached == ranks) {
      end.complete(granted);
    }
  }

  // What the user sees

  /** Returns how far the run is. */
  public Progress progress() {
    return new Progress(completeStep, lastStep, lastEnergy, paused && reached == ranks);
  }

  /** Returns the energies that were summed so far. */
  public Energies energies() {
    var drift = samples < 2 ? Double.NaN : history.spread();
    return new Energies(history.first(), drift, series.toString());
  }

  /**
   * How far a run is.
   *
   * @param step a step that all sub-domains have passed
   * @param lastStep the step at which the run ends
   * @param energy that of the last report, in normalised units
   * @param resting whether all have come to rest after {@link #pause}
   */
  public record Progress(int step, int lastStep, double energy, boolean resting) {}

  /**
   * The energy in the course of the run.
   *
   * @param first that of step 0, in normalised units
   * @param drift the largest difference between two, relative to the first; NaN if there is one
   * @param series lines {@code step,energy} with a heading
   */
  public record Energies(double first, double drift, String series) {}
}
