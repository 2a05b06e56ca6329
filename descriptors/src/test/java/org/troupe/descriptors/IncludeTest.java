package org.troupe.descriptors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.descriptors.Descriptors.ENVIRONMENT;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.descriptors.read.DescriptorReader;

class IncludeTest {

  private static final String MAIN =
      """
      <troupe xmlns="urn:troupe:descriptor:1">
        <include file="sites/alpha.xml"/>
        <variables>
          <variable name="jvms" default="3"/>
        </variables>
        <virtualNodes><virtualNode name="solvers"/></virtualNodes>
        <mapping>
          <map virtualNode="solvers" to="alpha"/>
          <map virtualNode="solvers" to="here"/>
        </mapping>
        <infrastructure><local id="here" jvms="${jvms}" jvm="big"/></infrastructure>
      </troupe>
      """;

  private static final String ALPHA =
      """
      <troupe xmlns="urn:troupe:descriptor:1">
        <include file="common.xml"/>
        <variables>
          <variable name="jvms" default="1"/>
          <variable name="user" default="ada"/>
          <variable name="unused" default="1"/>
        </variables>
        <infrastructure>
          <ssh id="alpha" hosts="alpha-[1-2]" jvms="${jvms}" user="${user}" identity="key" jvm="big"/>
          <local id="spare"/>
        </infrastructure>
      </troupe>
      """;

  private static final String COMMON =
      """
      <troupe xmlns="urn:troupe:descriptor:1">
        <infrastructure>
          <jvm id="big"><classPath>lib/extra.jar</classPath></jvm>
        </infrastructure>
      </troupe>
      """;

  @TempDir private Path folder;

  @BeforeEach
  void writeFiles() {
    write("grid.xml", MAIN);
    write("sites/alpha.xml", ALPHA);
    write("sites/common.xml", COMMON);
  }

  @Test
  void readsSeveralFilesAsOne() {
    Descriptor descriptor = read();

    assertThat(descriptor.infrastructure())
        .extracting(Infrastructure::id)
        .containsExactly("alpha", "spare", "here");
    assertThat(descriptor.infrastructureOf("solvers"))
        .extracting(Infrastructure::id)
        .containsExactly("alpha", "here");
  }

  @Test
  void placesNameTheirFile() {
    Descriptor descriptor = read();

    assertThat(descriptor.infrastructure())
        .extracting(element -> element.place() + " with " + element.jvm().place())
        .containsExactly(
            in("sites/alpha.xml:9:5") + " with " + in("sites/common.xml:3:5"),
            in("sites/alpha.xml:10:5") + " with " + in("sites/alpha.xml:10:5"),
            in("grid.xml:11:19") + " with " + in("sites/common.xml:3:5"));
  }

  @Test
  void startsRelativePathsFromTheFileTheyStandIn() {
    SshJvms alpha = (SshJvms) read().infrastructure().getFirst();

    assertThat(alpha.jvm().classPath()).containsExactly(folder.resolve("sites/lib/extra.jar"));
    assertThat(alpha.hosts().getFirst().identity()).contains(folder.resolve("sites/key"));
  }

  @Test
  void takesVariablesOfTheIncludingFileBeforeThoseOfTheIncluded() {
    Descriptor descriptor = read();

    assertThat(descriptor.variables())
        .extracting(v -> v.name() + " = " + v.value() + " (" + v.origin() + ")")
        .containsExactly(
            "user = ada (default in " + in("sites/alpha.xml:5)"),
            "unused = 1 (default in " + in("sites/alpha.xml:6)"),
            "jvms = 3 (default in " + in("grid.xml:4)"));
    assertThat(((SshJvms) descriptor.infrastructure().getFirst()).jvms()).isEqualTo(3);
  }

  @Test
  void takesTheCommandLineBeforeAllOfThem() {
    Descriptor descriptor = DescriptorReader.read(main(), Map.of("user", "bob"), ENVIRONMENT);

    assertThat(((SshJvms) descriptor.infrastructure().getFirst()).hosts().getFirst().user())
        .contains("bob");
  }

  @Test
  void warnsOnlyOfWhatTheFirstFileDoesNotUse() {
    assertThat(read().warnings()).isEmpty();
  }

  @Test
  void takesAFileOnce() {
    write(
        "grid.xml",
        MAIN.replace("<variables>", "<include file='sites/../sites/common.xml'/><variables>"));
    write("sites/alpha.xml", ALPHA);

    assertThat(read().infrastructure()).hasSize(3);
  }

  @Test
  void includesVirtualNodesAndMappingsToo() {
    write("all.xml", MAIN);
    write("grid.xml", "<troupe xmlns='urn:troupe:descriptor:1'><include file='all.xml'/></troupe>");

    assertThat(read().infrastructureOf("solvers")).hasSize(2);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "sites/alpha.xml | sites/alhpa.xml | grid.xml:2:12: the included file 'sites/alhpa.xml' does not exist; did you mean 'alpha.xml'?",
        "sites/alpha.xml | sites | grid.xml:2:12: the included file 'sites' is a folder, not a descriptor; name an XML file in it",
        "sites/alpha.xml | ${env.HOME}/alpha.xml | grid.xml:2:12: attribute 'file' is '${env.HOME}/alpha.xml', which is not a path without variables; name the file itself, as files are included before variables have values",
        "sites/alpha.xml | `` | grid.xml:2:12: attribute 'file' is '', which is not a path without variables; name the file itself, as files are included before variables have values",
        "sites/alpha.xml | grid.xml | grid.xml:2:12: 'grid.xml' is included by itself: grid.xml -> grid.xml; remove one of these includes",
        "file=\"sites/alpha.xml\" | `` | grid.xml:2:3: 'include' lacks the attribute 'file'; add file=\"...\"",
      })
  void pointsAtTheInclude(String right, String wrong, String error) {
    write("grid.xml", MAIN.replace(right, wrong));

    assertThat(errors()).contains(error);
  }

  @Test
  void missesNoPartThatAFileMayHaveThatIsNotThere() {
    write(
        "grid.xml", "<troupe xmlns='urn:troupe:descriptor:1'><include file='gone.xml'/></troupe>");

    assertThat(errors())
        .satisfiesExactly(
            e -> assertThat(e).contains("the included file 'gone.xml' does not exist"));
  }

  @Test
  void pointsAtACycle() {
    write("sites/common.xml", COMMON.replace("<infra", "<include file='../grid.xml'/><infra"));

    assertThat(errors())
        .containsExactly(
            "sites/common.xml:2:12: '../grid.xml' is included by itself: grid.xml ->"
                + " sites/alpha.xml -> sites/common.xml -> grid.xml; remove one of these includes");
  }

  @Test
  void boundsTheDepth() {
    write("grid.xml", MAIN.replace("sites/alpha.xml", "0.xml"));
    for (int i = 0; i < 30; i++) {
      write(i + ".xml", COMMON.replace("<infra", "<include file='" + (i + 1) + ".xml'/><infra"));
    }

    assertThat(errors())
        .contains(
            "19.xml:2:12: files include one another more than 20 deep; include some of them higher"
                + " up");
  }

  @Test
  void namesBothPlacesOfAClash() {
    write("sites/common.xml", COMMON.replace("</infra", "<local id='here'/></infra"));

    assertThat(errors())
        .containsExactly(
            "grid.xml:11:26: id 'here' is declared already, in sites/common.xml:4:3; give this one"
                + " another name");
  }

  @Test
  void refusesOneVariableOfTwoIncludedFiles() {
    write("beta.xml", ALPHA.replaceFirst("<include.*", "").replaceAll("(?s)<infra.*ture>", ""));
    write("grid.xml", MAIN.replace("<variables>", "<include file='beta.xml'/><variables>"));

    assertThat(errors())
        .containsExactly(
            "beta.xml:5:15: variable 'user' is declared already, in sites/alpha.xml:5:5; remove one"
                + " of them, or give it another name",
            "beta.xml:6:15: variable 'unused' is declared already, in sites/alpha.xml:6:5; remove"
                + " one of them, or give it another name");
  }

  @Test
  void reportsTheProblemsOfAllFilesAtOnce() {
    write(
        "grid.xml",
        MAIN.replace("jvms=\"${jvms}\"", "jvms=\"many\"")
            .replace("<virtualNodes>", "<include file='none.xml'/><virtualNodes>"));
    write("sites/alpha.xml", ALPHA.replace("alpha-[1-2]", "alpha-[2-1]"));
    write("sites/common.xml", COMMON.replace("</jvm>", ""));

    assertThat(errors())
        .satisfiesExactly(
            e ->
                assertThat(e)
                    .startsWith("grid.xml:6:12: the included file 'none.xml' does not exist"),
            e -> assertThat(e).startsWith("grid.xml:11:36: attribute 'jvms' is 'many'"),
            e -> assertThat(e).startsWith("grid.xml:11:48: 'here' names jvm 'big', which is not"),
            e -> assertThat(e).startsWith("sites/alpha.xml:9:21: range '2-1' in"),
            e -> assertThat(e).contains("'alpha' names jvm 'big', which is not declared"),
            e -> assertThat(e).startsWith("sites/common.xml:4:").contains("not well-formed"));
  }

  @Test
  void asksForPartsThatNoFileHas() {
    write("grid.xml", MAIN.replaceFirst("<virtualNodes>.*", ""));

    assertThat(errors())
        .anyMatch(e -> e.startsWith("grid.xml:1:1: 'troupe' lacks the element 'virtualNodes'"));
  }

  private Path main() {
    return folder.resolve("grid.xml");
  }

  private Descriptor read() {
    return DescriptorReader.read(main(), Map.of(), ENVIRONMENT);
  }

  private List<String> errors() {
    return Descriptors.errors(folder, this::read);
  }

  private String in(String place) {
    return folder + "/" + place;
  }

  private void write(String name, String text) {
    try {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
