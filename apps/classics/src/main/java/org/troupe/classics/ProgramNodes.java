package org.troupe.classics;

import org.troupe.activeobjects.Nodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;

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

  /** Runs the given work and returns its time, processor time and traffic. */
  public RunTiming time(Runnable work) {
    var before = reading();
    var began = System.nanoTime();
    work.run();
    var nanos = System.nanoTime() - began;
    var used = reading().since(before);
    return new RunTiming(nanos / 1e9, used.cpu().toNanos() / 1e9, used.traffic(), used.tally());
  }

  private ResourceMeter.Reading reading() {
    return meters.ask(ResourceMeter::read).reduce(ResourceMeter.Reading::plus).join();
  }

  /** Removes the meters. */
  @Override
  public void close() {
    meters.terminate();
  }
}
