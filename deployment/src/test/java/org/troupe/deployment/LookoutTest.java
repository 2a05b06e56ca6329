package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.spi.NodeReport;

class LookoutTest {

  private static NodeReport report(String trouble) {
    return new NodeReport(1, 2, 3, 4, 5, 6, List.of(), trouble);
  }

  @Test
  void statusSaysWhatKeepsANodeFromServing() {
    assertThat(Lookout.detail("", report("nothing has been served"))).contains("nothing has been");
    assertThat(Lookout.detail("it ended", report("nothing"))).isEqualTo("it ended");
    assertThat(Lookout.detail("", report(""))).isEmpty();
    assertThat(Lookout.detail("", null)).isEmpty();
  }
}
