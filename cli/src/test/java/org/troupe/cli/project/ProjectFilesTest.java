package org.troupe.cli.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProjectFilesTest {

  @TempDir private Path folder;

  @Test
  void letsAProjectUseTheModulesOfTheArchive() throws Exception {
    Path archive = Files.createDirectory(folder.resolve("Troupe & more"));
    Files.createDirectories(archive.resolve("maven"));
    Files.createFile(Files.createDirectory(archive.resolve("bin")).resolve("troupe"));
    var installation = TroupeInstallation.of(archive.resolve("lib/troupe-cli.jar"));

    ProjectFiles.of("mine", installation).write(folder.resolve("mine"));

    assertThat(folder.resolve("mine/pom.xml"))
        .content()
        .containsPattern("<url>file:///.*/Troupe%20&amp;%20more/maven/</url>")
        .doesNotContain("TROUPE_");
  }

  @Test
  void namesItsJarsAndCommandInASingleFile() throws Exception {
    Path command = Files.createFile(folder.resolve("troupe"));
    Path jars = folder.resolve("cli/target/troupe/lib");

    ProjectFiles.of("mine", TroupeInstallation.of(jars.resolve("troupe-cli.jar")))
        .writeSingle(folder);

    assertThat(folder.resolve("Pi.java"))
        .content()
        .contains("\"" + jars + "/*\"", "\"" + command + "\" run --class-path")
        .doesNotContain("TROUPE_");
  }

  @ParameterizedTest
  @CsvSource({
    "My Project, my-project, com.example.myproject",
    "2d_heat, 2d-heat, com.example.p2dheat",
    "int, int, com.example.pint",
    "'...', project, com.example.project"
  })
  void turnsAFoldersNameIntoThoseOfProjectAndPackage(String given, String project, String code) {
    assertThat(ProjectFiles.projectName(given)).isEqualTo(project);
    assertThat(ProjectFiles.packageName(project)).isEqualTo(code);
  }
}
