package org.troupe.activeobjects.internal.membership;

import java.io.IOException;
import org.troupe.activeobjects.hosting.RecordingStart;
import org.troupe.activeobjects.internal.flight.FlightRecordings;
import org.troupe.activeobjects.internal.flight.FlightSwitch;

/** The recordings of this JVM by its flight recorder, where there is one. */
final class NodeRecordings {

  private NodeRecordings() {}

  static RecordingStart start(String settings, long seconds, long mostBytes) throws IOException {
    if (!FlightSwitch.isAvailable()) {
      throw new IOException(
          "this JVM has no flight recorder; start it with a Java that has the module jdk.jfr");
    }
    return FlightRecordings.start(settings, seconds, mostBytes);
  }

  static byte[] next(long id) throws IOException {
    return FlightRecordings.next(id);
  }

  static boolean discard(long id) {
    if (FlightSwitch.isAvailable()) {
      FlightRecordings.discard(id);
    }
    return true;
  }
}
