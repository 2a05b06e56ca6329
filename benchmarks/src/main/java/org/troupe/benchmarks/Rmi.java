package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;

/** Calls between two JVMs over RMI, against a bare call of the JDK's. */
final class Rmi implements Benchmark {

  private static final List<String> OPTIONS = List.of("-Xmx512m", "-XX:+UseSerialGC");

  /** Between two JVMs there is more to compile, and the compiler shares the one core. */
  private static final int WARM_UPS = 3;

  @Override
  public String name() {
    return "rmi";
  }

  @Override
  public String about() {
    return "a null call between two JVMs, against bare java.rmi over its default sockets";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    return List.of(
        row("rmi-null-call", Pinning.ONE_CORE, Goal.ratio(AT_MOST, 1.2), effort),
        row("rmi-null-call-free", Pinning.NONE, null, effort));
  }

  private static Row row(String name, Pinning pinning, Goal goal, Effort effort)
      throws IOException, InterruptedException {
    try (var ours = start(TroupeClient.class, TroupeServer.class, pinning, effort);
        var reference = start(BareClient.class, BareServer.class, pinning, effort)) {
      return Duel.fight(effort.rounds(), ours::turn, reference::turn).row(name, "us", goal);
    }
  }

  private static Contender start(Class<?> client, Class<?> server, Pinning pinning, Effort effort)
      throws IOException {
    return Contender.start(
        client,
        pinning,
        OPTIONS,
        server.getName(),
        effort.roundMillis(),
        WARM_UPS * effort.warmUpMillis());
  }

  /** What both sides call: no argument, and a result of the smallest kind. */
  static class Target {
    int call() {
      return 1;
    }
  }
}
