package org.troupe.benchmarks.sides;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.benchmarks.harness.WrittenBytes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Placement;

/**
 * Calls groups whose members are spread over some nodes, from a platform thread, and lets members
 * there go in step. Loads have a number behind a colon: of members, or of doubles for those in
 * step.
 */
public final class GroupClient implements TurnProtocol.Loads {

  /** Microseconds of a call on all members that nobody waits for, up to when all have served it. */
  public static final String ONE_WAY = "one-way:";

  /** The same with a call on each. */
  public static final String ONE_WAY_SINGLES = "one-way-singles:";

  /** The two with members in the caller's JVM. */
  public static final String ONE_WAY_HERE = "one-way-here:";

  public static final String ONE_WAY_SINGLES_HERE = "one-way-singles-here:";

  /** Microseconds of a call on all members up to the last of their answers. */
  public static final String ASK = "ask:";

  /** The same with a call on each, all made before the first is waited for. */
  public static final String ASK_SINGLES = "ask-singles:";

  /** Bytes that all JVMs write for a call with a mebibyte on all members. */
  public static final String MEBI_WRITTEN = "mebi-written:";

  /** Microseconds of one thing that all members of a group do, one on each node. */
  public static final String BARRIER = "barrier:";

  public static final String ALL_REDUCE = "all-reduce:";
  public static final String BROADCAST = "broadcast:";

  /** Microseconds from one member to another and back. */
  public static final String PING_PONG = "ping-pong:";

  private static final double[] MEBI = new double[(1 << 20) / Double.BYTES];

  private final ServerGrid grid;
  private final Map<Integer, Crews> there = new HashMap<>();
  private final Map<Integer, Crews> here = new HashMap<>();
  private Group<SpmdMember> inStep;

  private GroupClient(ServerGrid grid) {
    this.grid = grid;
  }

  static void main(String[] arguments) throws Exception {
    try (var grid = ServerGrid.of(Integer.parseInt(arguments[1]))) {
      TurnProtocol.take(new GroupClient(grid), Integer.parseInt(arguments[0]));
    }
  }

  @Override
  public TurnProtocol.Measure measure(String name) {
    if (name.equals(CalleeLoads.CALL)) {
      var member = there(1).group.get(0);
      return micros(times -> repeat(times, member::call));
    }
    var kind = name.substring(0, name.indexOf(':') + 1);
    var count = Integer.parseInt(name.substring(kind.length()));
    return switch (kind) {
      case ONE_WAY -> micros(there(count)::tellAll);
      case ONE_WAY_SINGLES -> micros(there(count)::tellEach);
      case ONE_WAY_HERE -> micros(here(count)::tellAll);
      case ONE_WAY_SINGLES_HERE -> micros(here(count)::tellEach);
      case ASK -> micros(there(count)::askAll);
      case ASK_SINGLES -> micros(there(count)::askEach);
      case MEBI_WRITTEN -> there(count)::writtenForAMebi;
      case BARRIER -> steps(SpmdMember::barriers);
      case ALL_REDUCE -> steps((member, times) -> member.allReduces(count, times));
      case BROADCAST -> steps((member, times) -> member.broadcasts(count, times));
      case PING_PONG -> steps((member, times) -> member.pingPongs(count, times));
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

  // Calls

  private Crews there(int members) {
    return there.computeIfAbsent(
        members,
        count ->
            new Crews(
                Group.of(
                    Groups.on(grid.nodes())
                        .placed(Placement.roundRobin(count))
                        .create(GroupCallee.class)),
                Math.min(count, grid.nodes().size())));
  }

  private Crews here(int members) {
    return here.computeIfAbsent(
        members,
        count -> new Crews(Group.of(Groups.here().each(count).create(GroupCallee.class)), 1));
  }

  /**
   * Members that are called.
   *
   * @param jvms over which they are spread, one after the other
   */
  private record Crews(Group<GroupCallee> group, int jvms) {

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

    /** Waits for all members, with a call to one in each JVM. */
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

    /** By all JVMs. */
    private long written() {
      var bytes = WrittenBytes.bytes();
      for (var first = 0; first < jvms; first++) {
        bytes += group.get(first).written();
      }
      return bytes;
    }
  }

  // In step

  private interface Step {
    /** Returns the nanoseconds that it took. */
    long nanos(SpmdMember member, int times);
  }

  /** The slowest member counts. */
  private TurnProtocol.Measure steps(Step step) {
    if (inStep == null) {
      inStep = Group.of(Groups.on(grid.nodes()).spmd(SpmdMember.class));
    }
    var group = inStep;
    var micros = new double[] {1_000}; // each, as far as known
    return millis -> {
      var times = (int) Math.max(1, millis * 1_000 / micros[0]);
      var nanos = group.ask(each -> step.nanos(each, times)).stream().mapToLong(each -> each);
      micros[0] = nanos.max().orElseThrow() / 1e3 / times;
      return micros[0];
    };
  }
}
