package org.troupe.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretTest {

  private static final String HEX = "0123456789abcdef".repeat(4);

  @TempDir private Path folder;

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void revealsWhatItWasParsedFrom() {
    assertThat(Secret.parse(HEX).reveal()).isEqualTo(HEX);
    assertThat(Secret.parse(HEX.toUpperCase(Locale.ROOT))).isEqualTo(Secret.parse(HEX));
  }

  @Test
  void isDifferentEachTime() {
    assertThat(Secret.random()).isNotEqualTo(Secret.random());
    assertThat(Secret.random().reveal()).matches("[0-9a-f]{64}");
  }

  @Test
  void isEqualByItsBytes() {
    assertThat(Secret.parse(HEX)).isEqualTo(Secret.parse(HEX)).hasSameHashCodeAs(Secret.parse(HEX));
    assertThat(Secret.parse(HEX)).isNotEqualTo(Secret.parse("1" + HEX.substring(1)));
  }

  @Test
  void doesNotShowItself() {
    assertThat(Secret.parse(HEX)).asString().doesNotContain("0123");
  }

  @Test
  void doesNotRepeatWhatItCouldNotParse() {
    for (String bad : new String[] {"", HEX + "0", HEX.substring(1), "g" + HEX.substring(1)}) {
      assertThatThrownBy(() -> Secret.parse(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("64 hexadecimal digits")
          .hasMessageContaining(bad.length() + " characters")
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("4567"));
    }
  }

  @Test
  void isReadFromALineWithoutTakingMore() throws IOException {
    InputStream in = stream(HEX + "\r\nrest");

    assertThat(Secret.readLine(in)).isEqualTo(Secret.parse(HEX));
    assertThat(in.readAllBytes()).asString().isEqualTo("rest");
  }

  @Test
  void isMissedInAStreamThatEnds() {
    assertThatThrownBy(() -> Secret.readLine(stream("")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ended after 0 characters");
  }

  @Test
  void isNotSoughtInALineWithoutEnd() {
    var endless =
        new InputStream() {
          @Override
          public int read() {
            return 'a';
          }
        };

    assertThatThrownBy(() -> Secret.readLine(endless)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void isWrittenForItsOwnerOnly() throws IOException {
    Path file = folder.resolve("secret");
    Secret secret = Secret.random();

    secret.write(file);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Secret.read(file)).isEqualTo(secret);
    assertThatThrownBy(() -> Secret.random().write(file))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void isNotReadFromAFileThatOthersCanRead() throws IOException {
    Path file = folder.resolve("secret");
    Secret.random().write(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

    assertThatThrownBy(() -> Secret.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rw-r-----")
        .hasMessageContaining("chmod 600 " + file);
  }
}
