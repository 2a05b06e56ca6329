package org.troupe.benchmarks.sides;

import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Ref;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.replicas.Replicas;

/** Starts operations on a replicated object at the last of its nodes, which are in other JVMs. */
public final class ReplicaClient implements TurnProtocol.Loads {

  /** Nanoseconds of a read of the replica of the caller's node. */
  public static final String READ = "read";

  /** Nanoseconds of the same call on a plain object. */
  public static final String PLAIN_READ = "plain-read";

  /** Microseconds of a write, until it is applied at the caller. */
  public static final String WRITE = "write";

  /** Microseconds of a null call to the first node. */
  public static final String CALL = CalleeLoads.CALL;

  private interface Operation {
    /** Returns the nanoseconds of all repetitions. */
    long nanos(ReplicaUser user, int times);
  }

  private final Ref<ReplicaUser> user;

  private ReplicaClient(ReplicaUser user) {
    this.user = ActiveObjects.ref(user);
  }

  static void main(String[] arguments) throws Exception {
    try (var grid = ServerGrid.of(Integer.parseInt(arguments[1]))) {
      var counters = Replicas.on(grid.all()).create(ReplicatedCounter.class);
      var remote = ActiveObjects.on(grid.nodes().getFirst()).create(GroupCallee.class);
      var user =
          ActiveObjects.on(grid.nodes().getLast()).create(ReplicaUser.class, counters, remote);
      TurnProtocol.serve(new ReplicaClient(user), Integer.parseInt(arguments[0]));
    }
  }

  @Override
  public TurnProtocol.Measure measure(String name) {
    return switch (name) {
      case READ -> nanosEach(ReplicaUser::reads);
      case PLAIN_READ -> nanosEach(ReplicaUser::plainReads);
      case WRITE -> microsEach(ReplicaUser::writes);
      case CALL -> microsEach(ReplicaUser::calls);
      default -> throw new IllegalArgumentException("there is no load '" + name + "'");
    };
  }

  private TurnProtocol.Measure microsEach(Operation operation) {
    var nanos = nanosEach(operation);
    return millis -> nanos.during(millis) / 1e3;
  }

  private TurnProtocol.Measure nanosEach(Operation operation) {
    var each = new double[] {1e6}; // nanoseconds of one repetition, as an estimate
    return millis -> {
      var times = (int) Math.clamp(millis * 1e6 / each[0], 1, Integer.MAX_VALUE / 2.0);
      each[0] = (double) user.ask(it -> operation.nanos(it, times)).join() / times;
      return each[0];
    };
  }
}
