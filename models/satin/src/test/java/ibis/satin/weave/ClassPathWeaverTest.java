package ibis.satin.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Weaving of jars and folders ahead of time. */
class ClassPathWeaverTest {

  private static final String PROGRAM = "ibis/satin/programs/";

  @TempDir private Path folder;

  @Test
  void weavesJars() throws Exception {
    Path jar = jar("Power", "PowerInterface", "Check");
    Path woven = folder.resolve("woven.jar");

    assertThat(weave(jar, woven)).isEqualTo(1);

    try (var zip = new ZipFile(woven.toFile())) {
      assertThat(zip.stream().map(ZipEntry::getName))
          .contains(PROGRAM + "Power.class", PROGRAM + "Power$Satin$power.class", "notes.txt")
          .doesNotContain("META-INF/OLD.SF");
    }
    runs(woven);
  }

  @Test
  void weavesFolders() throws Exception {
    Path classes = classes();
    Path woven = folder.resolve("woven");

    assertThat(weave(classes, woven)).isEqualTo(1);

    runs(woven);
  }

  @Test
  void knowsInterfacesOfOtherJars() throws Exception {
    Path classes = jar("Power", "Check");
    Path interfaces = folder.resolve("interfaces.jar");
    Files.move(jar("PowerInterface"), interfaces);
    classes = jar("Power", "Check");

    int woven =
        ClassPathWeaver.weave(
            Map.of(classes, folder.resolve("a.jar"), interfaces, folder.resolve("b.jar")),
            onlySatin(),
            Set.of());

    assertThat(woven).isEqualTo(1);
  }

  @Test
  void weavesOnlyTheClassesThatAreNamed() throws Exception {
    int woven =
        ClassPathWeaver.weave(
            Map.of(jar("Power", "PowerInterface", "Check"), folder.resolve("woven.jar")),
            onlySatin(),
            Set.of("ibis.satin.programs.Places"));

    assertThat(woven).isZero();
  }

  @Test
  void writesNothingIfAClassCannotBeWoven() throws Exception {
    Path jar = folder.resolve("bad.jar");
    try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      add(zip, "RefusalTest$Uses.class", Form.file(RefusalTest.Uses.class));
    }
    Path woven = folder.resolve("woven.jar");

    assertThatThrownBy(() -> weave(jar, woven)).isInstanceOf(WeavingException.class);

    try (var all = Files.list(folder)) {
      assertThat(all).containsExactly(jar);
    }
  }

  @Test
  void refusesWhatIsNoJar() throws Exception {
    Path text = Files.writeString(folder.resolve("text.jar"), "no jar");

    assertThatThrownBy(() -> weave(text, folder.resolve("woven.jar")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("text.jar' is no jar");
  }

  @Test
  void weavesAFolderInPlaceOnce() throws Exception {
    Path classes = classes();

    ClassPathWeaver.main(new String[] {classes.toString()});
    byte[] woven = Files.readAllBytes(classes.resolve(PROGRAM + "Power.class"));
    ClassPathWeaver.main(new String[] {classes.toString()});

    assertThat(classes.resolve(PROGRAM + "Power.class")).hasBinaryContent(woven);
    classes(); // compiled again; the class of its jobs is still that of the first weaving
    ClassPathWeaver.main(new String[] {classes.toString()});
    assertThat(classes.resolve(PROGRAM + "Power.class")).hasBinaryContent(woven);
    runs(classes);
  }

  @Test
  void refusesFoldersThatAreNotEmpty() throws Exception {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    Path woven = Files.createDirectory(folder.resolve("woven"));
    Files.writeString(woven.resolve("precious"), "kept");

    assertThatThrownBy(() -> weave(classes, woven)).hasMessageContaining("is not empty");
    assertThat(woven.resolve("precious")).hasContent("kept");
  }

  @Test
  void refusesAFileInPlaceOfAFolder() throws Exception {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    Path file = Files.writeString(folder.resolve("precious"), "kept");

    assertThatThrownBy(() -> weave(classes, file)).hasMessageContaining("and no folder");
    assertThat(file).hasContent("kept");
  }

  private Path classes() throws IOException {
    Path classes = folder.resolve("classes");
    for (String each : new String[] {"Power", "PowerInterface", "Check"}) {
      Path file = classes.resolve(PROGRAM + each + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, ProgramLoader.file("ibis.satin.programs." + each));
    }
    return classes;
  }

  private Path jar(String... programs) throws IOException {
    Path jar = folder.resolve("program.jar");
    try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (String each : programs) {
        add(zip, PROGRAM + each + ".class", ProgramLoader.file("ibis.satin.programs." + each));
      }
      add(zip, "notes.txt", new byte[] {1});
      add(zip, "META-INF/OLD.SF", new byte[] {2});
    }
    return jar;
  }

  private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
  }

  private static int weave(Path from, Path to) throws IOException {
    return ClassPathWeaver.weave(Map.of(from, to), onlySatin(), Set.of());
  }

  private static ClassLoader onlySatin() {
    return Weaver.class.getClassLoader();
  }

  private static void runs(Path woven) throws Exception {
    var parent =
        new ClassLoader(ClassPathWeaverTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("ibis.satin.programs.")) {
              throw new ClassNotFoundException(name); // the woven ones are below
            }
            return super.loadClass(name, resolve);
          }
        };
    try (var loader = new URLClassLoader(new URL[] {woven.toUri().toURL()}, parent)) {
      loader
          .loadClass("ibis.satin.programs.Power")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[] {"15"});
    }
  }
}
