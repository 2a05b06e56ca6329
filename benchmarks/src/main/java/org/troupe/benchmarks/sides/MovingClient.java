package org.troupe.benchmarks.sides;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.benchmarks.harness.TurnProtocol;

/** Moves active objects between two {@link TroupeServer}s, and calls objects that have moved. */
public final class MovingClient {

  /** Microseconds of a null call to an object that never moved. */
  public static final String CALL_BORN = "born";

  /** Microseconds of a null call to an object that has moved, from callers that know it. */
  public static final String CALL_MOVED = "moved";

  /** Microseconds of the first call after a move, which one forwarder passes on. */
  public static final String CALL_FORWARDED = "forwarded";

  /** Microseconds of a move and of two calls, the first of which a forwarder passes on. */
  public static final String MOVE_AND_CALL = "move-and-call";

  /** Microseconds of a first call to an object at rest, as often as forwarded ones are made. */
  public static final String CALL_DIRECT = "direct";

  /** Microseconds of a move of an object of 1 KiB. */
  public static final String MOVE_KIB = "move-kib";

  /** Microseconds of a move of an object of 64 MiB. */
  public static final String MOVE_64_MIB = "move-64-mib";

  /** Microseconds of a call with a mebibyte. */
  public static final String CALL_MEBI = ContenderSides.MEBI_OF_DOUBLES;

  /** Objects a second that leave a node, while calls on them go on. */
  public static final String EVACUATE = "evacuate";

  private static final int EVACUATED = 10_000;
  private static final int SMALL = 100;
  private static final int SINGLE_CALLS = 40;
  private static final long SETTLING_MILLIS = 5;

  private final List<Node> nodes;
  private final ServerGrid grid;

  private MovingClient(ServerGrid grid) {
    this.grid = grid;
    this.nodes = grid.nodes();
  }

  /** Has a state of some bytes. */
  static class Traveller implements LifeCycle {
    private final double[] state;

    Traveller(int bytes) {
      state = new double[bytes / Double.BYTES];
    }

    int call() {
      return state.length;
    }

    /** Moves without the knowledge of the caller. */
    CompletableFuture<Void> goTo(NodeId node) {
      return ActiveObjects.self(Traveller.class).move(node);
    }
  }

  static void main(String[] arguments) throws Exception {
    try (var grid = ServerGrid.of(2)) {
      var client = new MovingClient(grid);
      TurnProtocol.serve(client::measure, Integer.parseInt(arguments[0]));
    }
  }

  private Traveller traveller(int bytes) {
    return ActiveObjects.on(nodes.getFirst()).create(Traveller.class, bytes);
  }

  private TurnProtocol.Measure measure(String load) {
    return switch (load) {
      case CALL_BORN -> repeated(traveller(0)::call);
      case CALL_MOVED -> {
        var moved = traveller(0);
        ActiveObjects.ref(moved).move(nodes.getLast().id()).join();
        yield repeated(moved::call);
      }
      case CALL_FORWARDED -> _ -> single(traveller(0), true);
      case CALL_DIRECT -> _ -> single(traveller(0), false);
      case MOVE_AND_CALL -> repeated(journey(traveller(0)));
      case MOVE_KIB -> moves(traveller(1 << 10));
      case MOVE_64_MIB -> moves(traveller(64 << 20));
      case EVACUATE -> _ -> evacuated();
      default ->
          new CalleeLoads(ActiveObjects.on(nodes.getFirst()).create(CalleeService.class))
              .measure(load);
    };
  }

  private static TurnProtocol.Measure repeated(Runnable work) {
    return millis ->
        TurnProtocol.microsEach(
            times -> {
              for (var i = 0; i < times; i++) {
                work.run();
              }
            },
            millis);
  }

  /** Moves an object there and back. */
  private TurnProtocol.Measure moves(Traveller traveller) {
    var ref = ActiveObjects.ref(traveller);
    var next = new int[] {1};
    return repeated(() -> ref.move(nodes.get(next[0]++ % 2).id()).join());
  }

  /**
   * Returns a move without the knowledge of this node, and a call before and after it learns of it.
   */
  private Runnable journey(Traveller traveller) {
    var next = new int[] {1};
    return () -> {
      traveller.goTo(nodes.get(next[0]++ % 2).id()).join();
      traveller.call();
      traveller.call();
    };
  }

  /** Returns the microseconds of calls with pauses, each after a move or not. */
  private double single(Traveller traveller, boolean moves) throws InterruptedException {
    var nanos = 0L;
    for (var i = 1; i <= SINGLE_CALLS; i++) {
      traveller.goTo(nodes.get(moves ? i % 2 : 0).id()).join();
      TimeUnit.MILLISECONDS.sleep(SETTLING_MILLIS);
      var began = System.nanoTime();
      traveller.call();
      nanos += System.nanoTime() - began;
      traveller.call();
    }
    ActiveObjects.ref(traveller).terminate();
    return nanos / 1e3 / SINGLE_CALLS;
  }

  private double evacuated() throws Exception {
    List<CompletableFuture<Traveller>> made = new ArrayList<>();
    for (var i = 0; i < EVACUATED; i++) {
      made.add(ActiveObjects.on(nodes.getFirst()).createAsync(Traveller.class, SMALL));
    }
    var all = made.stream().map(CompletableFuture::join).toList();
    var isOver = new AtomicBoolean();
    var calls = CompletableFuture.runAsync(() -> callUntil(isOver, all));
    var began = System.nanoTime();
    var stayed = nodes.getFirst().evacuate(grid.all()).join();
    var nanos = System.nanoTime() - began;
    isOver.set(true);
    calls.join(); // a lost call fails the measurement
    if (!stayed.isEmpty()) {
      throw new IllegalStateException(stayed.size() + " objects had to stay");
    }
    for (var each : all) {
      each.call();
      ActiveObjects.ref(each).terminate();
    }
    return EVACUATED * 1e9 / nanos;
  }

  private static void callUntil(AtomicBoolean isOver, List<Traveller> all) {
    for (var i = 0; !isOver.get(); i++) {
      all.get(Math.floorMod(i * 7919, all.size())).call();
    }
  }
}
