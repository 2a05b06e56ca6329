package org.troupe.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class MemoryMonitorTest {

  @Test
  @EnabledOnOs(OS.LINUX)
  void sumsTheMemoryOfDescendants() throws Exception {
    var child = new ProcessBuilder("cat").start(); // until its input ends
    try (var watch = new MemoryMonitor()) {
      watch.sample();

      assertThat(watch.samples()).isNotEmpty();
      assertThat(watch.samples().values()).allSatisfy(mib -> assertThat(mib).isBetween(0.1, 1e5));
    } finally {
      child.getOutputStream().close();
      child.waitFor();
    }
  }
}
