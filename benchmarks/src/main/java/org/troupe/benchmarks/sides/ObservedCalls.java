package org.troupe.benchmarks.sides;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.EarlierBuild;
import org.troupe.benchmarks.harness.JvmCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;

/** The calls whose cost under observation is measured, each in microseconds. */
public enum ObservedCalls {
  NULL_CALL("null-call", TroupeClient.class, CalleeLoads.CALL),
  ONE_WAY("one-way", TroupeClient.class, CalleeLoads.ONE_WAY),
  LOCAL_CALL("local-call", LocalCalls.class, LocalCalls.Call.WAIT.name()),
  LOCAL_ONE_WAY("local-one-way", LocalCalls.class, LocalCalls.Call.ONE_WAY.name());

  private static final List<String> OPTIONS =
      Stream.concat(
              Stream.of("-Xmx512m", "-XX:+UseSerialGC", "-D" + TroupeServer.TRANSPORT + "=ibis"),
              JvmCommand.TROUPE_OPTIONS.stream())
          .toList();

  private final String row;
  private final Class<?> main;
  private final String load;

  ObservedCalls(String row, Class<?> main, String load) {
    this.row = row;
    this.main = main;
    this.load = load;
  }

  /** Returns the name of the call in rows. */
  public String row() {
    return row;
  }

  /** Returns the load of its JVM. */
  public String load() {
    return main == LocalCalls.class ? "" : load;
  }

  /** Returns the microseconds of a figure that its JVM has measured. */
  public double micros(double figure) {
    return this == LOCAL_ONE_WAY ? 1 / figure : figure;
  }

  /** Starts a JVM of this build that makes the calls in a tier; a server has the same tier. */
  public ContenderProcess start(ObservationTier tier, CorePinning pinning, MeasurementEffort effort)
      throws IOException {
    var options =
        Stream.concat(OPTIONS.stream(), Stream.of("-D" + ObservationTier.PROPERTY + "=" + tier))
            .toList();
    return ContenderProcess.start(main, pinning, options, arguments(effort));
  }

  /** Starts a JVM of an earlier build, which knows no tiers. */
  public ContenderProcess start(EarlierBuild earlier, CorePinning pinning, MeasurementEffort effort)
      throws IOException {
    return earlier.start(main, pinning, OPTIONS, arguments(effort));
  }

  private Object[] arguments(MeasurementEffort effort) {
    return main == LocalCalls.class
        ? new Object[] {load, LocalCalls.Side.ACTIVE_OBJECT, effort.roundMillis()}
        : new Object[] {effort.roundMillis()};
  }
}
