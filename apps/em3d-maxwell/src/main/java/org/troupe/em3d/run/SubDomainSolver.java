package org.troupe.em3d.run;

import java.lang.System.Logger.Level;
import java.util.List;
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
 * A sub-domain as an active object: advances its own part of the fields, step by step, and
 * exchanges border values with its neighbours by one-way calls.
 *
 * <p>Its service is the time loop. In each half step it sends its borders, computes the cells that
 * need nobody else while the neighbours' borders travel, then serves requests until they are all
 * there, and computes the rest. A neighbour may be ahead by at most half a step, and E and H arrive
 * in places of their own, so what comes early is never mixed up.
 */
public class SubDomainSolver implements Service, FailureHandler, StateSource {

  /*
   * Where a step goes. Of 20.9 ms of processor time per step on one of two sub-domains of cube:65, the
   * inner cells take 19.6, the border cells 0.57, packing and sending 0.37, taking in the neighbour's
   * borders 0.33, and everything else 0.07. The thread that reads the neighbour's frames takes 3.2 % of
   * that time, the writing one 2.2 %, and the launcher 1 % of a core (30dfec7, 2026-11-22, by hand). The
   * rest of a step's duration is waiting for the other sub-domain.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.em3d");

  private final SubDomain cells;
  private final Physics physics;
  private final int threads;
  private final CompensatedSum energy = new CompensatedSum();
  private final double[][] buffers; // for neighbour k, reused in every half step
  private final int[] arrived = new int[FieldKind.values().length];

  private SubDomainMonitors gauges;
  private SubDomainSolver[] neighbours;
  private RunCollector collector;
  private int shapesToCome;
  private boolean boundTold;
  private double dt;
  private boolean starting;
  private boolean atRest; // H is given at time 0, and must be taken back by half a step
  private int reportEvery;
  private int lastStep;
  private int step; // E belongs to this step, H to the half step before
  private int granted;
  private final SubDomainView display; // null: nobody looks
  private int nextShown = Integer.MAX_VALUE;
  private boolean failed;
  private long loopNanos;
  private long waitNanos;

  /**
   * Builds the part of the mesh, here where it will be used.
   *
   * @param threads how many advance it
   * @param isShown whether it may be asked to show itself
   */
  public SubDomainSolver(
      MeshPart part, Physics physics, PolynomialOrder order, int threads, boolean isShown) {
    ActiveObjects.onFailure(SubDomainSolver::log);
    cells = SubDomain.of(part, physics, order);
    buffers = new double[cells.neighbours()][];
    for (var k = 0; k < buffers.length; k++) {
      buffers[k] = new double[cells.borderValues(k)];
    }
    gauges = new SubDomainMonitors(cells, physics, List.of());
    this.physics = physics;
    this.threads = threads;
    shapesToCome = buffers.length;
    display = isShown ? new SubDomainView(part, cells) : null;
  }

  /** Calls to lost nodes, and within a leg that was given up, are expected to fail. */
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
    return cells.mesh().size();
  }

  /** Says what is to be measured. */
  public void watch(List<FieldMonitor> what) {
    gauges = new SubDomainMonitors(cells, physics, what);
  }

  /** Makes the group of all known, and sends the neighbours what the step depends on. */
  public void meet(SubDomainSolver all, RunCollector itsCollector) {
    collector = itsCollector;
    var group = Group.of(all);
    neighbours = new SubDomainSolver[cells.neighbours()];
    for (var k = 0; k < neighbours.length; k++) {
      neighbours[k] = group.get(cells.neighbourRank(k));
      neighbours[k].shapes(cells.rank(), cells.borderShapes(k));
    }
    tellBound();
  }

  /** What a neighbour's border cells look like. */
  public void shapes(int from, double[] values) {
    cells.acceptShapes(cells.neighbourOfRank(from), values);
    shapesToCome--;
    tellBound();
  }

  /** Tells the collector, once, when the shapes of all neighbours are there. */
  private void tellBound() {
    if (collector != null && shapesToCome == 0 && !boundTold) {
      boundTold = true;
      collector.bound(cells.rank(), cells.stableStepBound());
    }
  }

  /**
   * Sets the time step and the fields of the beginning, and tells the collector when that is done.
   *
   * @param every how many steps lie between two reports to the collector
   * @param last the step at which the run ends; the one before reports too
   */
  public void start(double timeStep, InitialFields start, int every, int last) {
    prepare(timeStep, every, last);
    switch (start) {
      case InitialFields.Cavity cavity -> {
        cells.set(FieldKind.E, cavity.mode().electric(0));
        cells.set(FieldKind.H, cavity.mode().magnetic(-timeStep / 2));
      }
      case InitialFields.AtRest rest -> {
        cells.set(FieldKind.E, SphereMode.electric());
        atRest = true;
      }
      case InitialFields.CavityAtRest cavity -> {
        cells.set(FieldKind.E, cavity.mode().electric(0));
        atRest = true;
      }
      case InitialFields.Zero zero -> {} // as they are
      case InitialFields.Kept kept ->
          throw new IllegalArgumentException("the fields of a state come with startFrom");
    }
  }

  /** The same with the fields of a state of another run. Waits for them. */
  public void startFrom(double timeStep, StateArchive archive, int every, int last) {
    prepare(timeStep, every, last);
    var piece = archive.beginning(cells.mesh().globalCells());
    cells.set(FieldKind.E, piece.e());
    cells.set(FieldKind.H, piece.h());
  }

  /** The same with the fields of a state of this run. Waits for them. */
  public void resume(double timeStep, int from, StateArchive archive, int every, int last) {
    prepare(timeStep, every, last);
    var piece = archive.piece(from, cells.mesh().globalCells());
    cells.set(FieldKind.E, piece.e());
    cells.set(FieldKind.H, piece.h());
    step = from;
    cells.resumeAt(from);
    granted = from;
  }

  private void prepare(double timeStep, int every, int last) {
    dt = timeStep;
    reportEvery = every;
    lastStep = last;
    cells.useStep(timeStep);
    starting = true;
  }

  @Override
  public FieldBlock piece() {
    return new FieldBlock(
        step, cells.mesh().globalCells(), cells.values(FieldKind.E), cells.values(FieldKind.H));
  }

  // Being looked at; it waits for the gallery

  /** Returns the box that this part lies in. */
  public BoundingBox bounds() {
    return display.bounds();
  }

  /** Returns what it has of a view. */
  public PixelOwnership locate(ViewRequest view) {
    return display.locate(view, ActiveObjects.self(SubDomainSolver.class).node().name());
  }

  /** From now on it shows itself at the view's steps, the present one among them. */
  public boolean showTo(FrameAssembler gallery) {
    display.open(gallery);
    show(false);
    return true;
  }

  /** It shows itself at this step too, which has not come yet or is the one where it rests. */
  public void showAt(int next) {
    display.liveAt(next);
    if (step == next) {
      show(false);
    } else {
      nextShown = display.next(step);
    }
  }

  /** Shows the end of the run. */
  public boolean showEnd() {
    show(true);
    return true;
  }

  private void show(boolean end) {
    display.show(new FieldInstant(step, dt), end, waitNanos, loopNanos);
    nextShown = display.next(step);
  }

  // Running

  /** Lets the sub-domain go on, up to this step. */
  public void advanceTo(int upTo) {
    granted = Math.max(granted, upTo);
  }

  /** Takes the border values of a neighbour. */
  public void border(FieldKind field, int from, @Reused double[] values) {
    cells.accept(field, cells.neighbourOfRank(from), values);
    arrived[field.ordinal()]++;
  }

  @Override
  public void serve(RequestQueue requests) throws InterruptedException {
    try (var team = new ThreadTeam(threads, "em3d-" + cells.rank())) {
      cells.useTeam(team);
      while (requests.serveOldest()) {
        if (starting) {
          starting = false;
          if (atRest) {
            takeBackHalfStep(requests);
          }
          waitNanos = 0; // the time loop begins now
          collector.ready(cells.rank());
        }
        while (step < granted && requests.isOpen()) {
          var began = System.nanoTime();
          advance(requests);
          loopNanos += System.nanoTime() - began;
        }
      }
    } catch (RuntimeException failure) {
      collector.failed("sub-domain " + cells.rank() + " failed in step " + step + ": " + failure);
      throw failure;
    }
  }

  private void advance(RequestQueue requests) throws InterruptedException {
    var reports = step % reportEvery == 0 || step == lastStep - 1;
    sendBorders(FieldKind.E);
    if (gauges.areDue(step)) {
      advanceMeasured(requests);
    } else if (reports) {
      energy.reset();
      cells.updateInner(energy);
      awaitBorders(FieldKind.E, requests);
      cells.updateBorderH(energy);
      sendBorders(FieldKind.H);
      cells.updateRest(energy);
    } else {
      cells.updateInner();
      awaitBorders(FieldKind.E, requests);
      cells.updateBorderH();
      sendBorders(FieldKind.H);
      cells.updateRest();
    }
    if (reports) {
      report();
    }
    awaitBorders(FieldKind.H, requests);
    cells.updateBorderE();
    step++;
    if (step == nextShown) {
      show(false);
    }
    if (step == granted) {
      collector.readings(cells.rank(), step, gauges.take());
      collector.reached(cells.rank(), step);
    }
  }

  /** With all of H advanced before any of E: in between, both can be measured. */
  private void advanceMeasured(RequestQueue requests) throws InterruptedException {
    gauges.before(step);
    energy.reset();
    cells.updateInnerH(energy);
    awaitBorders(FieldKind.E, requests);
    cells.updateBorderH(energy);
    gauges.after(step);
    sendBorders(FieldKind.H);
    cells.updateInnerE();
  }

  private void report() {
    if (!Double.isFinite(energy.value())) {
      collector.unbounded(step, cells.extreme());
    }
    collector.energy(cells.rank(), step, energy.value());
    collector.readings(cells.rank(), step + 1, gauges.take());
  }

  /**
   * Needs the neighbours' E as the first step does; so no sub-domain begins that one before all
   * have done this, or a neighbour could have two E's on their way.
   */
  private void takeBackHalfStep(RequestQueue requests) throws InterruptedException {
    sendBorders(FieldKind.E);
    cells.updateInnerH();
    awaitBorders(FieldKind.E, requests);
    cells.updateBorderH();
    cells.reflectHalfStep();
  }

  private void sendBorders(FieldKind field) {
    for (var k = 0; k < neighbours.length; k++) {
      cells.pack(field, k, buffers[k]);
      sendBorder(neighbours[k], field, cells.rank(), buffers[k]);
    }
  }

  /**
   * Sends border values to a neighbour. Overridden only to measure other encodings.
   *
   * @param values are used again for the next half step
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
   * A call to a neighbour failed, so this leg of the run cannot go on. That is told once: if it was
   * the collector that could not be called, telling it fails too.
   */
  @Override
  public void failed(CallFailure failure) {
    if (failed) {
      return;
    }
    failed = true;
    collector.failed(
        "sub-domain %d cannot go on: %s: %s"
            .formatted(cells.rank(), failure.call(), failure.cause().getMessage()));
  }

  // At the end

  /** Returns the errors against the exact fields at the present step. */
  public FieldErrors errors(InitialFields.Cavity start) {
    return cells.errors(start.mode(), step * dt, (step - 0.5) * dt);
  }

  /** Returns a fingerprint of the fields; the sum over all parts is the same for every division. */
  public long checksum() {
    return cells.checksum();
  }

  /** Returns the step that was reached. */
  public int step() {
    return step;
  }

  /** Returns what the run cost here. */
  public Cost cost() {
    return new Cost(
        ActiveObjects.self(SubDomainSolver.class).node().name(),
        waitNanos,
        loopNanos,
        PeakMemory.bytes(),
        cells.kernel(),
        threads);
  }

  /**
   * What a run cost on one sub-domain.
   *
   * @param node the name of the node
   * @param waitNanos time spent waiting for neighbours
   * @param loopNanos time spent in the time loop altogether
   * @param peakRssBytes the largest resident size of the node's process so far; 0 if not known
   * @param kernel what the inner loop computed with
   * @param threads how many advanced it
   */
  public record Cost(
      String node, long waitNanos, long loopNanos, long peakRssBytes, String kernel, int threads) {}
}
