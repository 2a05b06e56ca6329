package org.troupe.deployment.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchLauncherTest {

  @Test
  void theJobsOfARunHaveFoldersOfTheirOwn() {
    assertThat(BatchLauncher.folderName("0a1b", "x", 0)).isEqualTo("0a1b-x");
    assertThat(BatchLauncher.folderName("0a1b", "x", 4))
        .isEqualTo("0a1b-x+4")
        .isNotEqualTo(BatchLauncher.folderName("0a1b", "x.4", 0));
  }
}
