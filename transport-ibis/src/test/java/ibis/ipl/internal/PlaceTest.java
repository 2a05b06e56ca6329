package ibis.ipl.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlaceTest {

  @Test
  void replacesTheWordsThatItKnows() {
    assertThat(Place.expand("%HOSTNAME%@%DOMAIN%", "n1.das.vu.nl", 7)).isEqualTo("n1@das@vu@nl");
    assertThat(Place.expand("%HOSTNAME%@%FLAT_DOMAIN%", "n1.das.vu.nl", 7))
        .isEqualTo("n1@das.vu.nl");
    assertThat(Place.expand("%PID%@%HOSTNAME%@%DOMAIN%", "n1", 7)).isEqualTo("7@n1@");
    assertThat(Place.expand("100%%@%HOSTNAME%", "n1", 7)).isEqualTo("100%@n1");
    assertThat(Place.expand("%MOON%@%PID%", "n1", 7)).isEqualTo("%MOON%@7");
    assertThat(Place.expand("50%", "n1", 7)).isEqualTo("50%");
    assertThat(Place.expand("%HOSTNAME%@%DOMAIN%", "192.0.2.1", 7)).isEqualTo("192.0.2.1@");
  }

  @Test
  void leavesOutLevelsThatAreEmpty() {
    assertThat(Place.parse("n1@").levels()).containsExactly("n1");
    assertThat(Place.parse("").levels()).isEmpty();
  }
}
