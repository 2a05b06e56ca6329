package org.troupe.activeobjects.internal.flight;

import static org.assertj.core.api.Assertions.assertThat;

import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.Waits;

@Timeout(60)
class FlightSwitchTest {

  @Test
  void isOnWhileTheProgramRecords() {
    FlightSwitch.begin();
    assertThat(FlightSwitch.isOn()).isFalse();

    try (var recording = new Recording()) {
      recording.start();
      Waits.until(FlightSwitch::isOn, "that the recording is noticed");
      Waits.until(
          () ->
              FlightRecorder.getFlightRecorder().getEventTypes().stream()
                  .anyMatch(each -> each.getName().startsWith("troupe.")),
          "the events of Troupe");
      recording.stop();

      Waits.until(() -> !FlightSwitch.isOn(), "that the recording has ended");
    }
  }

  @Test
  void noticesTheNextRecordingToo() {
    FlightSwitch.begin();
    for (var i = 0; i < 2; i++) {
      try (var recording = new Recording()) {
        recording.start();
        Waits.until(FlightSwitch::isOn, "that the recording is noticed");
      }
      Waits.until(() -> !FlightSwitch.isOn(), "that the recording has ended");
    }
  }
}
