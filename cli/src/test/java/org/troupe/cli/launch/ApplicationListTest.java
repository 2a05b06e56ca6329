package org.troupe.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.cli.launch.ApplicationList.App;

class ApplicationListTest {

  @TempDir private Path folder;

  @Test
  void areReadFromAllListsOnTheClassPath() throws IOException {
    ApplicationList apps =
        read(
            "# ours\n\n em3d = org.example.Em3d # Maxwell's equations \n",
            "hello=org.example.Hello$Main");

    assertThat(apps.list())
        .containsExactly(
            new App("em3d", "org.example.Em3d", "Maxwell's equations"),
            new App("hello", "org.example.Hello$Main", ""));
    assertThat(apps.named("hello").mainClass()).isEqualTo("org.example.Hello$Main");
  }

  @Test
  void areGuessedWhenMisspelt() throws IOException {
    ApplicationList apps = read("em3d = a.B", "hello = a.C");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> apps.named("emd3"))
        .withMessage("there is no application 'emd3'; did you mean 'em3d'?");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> apps.named("x"))
        .withMessage("there is no application 'x'; choose from 'em3d', 'hello'");
  }

  @Test
  void areMissingInWords() throws IOException {
    ApplicationList apps = read();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> apps.named("em3d"))
        .withMessageContaining("there is none on the class path");
  }

  @Test
  void areRefusedWhereAListIsMalformed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("# fine\nem3d: org.example.Em3d"))
        .withMessageContaining("META-INF/troupe/apps:2: 'em3d: org.example.Em3d' is not");
  }

  @Test
  void haveOneClassEach() throws IOException {
    assertThat(read("em3d = a.B", "em3d = a.B").list()).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("em3d = a.B", "em3d = a.C"))
        .withMessageContaining("application 'em3d' is also one of class 'a.B'");
  }

  private ApplicationList read(String... lists) throws IOException {
    URL[] places = new URL[lists.length];
    for (int i = 0; i < lists.length; i++) {
      Path place = folder.resolve("place-" + i);
      Path list = place.resolve("META-INF/troupe/apps");
      Files.createDirectories(list.getParent());
      Files.writeString(list, lists[i]);
      places[i] = place.toUri().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
      return ApplicationList.from(loader);
    }
  }
}
