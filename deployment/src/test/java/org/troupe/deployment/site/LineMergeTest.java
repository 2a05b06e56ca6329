package org.troupe.deployment.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The merge of two versions of a text. */
class LineMergeTest {

  private static List<String> lines(String text) {
    return List.of(text.split(""));
  }

  private static LineMerge merge(String origin, String first, String second) {
    return LineMerge.of(lines(origin), lines(first), lines(second));
  }

  private static String text(LineMerge merge) {
    return String.join("", merge.lines());
  }

  @Test
  void takesTheChangesOfBothVersions() {
    assertThat(text(merge("abcdefg", "aXcdefg", "abcdeYg"))).isEqualTo("aXcdeYg");
    assertThat(text(merge("abcdefg", "abcdefgh", "bcdefg"))).isEqualTo("bcdefgh");
    assertThat(text(merge("abc", "abc", "xabyc"))).isEqualTo("xabyc");
    assertThat(text(merge("abc", "ac", "abc"))).isEqualTo("ac");
    assertThat(merge("abcdefg", "aXcdefg", "abcdeYg").kept()).isEmpty();
  }

  @Test
  void theSameChangeInBothIsNoConflict() {
    var merge = merge("abc", "aXc", "aXc");

    assertThat(text(merge)).isEqualTo("aXc");
    assertThat(merge.kept()).isEmpty();
  }

  @Test
  void theFirstVersionWinsWhereBothHaveChanged() {
    var merge = merge("abcde", "aXcdE", "aYcde");

    assertThat(text(merge)).isEqualTo("aXcdE");
    assertThat(merge.kept()).containsExactly(new LineMerge.Conflict(List.of("X"), List.of("Y")));
  }

  @Test
  void aLineThatOneRemovesAndTheOtherChangesIsAConflict() {
    var merge = merge("abc", "ac", "aYc");

    assertThat(text(merge)).isEqualTo("ac");
    assertThat(merge.kept()).containsExactly(new LineMerge.Conflict(List.of(), List.of("Y")));
  }
}
