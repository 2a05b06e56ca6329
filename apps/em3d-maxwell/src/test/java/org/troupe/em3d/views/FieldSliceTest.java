package org.troupe.em3d.views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.em3d.physics.FieldKind;

class FieldSliceTest {

  @Test
  void isReadFromWhatTheUserWrites() {
    assertThat(FieldSlice.parse("z=0.5:Ez")).isEqualTo(new FieldSlice(2, 0.5, FieldKind.E, 2));
    assertThat(FieldSlice.parse("x=-1e-3:H"))
        .isEqualTo(new FieldSlice(0, -1e-3, FieldKind.H, FieldSlice.MAGNITUDE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "z=0.5", "z=a:Ez", "w=0:Ez", "z=0.5:", "z=NaN:Ex"})
  void isRefusedInOtherForms(String text) {
    assertThatThrownBy(() -> FieldSlice.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "' is not of the form AXIS=METRES:COMPONENT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Ew", "B", "Exy"})
  void namesAnUnknownComponent(String component) {
    assertThatThrownBy(() -> FieldSlice.parse("z=0.5:" + component))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("component '" + component + "' is unknown; choose from 'Ex', ");
  }

  @ParameterizedTest
  @CsvSource({"z=0.5:Ez, Ez, V/m, slice-z0.5-Ez", "y=2:H, |H|, A/m, slice-y2.0-H"})
  void saysWhatItShows(String text, String quantity, String unit, String file) {
    var slice = FieldSlice.parse(text);

    assertThat(slice.quantity()).isEqualTo(quantity);
    assertThat(slice.unit()).isEqualTo(unit);
    assertThat(slice.fileName()).isEqualTo(file);
  }
}
