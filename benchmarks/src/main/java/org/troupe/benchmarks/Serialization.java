package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.troupe.benchmarks.Serializing.By;

/** Graphs through bytes and back, against code written by hand and what others use. */
final class Serialization implements Benchmark {

  private static final List<String> OPTIONS = List.of("-Xmx1g");
  private static final Set<By> PEERS = EnumSet.of(By.FORY, By.KRYO, By.JAVA_IO);
  private static final Set<By> SPECIALISED =
      EnumSet.of(By.SITE, By.SITE_CYCLE, By.SITE_REUSE, By.ALL);

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
      var name = "serialize-" + payload.label();
      var all = EnumSet.of(By.TROUPE, By.HAND);
      all.addAll(PEERS);
      var times = times(payload, all, effort);
      rows.add(row(name, times, By.TROUPE, By.HAND, Goal.ratio(AT_MOST, 1.5)));
      for (var peer : PEERS) {
        rows.add(row(name + "-by-" + label(peer), times, By.TROUPE, peer, goal(payload, peer)));
      }
      rows.add(bytes(payload));
    }
    for (var payload : List.of(Payload.LIST_100, Payload.DOUBLES_16_16)) {
      var all = EnumSet.of(By.CLASS);
      all.addAll(SPECIALISED);
      var times = times(payload, all, effort);
      for (var by : all) {
        rows.add(
            row("specialised-" + payload.label() + "-" + label(by), times, by, By.CLASS, null));
      }
    }
    return rows;
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

  private static Row row(String name, Map<By, Spread> times, By ours, By reference, Goal goal) {
    return new Row(
        name, "us", times.get(ours), times.get(reference), goal, Pinning.ONE_CORE.note());
  }

  private static String label(By by) {
    return by.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Lets all take turns, each in a JVM of its own, on one core. */
  private static Map<By, Spread> times(Payload payload, Set<By> all, Effort effort)
      throws IOException {
    var contenders = new EnumMap<By, Contender>(By.class);
    try {
      var times = new EnumMap<By, List<Double>>(By.class);
      for (var by : all) {
        times.put(by, new ArrayList<>());
        contenders.put(
            by,
            Contender.start(
                Serializing.class, Pinning.ONE_CORE, OPTIONS, payload, by, effort.roundMillis()));
      }
      for (var round = 0; round < effort.rounds(); round++) {
        for (var by : all) {
          times.get(by).add(contenders.get(by).turn());
        }
      }
      var spreads = new EnumMap<By, Spread>(By.class);
      times.forEach((by, figures) -> spreads.put(by, Spread.of(figures)));
      return spreads;
    } finally {
      contenders.values().forEach(Contender::close);
    }
  }
}
