package org.troupe.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.runs.RefusedRequestException;

/** The messages of a verb that fails. */
class FailureReportTest {

  private final StringWriter printed = new StringWriter();

  private int report(Throwable failure) {
    return FailureReport.report(failure, false, new PrintWriter(printed));
  }

  @Test
  void aRefusalIsItsReason() {
    assertThat(report(new RefusedRequestException("the run is ending"))).isEqualTo(2);
    assertThat(printed).hasToString("the run is ending" + System.lineSeparator());
  }

  @Test
  void anInternalFaultSaysThatItIsOneAndWhatToDo() {
    assertThat(report(new IllegalStateException("no view", new NullPointerException())))
        .isEqualTo(1);
    assertThat(printed)
        .hasToString(
            "troupe: an internal fault of Troupe: java.lang.IllegalStateException: no view, because of java.lang.NullPointerException; '--verbose' prints the stack trace, with which this is to be reported"
                + System.lineSeparator());
  }

  @Test
  void whatTheMachineLacksIsNoFault() {
    assertThat(report(new IOException("no space"))).isEqualTo(1);
    assertThat(printed.toString())
        .startsWith("troupe: java.io.IOException: no space")
        .doesNotContain("fault");
  }
}
