package org.troupe.descriptors.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionValuesTest {

  private enum Size {
    tiny,
    paper,
    large
  }

  private enum Only {
    one
  }

  private static String mismatch(Class<?> type, String value, Object usual) {
    return OptionValues.mismatch("--option", type, value, usual).orElseThrow();
  }

  @Test
  void namesAWholeNumber() {
    assertThat(mismatch(int.class, "x", null))
        .isEqualTo("--option must be a whole number, such as 4, not 'x'");
    assertThat(mismatch(Integer.class, "1.5", 120))
        .isEqualTo("--option must be a whole number, such as 120, not '1.5'");
    assertThat(mismatch(Long.class, "", 64L))
        .isEqualTo("--option must be a whole number, such as 64, not ''");
  }

  @Test
  void takesNoDefaultForAnExampleThatStandsForNone() {
    assertThat(mismatch(int.class, "x", 0)).contains("such as 4,");
    assertThat(mismatch(int.class, "x", Integer.MAX_VALUE)).contains("such as 4,");
    assertThat(mismatch(long.class, "x", Long.MAX_VALUE)).contains("such as 4,");
    assertThat(mismatch(double.class, "x", 0.0)).contains("such as 0.5,");
  }

  @Test
  void namesTheRangeOfAWholeNumberBeyondIt() {
    assertThat(mismatch(int.class, "3000000000", null))
        .isEqualTo(
            "--option must be a whole number from -2147483648 to 2147483647, not '3000000000'");
    assertThat(mismatch(long.class, "-9223372036854775809", null))
        .startsWith("--option must be a whole number from -9223372036854775808 to ");
  }

  @Test
  void namesANumber() {
    assertThat(mismatch(double.class, "half", 0.9))
        .isEqualTo("--option must be a number, such as 0.9, not 'half'");
    assertThat(mismatch(Double.class, "half", null))
        .isEqualTo("--option must be a number, such as 0.5, not 'half'");
  }

  @Test
  void namesADefinition() {
    assertThat(OptionValues.mismatch("-D", Map.class, "points", Map.of()))
        .contains("-D must be NAME=VALUE, such as -D jvms=4, not 'points'");
  }

  @Test
  void namesTheWordsToChooseFrom() {
    assertThat(mismatch(Size.class, "huge", Size.paper))
        .isEqualTo("--option must be 'tiny', 'paper' or 'large', not 'huge'");
    assertThat(mismatch(Size.class, "tinny", null))
        .isEqualTo(
            "--option must be 'tiny', 'paper' or 'large', not 'tinny'; did you mean 'tiny'?");
    assertThat(mismatch(Only.class, "two", null)).isEqualTo("--option must be 'one', not 'two'");
  }

  @Test
  void leavesOtherTypesToTheirConverters() {
    assertThat(OptionValues.mismatch("--option", Path.class, "x", null)).isEmpty();
  }
}
