package org.troupe.deployment.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTextTest {

  private static final String RED = "\u001b[1;31m";

  @Test
  void linesTabsAndLettersStay() {
    var text = "a\tb\nc\r\n\u00e4\u4e16\ud83c\udf0d \\ $1";

    assertThat(TerminalText.plain(text)).isEqualTo(text);
    assertThat(TerminalText.coloured(text)).isEqualTo(text);
  }

  @Test
  void controlCharactersAreReplaced() {
    var text = "\u001b]0;title\u0007\u001b[2J\u009b6n\u0000\u0008\u007f\r.";

    assertThat(TerminalText.plain(text)).isEqualTo("?]0;title??[2J?6n????.");
    assertThat(TerminalText.coloured(text)).isEqualTo("?]0;title??[2J?6n????.");
  }

  @Test
  void marksOfDirectionAreReplaced() {
    assertThat(TerminalText.plain("\u202egnp.exe\u2069")).isEqualTo("?gnp.exe?");
  }

  @Test
  void coloursStayWhereTheyAreWanted() {
    assertThat(TerminalText.coloured(RED + "$1\u001b[m\u001b[3")).isEqualTo(RED + "$1\u001b[m?[3");
    assertThat(TerminalText.plain(RED + "x")).isEqualTo("?[1;31mx");
  }
}
