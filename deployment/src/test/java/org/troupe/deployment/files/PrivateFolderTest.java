package org.troupe.deployment.files;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {

  private static final String USER = "user.name";

  @TempDir private Path temporary;
  private final String user = System.getProperty(USER);

  @AfterEach
  void restoreUser() {
    System.setProperty(USER, user);
  }

  @Test
  void belongsToTheUserWhoMadeIt() throws IOException {
    var folder = temporary.resolve("private");
    PrivateFolder.create(folder);
    assertThatCode(() -> PrivateFolder.create(folder)).doesNotThrowAnyException();

    System.setProperty(USER, "somebody-else");

    assertThatThrownBy(() -> PrivateFolder.create(folder))
        .hasMessageContaining("is accessible to other users");
  }

  @Test
  void isClosedToOthers() throws IOException {
    var folder = Files.createDirectory(temporary.resolve("open"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThatThrownBy(() -> PrivateFolder.check(folder))
        .hasMessageContaining("is accessible to other users");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void belongsToAUserWithoutAName() throws IOException {
    System.setProperty(USER, "?"); // as the JVM says of a user whom the system does not know
    var folder = temporary.resolve("private");
    PrivateFolder.create(folder);

    assertThatCode(() -> PrivateFolder.check(folder)).doesNotThrowAnyException();
  }
}
