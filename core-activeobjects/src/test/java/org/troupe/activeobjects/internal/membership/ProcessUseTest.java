package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ProcessUseTest {

  @Test
  void hasTheFiguresOfTheSystem() throws IOException {
    var first = ProcessUse.ofThisJvm();
    var processor = ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    var resident = residentBytes();
    var second = ProcessUse.ofThisJvm();

    assertThat(Duration.ofNanos(first.processorNanos())).isPositive();
    assertThat(processor)
        .isBetween(
            Duration.ofNanos(first.processorNanos()), Duration.ofNanos(second.processorNanos()));
    assertThat(first.residentBytes()).isBetween(resident / 2, 2 * resident);
    assertThat(second.residentBytes()).isBetween(resident / 2, 2 * resident);
  }

  /** Reads the line {@code VmRSS: 65536 kB}. */
  private static long residentBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .map(line -> line.split("\\s+")[1])
        .mapToLong(Long::parseLong)
        .map(kibibytes -> kibibytes * 1024)
        .findAny()
        .orElseThrow();
  }
}
