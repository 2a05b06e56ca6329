package org.troupe.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TerminalSizeTest {

  @Test
  void theSizeOfATerminalIsReadFromRowsAndColumns() {
    assertThat(TerminalSize.parse("50 132\n")).contains(new TerminalSize(132, 50));
    for (var bad : List.of("", "0 0", "50", "x y", "-1 80")) {
      assertThat(TerminalSize.parse(bad)).isEqualTo(Optional.empty());
    }
  }
}
