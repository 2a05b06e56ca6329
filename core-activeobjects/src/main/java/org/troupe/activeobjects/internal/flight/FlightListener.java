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

  /** Adds the listener, which does not initialize the recorder. */
  static void add() {
    FlightRecorder.addListener(new FlightListener());
  }

  /** Registers the events of Troupe, which initializes the recorder. */
  static void registerEvents() {
    // Before a request has to wait for it: the first event of a type takes some 10 ms.
    FlightEventTypes.ALL.forEach(FlightRecorder::register);
    FlightRecorder.addPeriodicEvent(FlightEventTypes.Queue.class, FlightSources::emitQueues);
    FlightRecorder.addPeriodicEvent(FlightEventTypes.Link.class, FlightSources::emitLinks);
  }

  /** Returns whether a recording runs. */
  static boolean isRecording() {
    return FlightRecorder.isInitialized()
        && FlightRecorder.getFlightRecorder().getRecordings().stream()
            .anyMatch(each -> each.getState() == RecordingState.RUNNING);
  }

  /** Called under locks of the recorder, which other threads need for the events. */
  @Override
  public void recorderInitialized(FlightRecorder recorder) {
    Thread.ofVirtual().name("troupe-recordings").start(FlightSwitch::register);
  }

  @Override
  public void recordingStateChanged(Recording recording) {
    FlightSwitch.set(FlightListener::isRecording);
  }
}
