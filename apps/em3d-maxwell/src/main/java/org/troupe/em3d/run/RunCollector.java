package org.troupe.em3d.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.maxwell.EnergyHistory;
import org.troupe.em3d.maxwell.SubDomainMonitors;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.state.RunPosition;
import org.troupe.em3d.state.StateArchive;

/**
 * The coordinator of a run segment: an active object that the sub-domains report to. It starts them
 * together, sums the energy, saves their state, pauses and ends the segment.
 *
 * <p>The collector grants steps: sub-domains advance up to the step that was granted last. Grants
 * run ahead of the reports, so that no sub-domain waits for one; no grant goes beyond a step at
 * which the run is to be paused or saved, so that all sub-domains stop there.
 */
public class RunCollector {

  /** The least time between two frames of the panel, which a page shows about once per second. */
  private static final long SHOWN_NANOS = 500_000_000;

  /** Limits the size of a long run's report. */
  private static final int PACE_KEPT = 1_000;

  private final int ranks;
  private final int lastStep;
  private final int reportEvery;
  private final int saveEvery;
  private final EnergyHistory history = new EnergyHistory();
  private final List<RunPosition.Sample> samples = new ArrayList<>();
  private final Deque<RunPosition.Passed> pace = new ArrayDeque<>();
  private final StepPace stepPace = new StepPace();
  private final Map<Integer, double[]> energies = new HashMap<>(); // by step, then by rank
  private final Map<Integer, Integer> reports =
      new HashMap<>(); // by step: the number of ranks that have reported
  private final CompletableFuture<Double> bound = new CompletableFuture<>();
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CompletableFuture<Integer> end = new CompletableFuture<>();

  private @Nullable SubDomains subDomains; // null before run()
  private MonitorRecorder recorder;
  private boolean savesEnd;
  private double dt;
  private double smallestBound = Double.POSITIVE_INFINITY;
  private int boundsToCome;
  private int readyToCome;
  private int granted;
  private int reached; // the number of sub-domains at the step that was granted last
  private int completeStep;
  private int savedStep;
  private boolean saving;
  private int pauseAt = Integer.MAX_VALUE;
  private boolean paused;
  private long pausedSince;
  private long pausedNanos; // in earlier pauses
  private boolean stopped;
  private boolean yielding;
  private boolean live; // whether a panel shows the run
  private int shownStep = -1; // the last step requested for the panel
  private long shownNanos;

  /**
   * The sub-domains of the segment.
   *
   * @param all the group
   * @param archive keeps their state
   */
  private record SubDomains(SubDomainSolver all, StateArchive archive) {}

  /**
   * Prepares for a run segment.
   *
   * @param ranks the number of sub-domains
   * @param from the first step of the segment
   * @param samples the energies of earlier steps
   * @param lastStep the step at which the run ends
   * @param reportEvery the number of steps between two reports
   * @param saveEvery the number of steps between two saved states; 0 for none
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
   * Sets the monitors; to be called before the sub-domains start.
   *
   * @param past the readings of earlier steps; empty if there are none
   */
  public void watch(List<FieldMonitor> monitors, List<double[]> past) {
    recorder = new MonitorRecorder(monitors, ranks, granted, past);
  }

  /** Takes a sub-domain's bound of the time step. */
  public void bound(int rank, double itsBound) {
    smallestBound = Math.min(smallestBound, itsBound);
    boundsToCome--;
    if (boundsToCome == 0) {
      bound.complete(smallestBound);
    }
  }

  /**
   * Returns the bound of the time step over all sub-domains; completes when all have reported
   * theirs.
   */
  public CompletableFuture<Double> stableStepBound() {
    return bound;
  }

  /** Takes the report that a sub-domain has its initial fields. */
  public void ready(int rank) {
    readyToCome--;
    if (readyToCome == 0) {
      ready.complete(null);
    }
  }

  /** Returns a future that completes when all sub-domains have their initial fields. */
  public CompletableFuture<Void> allReady() {
    return ready;
  }

  /**
   * Starts all sub-domains.
   *
   * @param archive keeps their state
   * @return a future that completes with the last step of the segment
   */
  public CompletableFuture<Integer> run(
      SubDomainSolver all, StateArchive archive, double timeStep) {
    stepPace.begin(System.nanoTime());
    subDomains = new SubDomains(all, archive);
    savesEnd = archive.writes();
    dt = timeStep;
    goOn();
    return end;
  }

  // Reports

  /** Takes a sub-domain's part of the energy at the beginning of a step. */
  public void energy(int rank, int step, double part) {
    if (end.isDone()) {
      return; // reports after a failure are ignored
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
      failed(String.valueOf(unstable.getMessage()));
      return;
    }
    completeStep = Math.max(completeStep, step);
    stepPace.pass(step, System.nanoTime());
    pace.add(new RunPosition.Passed(step, System.currentTimeMillis()));
    if (pace.size() > PACE_KEPT) {
      pace.remove();
    }
    grantMore();
  }

  /** Takes a sub-domain's readings from all steps before this one. */
  public void readings(int rank, int before, List<SubDomainMonitors.Share> shares) {
    recorder.add(rank, before, shares);
  }

  /** Fails the segment, as the fields of a sub-domain are not finite. */
  public void unbounded(int step, String extreme) {
    failed(
        "the fields have grown without bound: at step %d, %s; %s"
            .formatted(
                step,
                extreme,
                dt > smallestBound
                    ? "the time step is %.3g times the bound up to which it is proved stable: give a smaller --cfl, at most 1 is safe"
                        .formatted(dt / smallestBound)
                    : "the time step is within its bound, so look for such values in the initial fields, or in the amplitude of a source"));
  }

  private void add(int step, double energy) {
    history.add(step, energy);
    samples.add(new RunPosition.Sample(step, energy));
  }

  /** Takes the report that a sub-domain has come to a granted step. */
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

  /** Fails the segment, as a sub-domain cannot go on. */
  public void failed(String why) {
    var failure = new IllegalStateException(why);
    bound.completeExceptionally(failure);
    ready.completeExceptionally(failure);
    end.completeExceptionally(failure);
  }

  // Granting steps

  private boolean isResting() {
    return subDomains != null && reached == ranks;
  }

  /** Pauses, saves, ends or continues, if all sub-domains have come to the step granted last. */
  private void goOn() {
    var started = subDomains;
    if (started == null || !isResting() || saving) {
      return;
    }
    if (granted >= pauseAt) {
      showAt(started, granted);
      pause();
    }
    var over = stopped || yielding || granted == lastStep;
    if (granted > savedStep && isToBeSaved(over)) {
      save(started);
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

  private void save(SubDomains started) {
    saving = true;
    var position = new RunPosition(granted, dt, List.copyOf(samples), recorder.series());
    var saved =
        ActiveObjects.ref(started.archive()).tell(each -> each.save(started.all(), position));
    saved.whenComplete( // the callback is served as a request of this object
        (done, failure) -> {
          saving = false;
          savedStep = position.step();
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
    var started = subDomains;
    if (next > granted && started != null && !saving && !stopped && !yielding) {
      showAt(started, granted + 1);
      endPause();
      granted = next;
      reached = 0;
      started.all().advanceTo(next);
    }
  }

  /**
   * Requests a frame of a step for the panel, unless the last one has not been passed yet or is too
   * recent.
   *
   * @param step a step that no sub-domain has begun
   */
  private void showAt(SubDomains started, int step) {
    if (!live || step <= shownStep || completeStep < shownStep) {
      return;
    }
    var now = System.nanoTime();
    if (now - shownNanos < SHOWN_NANOS && granted < pauseAt) {
      return;
    }
    shownNanos = now;
    shownStep = step;
    started.all().showAt(step);
  }

  /** Sets whether frames for the panel are requested. */
  public void shows(boolean watched) {
    live = watched;
  }

  /** Pauses the run at this step, or at the one that was granted already if that is later. */
  public void pauseAt(int step) {
    pauseAt = step;
    goOn();
  }

  /**
   * Ends the segment and the run at the step that was granted last, which is equal for all
   * sub-domains.
   */
  public void stop() {
    stopped = true;
    goOn();
  }

  /**
   * Ends the segment at the step that was granted last and saves its state, so that another segment
   * can continue.
   */
  public void yieldToNext() {
    yielding = true;
    goOn();
  }

  // Progress

  /** Returns the progress of the run. */
  public Progress progress() {
    var last = samples.isEmpty() ? null : samples.getLast();
    return new Progress(completeStep, lastStep, last, isResting() && !saving && granted >= pauseAt);
  }

  /** Returns the total time that the run has been paused. */
  public long pausedNanos() {
    return pausedNanos + (paused ? System.nanoTime() - pausedSince : 0);
  }

  /** Returns the energies up to now. */
  public Energies energies() {
    var drift = samples.size() < 2 ? Double.NaN : history.spread();
    return new Energies(
        history.first(), drift, List.copyOf(samples), List.copyOf(pace), stepPace.warmUpNanos());
  }

  /** Returns the energies and readings up to now, even of a segment that has failed. */
  public Measured measured() {
    return new Measured(completeStep, List.copyOf(samples), recorder.series());
  }

  /** Returns the readings up to now, an array for each monitor: step, numbers, step, numbers ... */
  public List<double[]> series() {
    return recorder.series();
  }

  /**
   * The progress of a run.
   *
   * @param step a step that all sub-domains have passed
   * @param lastStep the step at which the run ends
   * @param last the latest energy, of this step or an earlier one; {@code null} if none is known
   * @param resting whether the run is paused
   */
  public record Progress(
      int step, int lastStep, RunPosition.@Nullable Sample last, boolean resting) {}

  /**
   * The measurements of a run up to now.
   *
   * @param step a step that all sub-domains have passed
   * @param series an array for each monitor: step, numbers, step, numbers ...
   */
  public record Measured(int step, List<RunPosition.Sample> samples, List<double[]> series) {}

  /**
   * The energy during the run.
   *
   * @param first the energy of step 0, in normalised units
   * @param drift the largest difference of two energies, relative to the first; NaN if there is
   *     only one
   * @param pace when this segment had summed the latest ones
   * @param warmUpNanos time from the start of the segment until its steps took their usual time
   */
  public record Energies(
      double first,
      double drift,
      List<RunPosition.Sample> samples,
      List<RunPosition.Passed> pace,
      long warmUpNanos) {}
}
