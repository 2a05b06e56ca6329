package ibis.ipl.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LocationImplTest {

  @Test
  void replacesTheWordsThatItKnows() {
    assertThat(LocationImpl.expand("%HOSTNAME%@%DOMAIN%", "n1.das.vu.nl", 7))
        .isEqualTo("n1@das@vu@nl");
    assertThat(LocationImpl.expand("%HOSTNAME%@%FLAT_DOMAIN%", "n1.das.vu.nl", 7))
        .isEqualTo("n1@das.vu.nl");
    assertThat(LocationImpl.expand("%PID%@%HOSTNAME%@%DOMAIN%", "n1", 7)).isEqualTo("7@n1@");
    assertThat(LocationImpl.expand("100%%@%HOSTNAME%", "n1", 7)).isEqualTo("100%@n1");
    assertThat(LocationImpl.expand("%MOON%@%PID%", "n1", 7)).isEqualTo("%MOON%@7");
    assertThat(LocationImpl.expand("50%", "n1", 7)).isEqualTo("50%");
    assertThat(LocationImpl.expand("%HOSTNAME%@%DOMAIN%", "192.0.2.1", 7)).isEqualTo("192.0.2.1@");
  }

  @Test
  void leavesOutLevelsThatAreEmpty() {
    assertThat(LocationImpl.parse("n1@").levels()).containsExactly("n1");
    assertThat(LocationImpl.parse("").levels()).isEmpty();
  }
}
