package org.troupe.em3d.run;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Service;
import org.troupe.em3d.display.FrameAssembler;
import org.troupe.em3d.display.PixelOwnership;
import org.troupe.em3d.display.SubDomainView;
import org.troupe.em3d.display.ViewRequest;
import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.maxwell.FieldErrors;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.maxwell.SubDomain;
import org.troupe.em3d.maxwell.SubDomainMonitors;
import org.troupe.em3d.maxwell.ThreadTeam;
import org.troupe.em3d.mesh.CellCorners;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.mesh.MeshSize;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.SphereMode;
import org.troupe.em3d.problem.InitialFields;
import org.troupe.em3d.state.FieldBlock;
import org.troupe.em3d.state.StateArchive;
import org.troupe.em3d.state.StateSource;
import org.troupe.em3d.views.BoundingBox;
import org.troupe.em3d.views.FieldInstant;
import org.troupe.groups.Group;
import org.troupe.serialization.Reused;

/**
 * A sub-domain as an active object: it advances its part of the fields step by step and exchanges
 * border values with its neighbours by one-way calls.
 *
 * <p>Its service method is the time loop. In each half step it sends its border values, computes
 * the inner cells while the neighbours' border values travel, serves requests until these have all
 * arrived, and computes the border cells. A neighbour may be ahead by at most half a step; E and H
 * have separate buffers, so that early values are never mixed up.
 */
public class SubDomainSolver implements Service, FailureHandler, StateSource {

  /*
   * Cost of a step. Of 20.9 ms of processor time per step on one of two sub-domains of cube:65, the
   * inner cells take 19.6, the border cells 0.57, packing and sending 0.37, receiving the neighbour's
   * border values 0.33, and everything else 0.07. The thread that reads the neighbour's frames takes 3.2 % of
   * that time, the writing one 2.2 %, and the launcher 1 % of a core (30dfec7, 2026-11-22, by hand). The
   * rest of a step's duration is waiting for the other sub-domain.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.em3d");

  private final SubDomain subDomain;
  private final Physics physics;
  private final int threads;
  private final long constructionNanos;
  private final CompensatedSum energy = new CompensatedSum();
  private final double[][] buffers; // for neighbour k, reused in every half step
  private final int[] arrived = new int[FieldKind.values().length];

  private SubDomainMonitors monitors;
  private SubDomainSolver[] neighbours = {}; // set by meet()
  private @Nullable RunCollector collector; // null before meet()
  private int shapesToCome;
  private boolean boundReported;
  private double dt;
  private boolean starting;
  private boolean atRest; // H is given at time 0 and must be set half a step earlier
  private int reportEvery;
  private int lastStep;
  private int step; // E belongs to this step, H to the half step before
  private int granted;
  private final @Nullable CellCorners corners; // null: no frames are asked for
  private @Nullable SubDomainView display; // null before locate()
  private int nextShown = Integer.MAX_VALUE;
  private boolean failed;
  private long loopNanos;
  private long waitNanos;

  /**
   * Builds this part of the mesh, on the node where it is used.
   *
   * @param threads the number of threads that advance it
   * @param isShown whether frames may be asked for
   */
  public SubDomainSolver(
      MeshPart part, Physics physics, PolynomialOrder order, int threads, boolean isShown) {
    var began = System.nanoTime();
    ActiveObjects.onFailure(SubDomainSolver::log);
    var built = part.build(isShown || order == PolynomialOrder.LINEAR);
    subDomain = SubDomain.of(built, physics, order);
    buffers = new double[subDomain.neighbours()][];
    for (var k = 0; k < buffers.length; k++) {
      buffers[k] = new double[subDomain.borderValues(k)];
    }
    monitors = new SubDomainMonitors(subDomain, physics, List.of());
    this.physics = physics;
    this.threads = threads;
    shapesToCome = buffers.length;
    corners = isShown ? built.corners() : null;
    constructionNanos = System.nanoTime() - began;
  }

  /**
   * Logs failed calls. Calls to lost nodes, and within a segment that was given up, are expected to
   * fail.
   */
  private static void log(CallFailure failure) {
    var level =
        switch (failure.cause()) {
          case NodeLostException lost -> Level.DEBUG;
          case ObjectTerminatedException ended -> Level.DEBUG;
          default -> Level.WARNING;
        };
    LOG.log(level, failure.call() + " failed", failure.cause());
  }

  // Setting up

  /** Returns the size of this part. */
  public MeshSize size() {
    return subDomain.mesh().size();
  }

  /** Sets the monitors. */
  public void watch(List<FieldMonitor> what) {
    monitors = new SubDomainMonitors(subDomain, physics, what);
  }

  /**
   * Connects to the neighbours and the collector, and sends the neighbours the shapes of the border
   * cells.
   */
  public void meet(SubDomainSolver all, RunCollector itsCollector) {
    collector = itsCollector;
    var group = Group.of(all);
    neighbours = new SubDomainSolver[subDomain.neighbours()];
    for (var k = 0; k < neighbours.length; k++) {
      neighbours[k] = group.get(subDomain.neighbourRank(k));
      neighbours[k].shapes(subDomain.rank(), subDomain.borderShapes(k));
    }
    reportBound();
  }

  private RunCollector collector() {
    return Objects.requireNonNull(collector, "meet() comes first");
  }

  /** Takes the shapes of a neighbour's border cells. */
  public void shapes(int from, double[] values) {
    subDomain.acceptShapes(subDomain.neighbourOfRank(from), values);
    shapesToCome--;
    reportBound();
  }

  /**
   * Reports the bound of the time step to the collector, once, when the shapes of all neighbours
   * have arrived.
   */
  private void reportBound() {
    if (collector != null && shapesToCome == 0 && !boundReported) {
      boundReported = true;
      collector.bound(subDomain.rank(), subDomain.stableStepBound());
    }
  }

  /**
   * Sets the time step and the initial fields, and reports to the collector when they are ready.
   *
   * @param every the number of steps between two reports to the collector
   * @param last the step at which the run ends; the step before it reports, too
   */
  public void start(double timeStep, InitialFields start, int every, int last) {
    prepare(timeStep, every, last);
    switch (start) {
      case InitialFields.Cavity cavity -> {
        subDomain.set(FieldKind.E, cavity.mode().electric(0));
        subDomain.set(FieldKind.H, cavity.mode().magnetic(-timeStep / 2));
      }
      case InitialFields.AtRest rest -> {
        subDomain.set(FieldKind.E, SphereMode.electric());
        atRest = true;
      }
      case InitialFields.CavityAtRest cavity -> {
        subDomain.set(FieldKind.E, cavity.mode().electric(0));
        atRest = true;
      }
      case InitialFields.Zero zero -> {} // new fields are zero
      case InitialFields.Kept kept ->
          throw new IllegalArgumentException("the fields of a state come with startFrom");
    }
  }

  /**
   * Sets the time step, and the initial fields to those of a state of another run. Waits for them.
   */
  public void startFrom(double timeStep, StateArchive archive, int every, int last) {
    prepare(timeStep, every, last);
    var piece = archive.beginning(subDomain.mesh().globalCells());
    subDomain.set(FieldKind.E, piece.e());
    subDomain.set(FieldKind.H, piece.h());
  }

  /** Sets the time step, and the fields to those of a saved state of this run. Waits for them. */
  public void resume(double timeStep, int from, StateArchive archive, int every, int last) {
    prepare(timeStep, every, last);
    var piece = archive.piece(from, subDomain.mesh().globalCells());
    subDomain.set(FieldKind.E, piece.e());
    subDomain.set(FieldKind.H, piece.h());
    step = from;
    subDomain.resumeAt(from);
    granted = from;
  }

  private void prepare(double timeStep, int every, int last) {
    dt = timeStep;
    reportEvery = every;
    lastStep = last;
    subDomain.useStep(timeStep);
    starting = true;
  }

  @Override
  public FieldBlock piece() {
    return new FieldBlock(
        step,
        subDomain.mesh().globalCells(),
        subDomain.values(FieldKind.E),
        subDomain.values(FieldKind.H));
  }

  // Frames; each call waits for the assembler

  /** Returns the bounding box of this part. */
  public BoundingBox bounds() {
    return BoundingBox.around(corners());
  }

  private CellCorners corners() {
    return Objects.requireNonNull(corners, "frames are asked for");
  }

  /**
   * Returns the pixels of a view that lie in this part.
   *
   * @param assembler receives the frames of the view
   */
  public PixelOwnership locate(ViewRequest view, FrameAssembler assembler) {
    display = new SubDomainView(view, subDomain, corners(), assembler);
    return display.pixels(ActiveObjects.self(SubDomainSolver.class).node().name());
  }

  private SubDomainView display() {
    return Objects.requireNonNull(display, "locate() comes first");
  }

  /** Sends frames at the steps of the view from now on, starting with the present one. */
  public boolean showBegin() {
    show(false);
    return true;
  }

  /**
   * Sends a frame at this step, too. The step has not come yet, or it is the one where the run is
   * paused.
   */
  public void showAt(int next) {
    display().liveAt(next);
    if (step == next) {
      show(false);
    } else {
      nextShown = display().next(step);
    }
  }

  /** Sends the frames of the end of the run. */
  public boolean showEnd() {
    show(true);
    return true;
  }

  private void show(boolean end) {
    display().show(new FieldInstant(step, dt), end, waitNanos, loopNanos);
    nextShown = display().next(step);
  }

  // Running

  /** Grants steps up to this one. */
  public void advanceTo(int upTo) {
    granted = Math.max(granted, upTo);
  }

  /** Takes the border values of a neighbour. */
  public void border(FieldKind field, int from, @Reused double[] values) {
    subDomain.accept(field, subDomain.neighbourOfRank(from), values);
    arrived[field.ordinal()]++;
  }

  @Override
  public void serve(RequestQueue requests) throws InterruptedException {
    try (var team = new ThreadTeam(threads, "em3d-" + subDomain.rank())) {
      subDomain.useTeam(team);
      while (requests.serveOldest()) {
        if (starting) {
          starting = false;
          if (atRest) {
            reflectHalfStep(requests);
          }
          waitNanos = 0; // the time loop starts now
          collector().ready(subDomain.rank());
        }
        while (step < granted && requests.isOpen()) {
          var began = System.nanoTime();
          advance(requests);
          loopNanos += System.nanoTime() - began;
        }
      }
    } catch (RuntimeException failure) {
      collector()
          .failed("sub-domain " + subDomain.rank() + " failed in step " + step + ": " + failure);
      throw failure;
    }
  }

  private void advance(RequestQueue requests) throws InterruptedException {
    var reports = step % reportEvery == 0 || step == lastStep - 1;
    sendBorders(FieldKind.E);
    if (monitors.areDue(step)) {
      advanceMeasured(requests);
    } else if (reports) {
      energy.reset();
      subDomain.updateInner(energy);
      awaitBorders(FieldKind.E, requests);
      subDomain.updateBorderH(energy);
      sendBorders(FieldKind.H);
      subDomain.updateRest(energy);
    } else {
      subDomain.updateInner();
      awaitBorders(FieldKind.E, requests);
      subDomain.updateBorderH();
      sendBorders(FieldKind.H);
      subDomain.updateRest();
    }
    if (reports) {
      report();
    }
    awaitBorders(FieldKind.H, requests);
    subDomain.updateBorderE();
    step++;
    if (step == nextShown) {
      show(false);
    }
    if (step == granted) {
      collector().readings(subDomain.rank(), step, monitors.drain());
      collector().reached(subDomain.rank(), step);
    }
  }

  /** Advances all of H before any of E, so that both can be measured in between. */
  private void advanceMeasured(RequestQueue requests) throws InterruptedException {
    monitors.before(step);
    energy.reset();
    subDomain.updateInnerH(energy);
    awaitBorders(FieldKind.E, requests);
    subDomain.updateBorderH(energy);
    monitors.after(step);
    sendBorders(FieldKind.H);
    subDomain.updateInnerE();
  }

  private void report() {
    if (!Double.isFinite(energy.value())) {
      collector().unbounded(step, subDomain.extreme());
    }
    collector().energy(subDomain.rank(), step, energy.value());
    collector().readings(subDomain.rank(), step + 1, monitors.drain());
  }

  /**
   * Sets H half a step before time 0. This needs the neighbours' E, as the first step does; the
   * first step starts only after all sub-domains are ready, so that a neighbour never has two
   * messages of E in flight.
   */
  private void reflectHalfStep(RequestQueue requests) throws InterruptedException {
    sendBorders(FieldKind.E);
    subDomain.updateInnerH();
    awaitBorders(FieldKind.E, requests);
    subDomain.updateBorderH();
    subDomain.reflectHalfStep();
  }

  private void sendBorders(FieldKind field) {
    for (var k = 0; k < neighbours.length; k++) {
      subDomain.pack(field, k, buffers[k]);
      sendBorder(neighbours[k], field, subDomain.rank(), buffers[k]);
    }
  }

  /**
   * Sends border values to a neighbour. Overridden only by benchmarks of other encodings.
   *
   * @param values the border values; the array is reused in the next half step
   */
  protected void sendBorder(SubDomainSolver neighbour, FieldKind field, int from, double[] values) {
    neighbour.border(field, from, values);
  }

  private void awaitBorders(FieldKind field, RequestQueue requests) throws InterruptedException {
    var began = System.nanoTime();
    while (arrived[field.ordinal()] < neighbours.length) {
      if (!requests.serveOldest()) {
        throw new InterruptedException("terminated in the middle of a step");
      }
    }
    arrived[field.ordinal()] = 0;
    waitNanos += System.nanoTime() - began;
  }

  /**
   * Reports to the collector that a call to a neighbour failed, so that this segment cannot go on.
   * Reports once: if the failed call was one to the collector, the report fails as well.
   */
  @Override
  public void failed(CallFailure failure) {
    if (failed) {
      return;
    }
    failed = true;
    collector()
        .failed(
            "sub-domain %d cannot go on: %s: %s"
                .formatted(subDomain.rank(), failure.call(), failure.cause().getMessage()));
  }

  // At the end

  /** Returns the errors against the exact fields at the present step. */
  public FieldErrors errors(InitialFields.Cavity start) {
    return subDomain.errors(start.mode(), step * dt, (step - 0.5) * dt);
  }

  /** Returns a checksum of the fields; the sum over all parts is equal for every division. */
  public long checksum() {
    return subDomain.checksum();
  }

  /** Returns the present step. */
  public int step() {
    return step;
  }

  /** Returns the cost of the run on this sub-domain. */
  public Cost cost() {
    return new Cost(
        ActiveObjects.self(SubDomainSolver.class).node().name(),
        waitNanos,
        loopNanos,
        PeakMemory.bytes(),
        subDomain.kernel(),
        threads,
        constructionNanos);
  }

  /**
   * The cost of a run on one sub-domain.
   *
   * @param node the name of the node
   * @param waitNanos time spent waiting for neighbours
   * @param loopNanos total time spent in the time loop
   * @param peakRssBytes the largest resident size of the node's process so far; 0 if not known
   * @param kernel description of the inner loop
   * @param threads the number of threads that advanced it
   * @param constructionNanos time in which the mesh of the sub-domain was built
   */
  public record Cost(
      String node,
      long waitNanos,
      long loopNanos,
      long peakRssBytes,
      String kernel,
      int threads,
      long constructionNanos) {}
}
