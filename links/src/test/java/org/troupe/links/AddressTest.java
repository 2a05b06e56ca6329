package org.troupe.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

  @ParameterizedTest
  @ValueSource(strings = {"h1:4011", "127.0.0.1:1", "[::1]:65535", "[fe80::1%eth0]:4011"})
  void isWrittenAsItIsRead(String text) {
    assertThat(Address.parse(text)).asString().isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "h1", "h1:", ":4011", "h1:x", "h1:0", "h1:65536", "h1:-1", "::1:4011", "[]:1"})
  void saysWhatIsWrongWithATextThatIsNone(String text) {
    assertThatThrownBy(() -> Address.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .isNotBlank();
  }
}
