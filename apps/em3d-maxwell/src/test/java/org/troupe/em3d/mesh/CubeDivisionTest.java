package org.troupe.em3d.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CubeDivisionTest {

  @Test
  void isReadFromItsForm() {
    assertThat(CubeDivision.parse("4x3x1")).isEqualTo(new CubeDivision(4, 3, 1));
    assertThat(CubeDivision.parse(" 2X1x10 ")).hasToString("2x1x10");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "2", "2x2", "2x2x2x2", "axbxc", "2*2*2", "-1x2x2", "1x1x99999999"})
  void refusesOtherForms(String text) {
    assertThatThrownBy(() -> CubeDivision.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("division '" + text + "' is not of the form AxBxC; write for example '2x2x1'");
  }

  @Test
  void refusesAnAxisWithoutSubDomains() {
    assertThatThrownBy(() -> CubeDivision.parse("2x0x2"))
        .hasMessage(
            "division '2x0x2' has an axis without a sub-domain; every count must be at least 1");
  }

  @Test
  void refusesMoreSubDomainsThanCanBeNumbered() {
    assertThatThrownBy(() -> new CubeDivision(2000, 2000, 2000))
        .hasMessageContaining("more than 2^31 - 1 sub-domains");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1x1x1",
    "2, 2x1x1",
    "4, 2x2x1",
    "8, 2x2x2",
    "12, 3x2x2",
    "16, 4x2x2",
    "17, 17x1x1",
    "27, 3x3x3",
    "30, 5x3x2"
  })
  void choosesTheDivisionWithTheFewestBorderFaces(int parts, String division) {
    assertThat(CubeDivision.auto(parts, 33)).hasToString(division);
  }

  @Test
  void choosesAmongThoseThatFitTheMesh() {
    assertThat(CubeDivision.auto(18, 4)).hasToString("3x3x2");
    assertThatThrownBy(() -> CubeDivision.auto(17, 9))
        .hasMessage(
            "no division into 17 sub-domains fits a cube of 9 points, which has 8 cubes per axis;"
                + " use a number with smaller divisors or a finer mesh");
    assertThatThrownBy(() -> CubeDivision.auto(0, 9)).hasMessageContaining("ask for at least 1");
  }

  @ParameterizedTest
  @CsvSource({"1x1x1, 0", "2x1x1, 4096", "2x2x1, 8192", "2x2x2, 12288", "3x1x2, 12288"})
  void countsBorderFaces(String division, long faces) {
    assertThat(CubeDivision.parse(division).borderFaces(33)).isEqualTo(faces);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 33, 1x1x1",
    "2, 33, 2x1x1",
    "5, 33, 5x1x1", // 7 x 32 x 32 small cubes at most, against 16 x 16 x 32
    "17, 33, 4x2x2", // 17 slices would be two small cubes thick, as 16 are
    "17, 5, 4x2x2", // which has no 17 slices
    "9, 2, 1x1x1"
  })
  void givesTheBusiestOfSoManyNodesAsLittleAsPossible(int nodes, int points, String division) {
    assertThat(CubeDivision.forNodes(nodes, points)).hasToString(division);
  }
}
