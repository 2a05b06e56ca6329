package org.troupe.activeobjects.hosting;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives whose manifests refer to others. */
class ProgramClassPathTest {

  private static final String CLASS_PATH = "java.class.path";

  private final String original = System.getProperty(CLASS_PATH);

  @TempDir private Path folder;

  @AfterEach
  void restore() {
    System.setProperty(CLASS_PATH, original);
  }

  private Path jar(String name, String manifest) throws IOException {
    var file = folder.resolve(name);
    try (var jar = new ZipOutputStream(Files.newOutputStream(file))) {
      jar.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
      jar.write(manifest.replace("\n", "\r\n").getBytes(UTF_8));
    }
    return file;
  }

  @Test
  void followsTheClassPathOfTheMainSectionAlsoOverContinuedLines() throws IOException {
    var second = jar("second.jar", "Manifest-Version: 1.0\n");
    var third = jar("third.jar", "Manifest-Version: 1.0\n");
    jar("no.jar", "Manifest-Version: 1.0\\n");
    var first =
        jar(
            "first.jar",
            "Manifest-Version: 1.0\nClass-Path: second.jar thi\n rd.jar\n\nName: A.class\nClass-Path: no.jar\n");
    System.setProperty(CLASS_PATH, first.toString());

    assertThat(ProgramClassPath.entries())
        .startsWith(first, second, third)
        .doesNotContain(folder.resolve("no.jar"));
  }

  @Test
  void takesAnArchiveWithoutManifest() throws IOException {
    var file = folder.resolve("plain.jar");
    try (var jar = new ZipOutputStream(Files.newOutputStream(file))) {
      jar.putNextEntry(new ZipEntry("some.txt"));
    }
    System.setProperty(CLASS_PATH, file.toString());

    assertThat(ProgramClassPath.entries()).startsWith(file);
  }
}
