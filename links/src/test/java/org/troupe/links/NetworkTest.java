package org.troupe.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.links.host.NetworkInterfaces;

class NetworkTest {

  @ParameterizedTest
  @CsvSource({
    "10.1.0.0/16, 10.1.255.1, true",
    "10.1.0.0/16, 10.2.0.1, false",
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3, 10.1.2.4, false",
    "192.168.8.0/21, 192.168.15.9, true",
    "192.168.8.0/21, 192.168.16.9, false",
    "0.0.0.0/0, 203.0.113.1, true",
    "0.0.0.0/0, 2001:db8::1, false",
    "2001:db8::/33, 2001:db8:7fff::1, true",
    "2001:db8::/33, 2001:db8:8000::1, false"
  })
  void containsWhatBeginsAsItDoes(String network, String address, boolean contains) {
    assertThat(Network.parse(network).contains(InetAddress.ofLiteral(address))).isEqualTo(contains);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10.1.0.0/33", "10.1.0.0/-1", "10.1.0.0/x", "h1/8", "/8", "::/129"})
  void saysWhatIsWrongWithATextThatIsNone(String text) {
    assertThatThrownBy(() -> Network.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("10.1.0.0/16");
  }

  @Test
  void offersNoAddressThatMeansNothingElsewhere() throws Exception {
    assertThat(NetworkInterfaces.offered(java.util.List.of()))
        .noneMatch(InetAddress::isLoopbackAddress)
        .noneMatch(InetAddress::isLinkLocalAddress);
  }
}
