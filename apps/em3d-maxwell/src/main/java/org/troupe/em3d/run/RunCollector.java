package org.troupe.em3d.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.maxwell.EnergyHistory;
import org.troupe.em3d.maxwell.SubDomainMonitors;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.state.RunPosition;
import org.troupe.em3d.state.StateArchive;

/**
 * Watches over a leg of a run: an active object that the sub-domains report to. It starts them
 * together, sums the energy, has their state saved, and steers.
 *
 * <p>Steering is by grants: sub-domains go on up to the step that was granted last. Grants run
 * ahead of what was reported, so nobody waits for them; but none goes beyond a step at which the
 * run is to be paused or saved, so there all come to rest.
 */
public class RunCollector {

  /** Between two frames of the live page: smooth enough, and cheap. */
  private static final long SHOWN_NANOS = 100_000_000;

  /** So that the report of a long run stays short. */
  private static final int PACE_KEPT = 1_000;

  private final int ranks;
  private final int lastStep;
  private final int reportEvery;
  private final int saveEvery;
  private final EnergyHistory history = new EnergyHistory();
  private final List<RunPosition.Sample> samples = new ArrayList<>();
  private final Deque<RunPosition.Passed> pace = new ArrayDeque<>();
  private final Map<Integer, double[]> energies = new HashMap<>(); // by step: of each rank
  private final Map<Integer, Integer> reports = new HashMap<>(); // by step: how many have come
  private final CompletableFuture<Double> bound = new CompletableFuture<>();
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CompletableFuture<Integer> end = new CompletableFuture<>();

  private SubDomainSolver all; // the group
  private MonitorRecorder recorder;
  private StateArchive archive;
  private boolean savesEnd;
  private double dt;
  private double smallestBound = Double.POSITIVE_INFINITY;
  private int boundsToCome;
  private int readyToCome;
  private int granted;
  private int reached; // by how many sub-domains, of the step that was granted last
  private int completeStep;
  private int savedStep;
  private boolean saving;
  private int pauseAt = Integer.MAX_VALUE;
  private boolean paused;
  private long pausedSince;
  private long pausedNanos; // in the pauses before
  private boolean stopped;
  private boolean yielding;
  private boolean live; // somebody watches
  private int shownStep = -1; // the last one that they were told to show
  private long shownNanos;

  /**
   * Prepares for a leg.
   *
   * @param ranks how many sub-domains there are
   * @param from the step that they begin with
   * @param samples the energies of the steps before
   * @param lastStep the step at which the run ends
   * @param reportEvery how many steps lie between two reports
   * @param saveEvery how many steps lie between two states to be saved; 0 for none
   */
  public RunCollector(
      int ranks,
      int from,
      List<RunPosition.Sample> samples,
      int lastStep,
      int reportEvery,
      int saveEvery) {
    this.ranks = ranks;
    this.lastStep = lastStep;
    this.reportEvery = reportEvery;
    this.saveEvery = saveEvery;
    samples.forEach(each -> add(each.step(), each.energy()));
    recorder = new MonitorRecorder(List.of(), ranks, from, List.of());
    boundsToCome = ranks;
    readyToCome = ranks;
    granted = from;
    reached = ranks;
    completeStep = from;
    savedStep = from;
  }

  // Setting up

  /**
   * Says what is measured; to be told before anything begins.
   *
   * @param past what was measured in the steps before; empty if there were none
   */
  public void watch(List<FieldMonitor> gauges, List<double[]> past) {
    recorder = new MonitorRecorder(gauges, ranks, granted, past);
  }

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

  /** A sub-domain has the fields that it begins with. */
  public void ready(int rank) {
    readyToCome--;
    if (readyToCome == 0) {
      ready.complete(null);
    }
  }

  /** Completes when all sub-domains have the fields that they begin with. */
  public CompletableFuture<Void> allReady() {
    return ready;
  }

  /**
   * Lets the sub-domains begin, all together.
   *
   * @param saves where their state is saved
   * @return completes with the step that they have come to when the leg is over
   */
  public CompletableFuture<Integer> run(
      SubDomainSolver subDomains, StateArchive saves, double timeStep) {
    all = subDomains;
    archive = saves;
    savesEnd = saves.writes();
    dt = timeStep;
    goOn();
    return end;
  }

  // Reports

  /** A sub-domain tells its part of the energy at the beginning of a step. */
  public void energy(int rank, int step, double part) {
    if (end.isDone()) {
      return; // what comes after a failure is of no use
    }
    energies.computeIfAbsent(step, key -> new double[ranks])[rank] = part;
    if (reports.merge(step, 1, Integer::sum) < ranks) {
      return;
    }
    var sum = new CompensatedSum();
    for (var each : energies.remove(step)) {
      sum.add(each);
    }
    reports.remove(step);
    try {
      add(step, sum.value());
    } catch (ArithmeticException unstable) {
      failed(unstable.getMessage());
      return;
    }
    completeStep = Math.max(completeStep, step);
    pace.add(new RunPosition.Passed(step, System.currentTimeMillis()));
    if (pace.size() > PACE_KEPT) {
      pace.remove();
    }
    grantMore();
  }

  /** A sub-domain tells what it measured in all steps before this one. */
  public void readings(int rank, int before, List<SubDomainMonitors.Share> shares) {
    recorder.add(rank, before, shares);
  }

  /** A sub-domain has fields without bound, of which it shows one. */
  public void unbounded(int step, String extreme) {
    failed(
        "the fields have grown without bound: at step %d, %s; %s"
            .formatted(
                step,
                extreme,
                dt > smallestBound
                    ? "the time step is %.3g times the bound up to which it is proved stable: give a smaller --cfl, at most 1 is safe"
                        .formatted(dt / smallestBound)
                    : "the time step is within its bound, so look for such values in the fields at the beginning, or in the amplitude of a source"));
  }

  private void add(int step, double energy) {
    history.add(step, energy);
    samples.add(new RunPosition.Sample(step, energy));
  }

  /** A sub-domain has come to the step that was granted last. */
  public void reached(int rank, int step) {
    if (step != granted || end.isDone()) {
      return;
    }
    reached++;
    if (isResting()) {
      completeStep = step;
      goOn();
    }
  }

  /** A sub-domain cannot go on. */
  public void failed(String why) {
    var failure = new IllegalStateException(why);
    bound.completeExceptionally(failure);
    ready.completeExceptionally(failure);
    end.completeExceptionally(failure);
  }

  // Steering

  private boolean isResting() {
    return all != null && reached == ranks;
  }

  /** Does what is due where all have come to rest. */
  private void goOn() {
    if (!isResting() || saving) {
      return;
    }
    if (granted >= pauseAt) {
      showAt(granted);
      pause();
    }
    var over = stopped || yielding || granted == lastStep;
    if (granted > savedStep && isToBeSaved(over)) {
      save();
    } else if (over) {
      end.complete(granted);
    } else {
      grantMore();
    }
  }

  private void pause() {
    if (!paused) {
      paused = true;
      pausedSince = System.nanoTime();
    }
  }

  private void endPause() {
    pausedNanos = pausedNanos();
    paused = false;
  }

  private boolean isToBeSaved(boolean over) {
    return over
        ? savesEnd || yielding && granted < lastStep
        : saveEvery > 0 && granted % saveEvery == 0;
  }

  private void save() {
    saving = true;
    var point = new RunPosition(granted, dt, List.copyOf(samples), recorder.series());
    var saved = ActiveObjects.ref(archive).tell(each -> each.save(all, point));
    saved.whenComplete( // a request of this object, as all stages are
        (done, failure) -> {
          saving = false;
          savedStep = point.step();
          if (failure != null) {
            failed("the state of step " + savedStep + " could not be saved: " + failure);
          }
          goOn();
        });
  }

  private void grantMore() {
    var next = Math.min(lastStep, completeStep + 4 * reportEvery);
    if (saveEvery > 0) {
      next = (int) Math.min(next, (savedStep / saveEvery + 1L) * saveEvery);
    }
    next = Math.min(next, pauseAt);
    if (next > granted && all != null && !saving && !stopped && !yielding) {
      showAt(granted + 1);
      endPause();
      granted = next;
      reached = 0;
      all.advanceTo(next);
    }
  }

  /**
   * Has a step shown on the live page, unless the last one has not been passed yet or was shown a
   * moment ago.
   *
   * @param step one that no sub-domain has begun to leave
   */
  private void showAt(int step) {
    if (!live || step <= shownStep || completeStep < shownStep) {
      return;
    }
    var now = System.nanoTime();
    if (now - shownNanos < SHOWN_NANOS && granted < pauseAt) {
      return;
    }
    shownNanos = now;
    shownStep = step;
    all.showAt(step);
  }

  /** Says whether somebody watches. */
  public void shows(boolean watched) {
    live = watched;
  }

  /**
   * Lets the sub-domains go on up to this step, or to the one that was granted already, and rest
   * there.
   */
  public void pauseAt(int step) {
    pauseAt = step;
    goOn();
  }

  /** Ends the leg, and the run: at the step that was granted last, the same for all. */
  public void stop() {
    stopped = true;
    goOn();
  }

  /**
   * Ends the leg at the step that was granted last, with its state saved, so that another can go on
   * from there.
   */
  public void yieldToNext() {
    yielding = true;
    goOn();
  }

  // What the user sees

  /** Returns how far the run is. */
  public Progress progress() {
    var last = samples.isEmpty() ? null : samples.getLast();
    return new Progress(completeStep, lastStep, last, isResting() && !saving && granted >= pauseAt);
  }

  /** Returns how long all have rested after {@link #pauseAt} so far. */
  public long pausedNanos() {
    return pausedNanos + (paused ? System.nanoTime() - pausedSince : 0);
  }

  /** Returns the energies that were summed so far. */
  public Energies energies() {
    var drift = samples.size() < 2 ? Double.NaN : history.spread();
    return new Energies(history.first(), drift, List.copyOf(samples), List.copyOf(pace));
  }

  /** Returns all that was measured so far, even of a leg that has failed. */
  public Measured measured() {
    return new Measured(completeStep, List.copyOf(samples), recorder.series());
  }

  /** Returns what was measured so far: for each gauge step, numbers, step, numbers ... */
  public List<double[]> series() {
    return recorder.series();
  }

  /**
   * How far a run is.
   *
   * @param step a step that all sub-domains have passed
   * @param lastStep the step at which the run ends
   * @param last the last energy that was summed, of this step or one before; {@code null} if none
   * @param resting whether all have come to rest after {@link #pauseAt}
   */
  public record Progress(int step, int lastStep, RunPosition.Sample last, boolean resting) {}

  /**
   * All that was measured of a run so far.
   *
   * @param step that all sub-domains have passed
   * @param series for each gauge step, numbers, step, numbers ...
   */
  public record Measured(int step, List<RunPosition.Sample> samples, List<double[]> series) {}

  /**
   * The energy in the course of the run.
   *
   * @param first that of step 0, in normalised units
   * @param drift the largest difference between two, relative to the first; NaN if there is one
   * @param pace when this leg had summed the last ones
   */
  public record Energies(
      double first,
      double drift,
      List<RunPosition.Sample> samples,
      List<RunPosition.Passed> pace) {}
}
