package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.hosting.NodeActivity;
import org.troupe.activeobjects.hosting.NodeReport;

class GridControllerTest {

  private static NodeReport report(String trouble) {
    return new NodeReport(1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, trouble, NodeActivity.NONE);
  }

  @Test
  void aNodeAmongManyIsAskedForFewer() {
    assertThat(GridController.ofEach(1_000, 1)).isEqualTo(1_000);
    assertThat(GridController.ofEach(1_000, 10)).isEqualTo(1_000);
    assertThat(GridController.ofEach(1_000, 50)).isEqualTo(200);
    assertThat(GridController.ofEach(1_000, 10_000)).isEqualTo(20);
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
