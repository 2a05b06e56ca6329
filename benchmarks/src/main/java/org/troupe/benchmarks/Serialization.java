package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.troupe.benchmarks.Serializing.By;

/** Graphs through bytes and back, against code written by hand and what others use. */
final class Serialization implements Benchmark {

  private static final List<String> OPTIONS = List.of("-Xmx1g");

  /** These two go by what the JDK warns of. */
  private static final Set<By> UNSAFE = EnumSet.of(By.FORY, By.KRYO);

  private static final List<String> UNSAFE_OPTIONS =
      List.of("-Xmx1g", "--sun-misc-unsafe-memory-access=allow");

  private static final Set<By> PEERS = EnumSet.of(By.FORY, By.KRYO, By.JAVA_IO);
  private static final Set<By> SPECIALISED =
      EnumSet.of(By.CLASS, By.SITE, By.SITE_CYCLE, By.SITE_REUSE, By.ALL);

  @Override
  public String name() {
    return "serialization";
  }

  @Override
  public String about() {
    return "graphs through bytes and back, against code by hand, Fory, Kryo and java.io";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    var rows = new ArrayList<Row>();
    for (var payload : Payload.values()) {
      rows.addAll(againstPeers(payload, effort));
      rows.add(bytes(payload));
    }
    for (var payload : List.of(Payload.LIST_100, Payload.DOUBLES_16_16)) {
      rows.addAll(specialised(payload, effort));
    }
    return rows;
  }

  private static List<Row> againstPeers(Payload payload, Effort effort)
      throws IOException, InterruptedException {
    try (var contest = new Contest(Pinning.ONE_CORE)) {
      enter(contest, payload, By.TROUPE, effort);
      enter(contest, payload, By.HAND, effort);
      for (var peer : PEERS) {
        enter(contest, payload, peer, effort);
      }
      contest.run(effort.rounds());
      var name = "serialize-" + payload.label();
      var rows = new ArrayList<Row>();
      rows.add(row(contest, name, By.TROUPE, By.HAND, Goal.ratio(AT_MOST, 1.5)));
      for (var peer : PEERS) {
        rows.add(row(contest, name + "-by-" + label(peer), By.TROUPE, peer, goal(payload, peer)));
      }
      return rows;
    }
  }

  private static List<Row> specialised(Payload payload, Effort effort)
      throws IOException, InterruptedException {
    try (var contest = new Contest(Pinning.ONE_CORE)) {
      for (var by : SPECIALISED) {
        enter(contest, payload, by, effort);
      }
      contest.run(effort.rounds());
      var name = "specialised-" + payload.label() + "-";
      return SPECIALISED.stream()
          .map(by -> row(contest, name + label(by), by, By.CLASS, null))
          .toList();
    }
  }

  private static void enter(Contest contest, Payload payload, By by, Effort effort)
      throws IOException {
    contest.enter(
        label(by),
        Contender.start(
            Serializing.class,
            Pinning.ONE_CORE,
            UNSAFE.contains(by) ? UNSAFE_OPTIONS : OPTIONS,
            payload,
            by,
            effort.roundMillis()));
  }

  private static Row row(Contest contest, String name, By ours, By reference, Goal goal) {
    return contest.row(name, "us", label(ours), label(reference), goal);
  }

  private static Goal goal(Payload payload, By peer) {
    var linked = payload == Payload.LIST_100 || payload == Payload.TREE_1023;
    return Goal.ratio(AT_MOST, peer == By.FORY && linked ? 1 / 1.5 : 1);
  }

  private static Row bytes(Payload payload) {
    return new Row(
        "bytes-" + payload.label(),
        "bytes",
        Spread.of(List.of((double) By.TROUPE.size(payload))),
        Spread.of(List.of((double) By.HAND.size(payload))),
        Goal.ratio(AT_MOST, 1.1));
  }

  private static String label(By by) {
    return by.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
