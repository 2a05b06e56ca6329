package org.troupe.activeobjects.internal.flight;

import org.troupe.activeobjects.collective.OperationEvent;

/** Makes the events of recordings. Called only while {@link FlightSwitch#isOn()}. */
public final class FlightEvents {

  private FlightEvents() {}

  /** Begins the service of a request. */
  public static FlightSpan.Service serving() {
    var event = new FlightEventTypes.Serve();
    event.begin();
    return event;
  }

  /** Begins a call. */
  public static FlightSpan.Call calling() {
    var event = new FlightEventTypes.Call();
    event.begin();
    return event;
  }

  /** Begins a wait. */
  public static FlightSpan.Wait waiting() {
    var event = new FlightEventTypes.Wait();
    event.begin();
    return event;
  }

  /** Begins to encode or decode. */
  public static FlightSpan.Codec coding() {
    var event = new FlightEventTypes.Codec();
    event.begin();
    return event;
  }

  /** Begins a collective operation. */
  public static OperationEvent combining() {
    var event = new FlightEventTypes.Collective();
    event.begin();
    return event;
  }

  /**
   * Records a change of the grid.
   *
   * @param change such as {@code joined}
   * @param cause why; empty if there is none
   */
  public static void node(String node, String change, String cause) {
    var event = new FlightEventTypes.Node();
    event.node = node;
    event.change = change;
    event.cause = cause;
    event.commit();
  }

  /** Records a failure that no caller observes. */
  public static void failure(String kind, String call, String exception, String example) {
    var event = new FlightEventTypes.Failure();
    event.kind = kind;
    event.call = call;
    event.exception = exception;
    event.example = example;
    event.commit();
  }

  /** Records that the archive of a program has come from another node. */
  public static void archive(String hash, String name, long bytes, String fromNode) {
    var event = new FlightEventTypes.Archive();
    event.hash = hash;
    event.archive = name;
    event.bytes = bytes;
    event.fromNode = fromNode;
    event.commit();
  }
}
