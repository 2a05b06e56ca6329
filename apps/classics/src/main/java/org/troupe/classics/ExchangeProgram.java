package org.troupe.classics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.troupe.groups.Group;
import picocli.CommandLine.Option;

/** A program that only sends messages of several sizes and verifies what arrives. */
public abstract class ExchangeProgram extends ClassicProgram {

  /**
   * From this number of doubles on, larger messages are exchanged fewer times, so that all sizes
   * take about equally long.
   */
  private static final int SMALL = 1000;

  private static final int FEWEST = 4;

  @Option(
      names = "--doubles",
      paramLabel = "N",
      split = ",",
      description = "the doubles in a message, one size or several (default: by --size)")
  private List<Integer> sizes;

  @Option(
      names = "--times",
      paramLabel = "N",
      description = "the round trips of small messages; larger ones make fewer")
  private Integer times;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "the number of rounds over all sizes; figures are medians")
  private Integer rounds;

  private int nodes;

  /**
   * The time and rate of exchanges of one message size.
   *
   * @param doubles the size of a message
   * @param micros the microseconds of one exchange
   * @param megabytesPerSecond the rate of the bytes that count as sent
   */
  public record Rate(int doubles, double micros, double megabytesPerSecond) {}

  /** Creates the members that send and receive, one on each node. */
  protected abstract Group<? extends ExchangeMember> members(ProgramNodes nodes);

  /** Returns the number of doubles that count as sent in one exchange. */
  protected abstract long doublesSent(int doubles, int nodes);

  /** Returns the name of one exchange in the summary. */
  protected abstract String unit();

  @Override
  protected final void prepare(int nodes, List<String> wrong) {
    this.nodes = nodes;
    sizes = orPreset(sizes, List.of(1, 7, 1000), decades(), decades());
    times = orPreset(times, 10, 3000, 10_000);
    rounds = orPreset(rounds, 1, 5, 5);
    var most = Math.min(ExchangeMember.MOST_DOUBLES, Integer.MAX_VALUE / nodes);
    for (var each : sizes) {
      requirePositive("--doubles", each, wrong);
      requireAtMost("--doubles", each, most, "a node keeps all messages in one array", wrong);
    }
    requirePositive("--times", times, wrong);
    requirePositive("--rounds", rounds, wrong);
  }

  /** Returns two sizes per power of ten, so that most of them are not round numbers. */
  private static List<Integer> decades() {
    return IntStream.rangeClosed(0, 12).mapToObj(half -> (int) Math.pow(10, half / 2.0)).toList();
  }

  /** Counts the messages to all nodes, those from all nodes, and messages in transit. */
  @Override
  protected final double nodeBytes(int nodes) {
    return 3.0 * Double.BYTES * sizes.stream().mapToInt(Integer::intValue).max().orElse(0) * nodes;
  }

  @Override
  public String problem() {
    return sizes.size() == 1
        ? text("messages of %,d doubles", sizes.getFirst())
        : text("messages of %,d to %,d doubles", sizes.getFirst(), sizes.getLast());
  }

  @Override
  protected final RunResult run(ProgramNodes nodes) {
    var members = members(nodes);
    Map<Integer, List<ExchangeMember.Measurement>> turns = new LinkedHashMap<>();
    List<RunTiming> times = new ArrayList<>();
    for (var end = warmUpEnd(); System.nanoTime() < end; ) {
      for (var size : sizes) {
        members.tell(each -> each.begin(size)).join();
        exchange(members, size);
      }
    }
    for (var round = 0; round < rounds; round++) {
      var time = RunTiming.NOTHING;
      for (var size : sizes) {
        members.tell(each -> each.begin(size)).join();
        time = time.plus(nodes.time(() -> exchange(members, size)));
        var turn = members.ask(ExchangeMember::end).reduce(ExchangeMember.Measurement::with).join();
        turns.computeIfAbsent(size, _ -> new ArrayList<>()).add(turn);
      }
      times.add(time);
    }
    members.terminate().join();
    var rates =
        turns.entrySet().stream().map(each -> rate(each.getKey(), each.getValue())).toList();
    return new RunResult(
        Median.ofTimes(times), null, checksum(turns), checks(turns), Map.of("rates", rates));
  }

  private void exchange(Group<? extends ExchangeMember> members, int doubles) {
    var count = Math.max(Math.min(FEWEST, times), times / (1 + doubles / SMALL));
    members.tell(each -> each.exchangeOften(count)).join();
  }

  private Rate rate(int doubles, List<ExchangeMember.Measurement> turns) {
    var micros = Median.of(turns.stream().map(ExchangeMember.Measurement::micros).toList());
    return new Rate(doubles, micros, doublesSent(doubles, nodes) * Double.BYTES / micros);
  }

  private static List<ResultCheck> checks(Map<Integer, List<ExchangeMember.Measurement>> turns) {
    return turns.entrySet().stream()
        .map(
            each ->
                ResultCheck.equal(
                    text(
                        "the count of doubles that arrived wrong, in messages of %,d",
                        each.getKey()),
                    0L,
                    each.getValue().stream().mapToLong(ExchangeMember.Measurement::wrong).sum()))
        .toList();
  }

  private static String checksum(Map<Integer, List<ExchangeMember.Measurement>> turns) {
    var sum = new NumberChecksum();
    turns.values().forEach(each -> sum.add(each.getLast().sum()));
    return sum.toString();
  }

  @Override
  protected final String details(RunResult result) {
    @SuppressWarnings("unchecked") // run() has put it there
    var rates =
        (List<Rate>) Objects.requireNonNull(result.figures().get("rates"), "the rates of run()");
    return rates.stream()
        .map(
            each ->
                text(
                    "%,9d doubles: %,10.1f us for each %s, %,.1f MB/s%n",
                    each.doubles, each.micros, unit(), each.megabytesPerSecond))
        .collect(Collectors.joining());
  }
}
