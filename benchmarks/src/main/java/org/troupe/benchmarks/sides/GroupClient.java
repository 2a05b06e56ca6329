package org.troupe.benchmarks.sides;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.NetworkNamespaces.SimulatedHost;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.benchmarks.harness.WrittenBytes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Placement;

/**
 * Calls groups whose members are distributed over some nodes, from a platform thread, and starts
 * collective operations of SPMD members there. The number after the colon of a load is that of
 * members, or of doubles for a collective operation.
 */
public final class GroupClient implements TurnProtocol.Loads {

  /** Microseconds of a one-way call on a group, until all members have served it. */
  public static final String ONE_WAY = "one-way:";

  /** Microseconds of a one-way call on each member, until all have served it. */
  public static final String ONE_WAY_SINGLES = "one-way-singles:";

  /** The two loads above, with the members in the caller's JVM. */
  public static final String ONE_WAY_HERE = "one-way-here:";

  public static final String ONE_WAY_SINGLES_HERE = "one-way-singles-here:";

  /** Microseconds of a call on a group, until the last answer. */
  public static final String ASK = "ask:";

  /**
   * Microseconds of a call on each member, until the last answer; all calls are made before the
   * first wait.
   */
  public static final String ASK_SINGLES = "ask-singles:";

  /**
   * Microseconds for each of that many objects, from their creation on the nodes until each has
   * answered a call and been terminated. Does it once per turn.
   */
  public static final String LIVES = "lives:";

  /** Bytes that all JVMs write for a call on a group with a mebibyte. */
  public static final String MEBI_WRITTEN = "mebi-written:";

  /** Microseconds of a collective operation of one member on each node. */
  public static final String BARRIER = "barrier:";

  public static final String ALL_REDUCE = "all-reduce:";
  public static final String BROADCAST = "broadcast:";

  /** Microseconds of a round trip between two members. */
  public static final String PING_PONG = "ping-pong:";

  private static final double[] MEBI = new double[(1 << 20) / Double.BYTES];

  private final ServerGrid grid;
  private final Map<Integer, CalledGroup> remoteGroups = new HashMap<>();
  private final Map<Integer, CalledGroup> localGroups = new HashMap<>();
  private @Nullable Group<SpmdMember> spmdGroup;

  private GroupClient(ServerGrid grid) {
    this.grid = grid;
  }

  static void main(String[] arguments) throws Exception {
    var hosts = Stream.of(arguments).skip(2).map(SimulatedHost::parse).toList();
    try (var grid = ServerGrid.of(Integer.parseInt(arguments[1]), hosts)) {
      TurnProtocol.serve(new GroupClient(grid), Integer.parseInt(arguments[0]));
    }
  }

  @Override
  public TurnProtocol.Measure measure(String name) {
    if (name.equals(CalleeLoads.CALL)) {
      var member = remote(1).group.get(0);
      return micros(times -> repeat(times, member::call));
    }
    var kind = name.substring(0, name.indexOf(':') + 1);
    var count = Integer.parseInt(name.substring(kind.length()));
    return switch (kind) {
      case ONE_WAY -> micros(remote(count)::tellAll);
      case ONE_WAY_SINGLES -> micros(remote(count)::tellEach);
      case ONE_WAY_HERE -> micros(local(count)::tellAll);
      case ONE_WAY_SINGLES_HERE -> micros(local(count)::tellEach);
      case ASK -> micros(remote(count)::askAll);
      case ASK_SINGLES -> micros(remote(count)::askEach);
      case LIVES -> _ -> lives(count);
      case MEBI_WRITTEN -> remote(count)::writtenForAMebi;
      case BARRIER -> collective(SpmdMember::barriers);
      case ALL_REDUCE -> collective((member, times) -> member.allReduces(count, times));
      case BROADCAST -> collective((member, times) -> member.broadcasts(count, times));
      case PING_PONG -> collective((member, times) -> member.pingPongs(count, times));
      default -> throw new IllegalArgumentException("there is no load '" + name + "'");
    };
  }

  private static TurnProtocol.Measure micros(TurnProtocol.Work work) {
    return millis -> TurnProtocol.microsEach(work, millis);
  }

  private static void repeat(int times, Runnable call) {
    for (var i = 0; i < times; i++) {
      call.run();
    }
  }

  // Group calls

  private CalledGroup remote(int members) {
    return remoteGroups.computeIfAbsent(
        members,
        count ->
            new CalledGroup(
                Group.of(
                    Groups.on(grid.nodes())
                        .placed(Placement.roundRobin(count))
                        .create(GroupCallee.class)),
                Math.min(count, grid.nodes().size())));
  }

  private double lives(int objects) {
    var began = System.nanoTime();
    var made =
        Group.of(
            Groups.on(grid.nodes())
                .placed(Placement.roundRobin(objects))
                .create(GroupCallee.class));
    var answers = made.ask(GroupCallee::call).stream().mapToInt(each -> each).sum();
    if (answers != objects) {
      throw new IllegalStateException("%d of %d objects have answered".formatted(answers, objects));
    }
    made.terminate().join();
    return (System.nanoTime() - began) / 1e3 / objects;
  }

  private CalledGroup local(int members) {
    return localGroups.computeIfAbsent(
        members,
        count -> new CalledGroup(Group.of(Groups.here().each(count).create(GroupCallee.class)), 1));
  }

  /**
   * A called group.
   *
   * @param jvms the number of JVMs over which the members are distributed round-robin
   */
  private record CalledGroup(Group<GroupCallee> group, int jvms) {

    void tellAll(int times) {
      var all = group.all();
      repeat(times, () -> all.tell(times));
      awaitServed(times);
    }

    void tellEach(int times) {
      var members = group.members();
      repeat(times, () -> members.forEach(each -> each.tell(times)));
      awaitServed(times);
    }

    /** Waits until all members have served their calls, by a call to one member in each JVM. */
    private void awaitServed(long calls) {
      for (var first = 0; first < jvms; first++) {
        var membersThere = (group.size() - first + jvms - 1) / jvms;
        group.get(first).awaitServed(calls * membersThere);
      }
    }

    void askAll(int times) {
      repeat(times, () -> group.ask(GroupCallee::call).awaitAll());
    }

    void askEach(int times) {
      var members = group.stream().map(ActiveObjects::ref).toList();
      repeat(
          times,
          () ->
              members.stream()
                  .map(each -> each.ask(GroupCallee::call))
                  .toList()
                  .forEach(CompletableFuture::join));
    }

    double writtenForAMebi(int millis) throws Exception {
      var all = group.all();
      var calls = new long[1];
      TurnProtocol.Work work =
          times -> {
            repeat(times, () -> all.take(MEBI));
            awaitServed(times);
            calls[0] += times;
          };
      var before = written();
      TurnProtocol.microsEach(work, millis);
      return (double) (written() - before) / calls[0];
    }

    /** Returns the bytes that all JVMs have written. */
    private long written() {
      var bytes = WrittenBytes.bytes();
      for (var first = 0; first < jvms; first++) {
        bytes += group.get(first).written();
      }
      return bytes;
    }
  }

  // Collective operations

  private interface Collective {
    /** Returns the nanoseconds of all repetitions at a member. */
    long nanos(SpmdMember member, int times);
  }

  /** Measures the slowest member. */
  private TurnProtocol.Measure collective(Collective operation) {
    var group =
        spmdGroup == null ? Group.of(Groups.on(grid.nodes()).spmd(SpmdMember.class)) : spmdGroup;
    spmdGroup = group;
    var micros = new double[] {1_000}; // of one repetition, as an estimate
    return millis -> {
      var times = (int) Math.max(1, millis * 1_000 / micros[0]);
      var nanos = group.ask(each -> operation.nanos(each, times)).stream().mapToLong(each -> each);
      micros[0] = nanos.max().orElseThrow() / 1e3 / times;
      return micros[0];
    };
  }
}
