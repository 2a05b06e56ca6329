package org.troupe.benchmarks.sides;

import java.util.List;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.mpj.launch.RankRun;

/**
 * Starts operations of the package {@code mpi} at ranks in other JVMs. The number after the colon
 * of a load is that of doubles, or of queued messages.
 */
public final class RankClient implements TurnProtocol.Loads {

  /** Microseconds of a round trip of doubles between two ranks. */
  public static final String PING_PONG = GroupClient.PING_PONG;

  /** Microseconds of collective operations. */
  public static final String BARRIER = GroupClient.BARRIER;

  public static final String ALL_REDUCE = GroupClient.ALL_REDUCE;
  public static final String BROADCAST = GroupClient.BROADCAST;
  public static final String ALL_TO_ALL = "all-to-all:";

  /** Microseconds of a message to oneself and its receive, behind queued messages. */
  public static final String UNEXPECTED = "unexpected:";

  /** Microseconds of a round trip of a column of a square matrix, by a vector type. */
  public static final String VECTOR = "vector:";

  /** Microseconds of the same, packed by a loop. */
  public static final String PACKED = "packed:";

  private final List<RankMember> ranks;

  private RankClient(List<RankMember> ranks) {
    this.ranks = ranks;
  }

  static void main(String[] arguments) throws Exception {
    try (var grid = ServerGrid.of(Integer.parseInt(arguments[1]))) {
      var ranks =
          grid.nodes().stream()
              .map(each -> ActiveObjects.on(each).create(RankMember.class))
              .toList();
      RankRun.attach(ranks);
      ranks.stream()
          .map(each -> ActiveObjects.ref(each).ask(RankMember::begin))
          .toList()
          .forEach(each -> each.join());
      TurnProtocol.serve(new RankClient(ranks), Integer.parseInt(arguments[0]));
    }
  }

  /** An operation at a rank. */
  interface Operation {
    /** Returns the nanoseconds of all repetitions. */
    long nanos(RankMember rank, int times);
  }

  /** Repetitions of an operation at all ranks. */
  interface Repetitions {
    /** Returns the nanoseconds of the slowest rank. */
    long nanos(int times) throws Exception;
  }

  @Override
  public TurnProtocol.Measure measure(String name) {
    var operation = operation(name);
    return microsEach(
        times ->
            ranks.stream()
                .map(each -> ActiveObjects.ref(each).ask(rank -> operation.nanos(rank, times)))
                .toList()
                .stream()
                .mapToLong(each -> each.join())
                .max()
                .orElseThrow());
  }

  /** Returns the operation of a load. */
  static Operation operation(String name) {
    var kind = name.substring(0, name.indexOf(':') + 1);
    var count = Integer.parseInt(name.substring(kind.length()));
    return switch (kind) {
      case PING_PONG -> (rank, times) -> rank.pingPongs(count, times);
      case BARRIER -> RankMember::barriers;
      case ALL_REDUCE -> (rank, times) -> rank.allReduces(count, times);
      case BROADCAST -> (rank, times) -> rank.broadcasts(count, times);
      case ALL_TO_ALL -> (rank, times) -> rank.allToAlls(count, times);
      case UNEXPECTED -> (rank, times) -> rank.unexpected(count, times);
      case VECTOR -> (rank, times) -> rank.columns(count, true, times);
      case PACKED -> (rank, times) -> rank.columns(count, false, times);
      default -> throw new IllegalArgumentException("there is no load '" + name + "'");
    };
  }

  /** Returns a measurement of one repetition, in microseconds. */
  static TurnProtocol.Measure microsEach(Repetitions repetitions) {
    var micros = new double[] {1_000}; // of one repetition, as an estimate
    return millis -> {
      var times = (int) Math.max(1, millis * 1_000 / micros[0]);
      micros[0] = repetitions.nanos(times) / 1e3 / times;
      return micros[0];
    };
  }
}
