package org.troupe.classics;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.MemberOutcome;

/** The nodes that a program runs on, with a resource meter on each. */
public final class ProgramNodes implements AutoCloseable {

  private final Nodes nodes;
  private final Group<ResourceMeter> meters;

  /** Creates a meter on each node; all nodes must have joined. */
  ProgramNodes(Nodes nodes) {
    this.nodes = nodes;
    meters = Group.of(Groups.on(nodes).create(ResourceMeter.class));
  }

  /** Returns the nodes. */
  public Nodes nodes() {
    return nodes;
  }

  /**
   * Runs the given work and returns its time, processor time and traffic; those of nodes that are
   * lost meanwhile do not count.
   */
  public RunTiming time(Runnable work) {
    var before = readings();
    var began = System.nanoTime();
    work.run();
    var nanos = System.nanoTime() - began;
    var after = readings();
    var used =
        after.entrySet().stream()
            .map(each -> each.getValue().since(reading(before, each.getKey())))
            .reduce(ResourceMeter.Reading::plus)
            .orElseThrow(() -> new IllegalStateException("all nodes are lost"));
    return new RunTiming(nanos / 1e9, used.cpu().toNanos() / 1e9, used.traffic(), used.tally());
  }

  private static ResourceMeter.Reading reading(Map<Integer, ResourceMeter.Reading> all, int rank) {
    return Objects.requireNonNull(all.get(rank), "a node that was lost does not come back");
  }

  /** Returns the readings of the nodes that are not lost, by rank. */
  private Map<Integer, ResourceMeter.Reading> readings() {
    Map<Integer, ResourceMeter.Reading> readings = new TreeMap<>();
    for (var each : meters.ask(ResourceMeter::read).outcomes()) {
      switch (each) {
        case MemberOutcome.Success<ResourceMeter.Reading>(int rank, ResourceMeter.Reading its) ->
            readings.put(rank, its);
        case MemberOutcome.Failure<ResourceMeter.Reading>(int rank, Throwable why)
            when why instanceof NodeLostException -> {
          // It is left out.
        }
        case MemberOutcome.Failure<ResourceMeter.Reading>(int rank, Throwable why) ->
            throw new CompletionException(why);
      }
    }
    return readings;
  }

  /** Removes the meters. */
  @Override
  public void close() {
    meters.terminate();
  }
}
