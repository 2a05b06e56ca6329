package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StoreTest {

  @Test
  void refusesADirectoryWithoutAName() {
    assertThatThrownBy(() -> Store.directory(Path.of("")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name a directory, or '.' for that one");
    assertThat(Store.directory(Path.of(".")).folder())
        .isEqualTo(Path.of("").toAbsolutePath().toString());
  }
}
