package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.hosting.NodeActivity;
import org.troupe.activeobjects.hosting.NodeReport;

class GridControllerTest {

  private static NodeReport report(String trouble) {
    return new NodeReport(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, trouble, NodeActivity.NONE);
  }

  @Test
  void statusSaysWhatKeepsANodeFromServing() {
    assertThat(GridController.detail("", report("nothing has been served")))
        .contains("nothing has been");
    assertThat(GridController.detail("it ended", report("nothing"))).isEqualTo("it ended");
    assertThat(GridController.detail("", report(""))).isEmpty();
    assertThat(GridController.detail("", null)).isEmpty();
  }
}
