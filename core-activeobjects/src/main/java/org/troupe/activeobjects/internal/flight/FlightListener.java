package org.troupe.activeobjects.internal.flight;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/** Learns from the recorder whether a recording runs. */
final class FlightListener implements FlightRecorderListener {

  private FlightListener() {}

  static boolean isRecorderInUse() {
    return FlightRecorder.isInitialized();
  }

  static void listen() {
    // Before a request has to wait for it: the first event of a type takes some 10 ms.
    FlightEventTypes.ALL.forEach(FlightRecorder::register);
    FlightRecorder.addListener(new FlightListener());
    FlightRecorder.addPeriodicEvent(FlightEventTypes.Queue.class, FlightSources::emitQueues);
    FlightRecorder.addPeriodicEvent(FlightEventTypes.Link.class, FlightSources::emitLinks);
    FlightSwitch.set(FlightListener::isRecording);
  }

  private static boolean isRecording() {
    return FlightRecorder.isInitialized()
        && FlightRecorder.getFlightRecorder().getRecordings().stream()
            .anyMatch(each -> each.getState() == RecordingState.RUNNING);
  }

  @Override
  public void recordingStateChanged(Recording recording) {
    FlightSwitch.set(FlightListener::isRecording);
  }
}
