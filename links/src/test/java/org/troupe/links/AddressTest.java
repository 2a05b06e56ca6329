package org.troupe.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "h1:4011",
        "127.0.0.1:1",
        "[::1]:65535",
        "[fe80::1%eth0]:4011",
        "10.1.0.7:4011,[2001:db8::7]:4011,127.0.0.1:4011,relay#1f2e3d4c5b6a7988~0123456789ab",
        "10.1.0.7:4011,tunnel=127.0.0.1:40022#1f2e3d4c5b6a7988"
      })
  void isWrittenAsItIsRead(String text) {
    assertThat(Address.parse(text)).asString().isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h1",
        "h1:",
        ":4011",
        "h1:x",
        "h1:0",
        "h1:65536",
        "h1:-1",
        "::1:4011",
        "[]:1",
        "relay",
        "tunnel=h1:1",
        "h1:1,",
        "h1:1#12",
        "h1:1#1f2e3d4c5b6a798x",
        "h1:1,pigeon"
      })
  void saysWhatIsWrongWithATextThatIsNone(String text) {
    assertThatThrownBy(() -> Address.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .isNotBlank();
  }

  @Test
  void takesATunnelIfThePortCanBeRecognisedAtItsEnd() {
    assertThat(Address.parse("h1:4011#1f2e3d4c5b6a7988").withTunnel("127.0.0.1", 40022))
        .asString()
        .isEqualTo("h1:4011,tunnel=127.0.0.1:40022#1f2e3d4c5b6a7988");
    assertThatThrownBy(() -> new Address("h1", 4011).withTunnel("127.0.0.1", 40022))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("h1:4011");
  }

  @Test
  void isCalledByItsFirstWay() {
    Address address = Address.parse("10.1.0.7:4011,127.0.0.1:4011#1f2e3d4c5b6a7988");

    assertThat(address.name()).isEqualTo("10.1.0.7:4011");
    assertThat(address.host()).isEqualTo("10.1.0.7");
    assertThat(address.port()).isEqualTo(4011);
  }
}
