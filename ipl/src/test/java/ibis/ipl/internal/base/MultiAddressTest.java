package ibis.ipl.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.IbisConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server addresses, also in the form of SmartSockets. */
class MultiAddressTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "10.0.0.7-8888 10.0.0.7:8888",
        "10.0.0.7/130.37.1.2-8888 10.0.0.7:8888,130.37.1.2:8888",
        "10.0.0.7-1234/130.37.1.2-5678 10.0.0.7:1234,130.37.1.2:5678",
        "{82.161.4.24-5678}/192.168.1.35-1234 82.161.4.24:5678,192.168.1.35:1234",
        "130.37.1.2-8888#1f.2e.3d~me+22 130.37.1.2:8888",
        "fe80:0:0:0:2e0:18ff:fe2c:a31/10.0.0.7-1234"
            + " [fe80:0:0:0:2e0:18ff:fe2c:a31]:1234,10.0.0.7:1234",
        "host:4711 host:4711",
        "10.0.0.7 10.0.0.7:8888",
        "node-1 node-1:8888",
        "node-1:99 node-1:99",
        "[::1]:99 [::1]:99",
        "::1 [::1]:8888"
      })
  void areRead(String given, String read) {
    assertThat(IplSettings.serverAddress(given)).hasToString(read);
  }

  @Test
  void haveAPortThatThereIs() {
    assertThatThrownBy(() -> IplSettings.serverAddress("10.0.0.7-70000"))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining("70000");
  }
}
