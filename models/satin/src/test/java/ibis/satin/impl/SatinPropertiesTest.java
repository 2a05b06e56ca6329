package ibis.satin.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.satin.impl.SatinProperties.Algorithm;
import java.lang.System.Logger.Level;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.troupe.testing.LogRecords;

/** The properties of Satin programs. */
class SatinPropertiesTest {

  @Test
  void haveTheDefaultsThatProgramsRelyOn() {
    assertThat(SatinProperties.of(Map.of()))
        .isEqualTo(new SatinProperties(1, false, Algorithm.CRS, false, false));
  }

  @Test
  void areRead() {
    assertThat(
            SatinProperties.of(
                Map.of(
                    "satin.threads", "3",
                    "satin.closed", "",
                    "satin.alg", "mw",
                    "satin.stats", "true",
                    "satin.ft.naive", "false")))
        .isEqualTo(new SatinProperties(3, true, Algorithm.MW, true, false));
  }

  @Test
  void refuseBadValuesWithTheChoices() {
    assertThatThrownBy(() -> SatinProperties.of(Map.of("satin.alg", "XYZ")))
        .hasMessage("-Dsatin.alg=XYZ is no way to steal; choose from RS, CRS, MW");
    assertThatThrownBy(() -> SatinProperties.of(Map.of("satin.threads", "0")))
        .hasMessageContaining("-Dsatin.threads=0 is no number of threads");
    assertThatThrownBy(() -> SatinProperties.of(Map.of("satin.threads", "many")))
        .hasMessageContaining("-Dsatin.threads=many");
  }

  @Test
  void thatDoNothingAreListedInOneWarning(LogRecords records) throws Exception {
    SatinProperties.of(Map.of("satin.so.size", "1", "satin.throttleSteals", "true"));

    records.expect(
        Level.WARNING, "these properties do nothing here: satin.so.size, satin.throttleSteals");
  }
}
