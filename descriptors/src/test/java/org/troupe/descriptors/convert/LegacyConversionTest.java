package org.troupe.descriptors.convert;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.descriptors.Descriptors.ENVIRONMENT;
import static org.troupe.descriptors.Descriptors.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.Descriptors;
import org.troupe.descriptors.Infrastructure;
import org.troupe.descriptors.read.DescriptorReader;

/**
 * Conversion of legacy descriptors; the expected results are beside them as {@code .troupe.xml}.
 */
class LegacyConversionTest {

  /** Reads a descriptor with the values that legacy programs provided. */
  private static final Map<String, String> OUTSIDE = new HashMap<>(ENVIRONMENT);

  static {
    OUTSIDE.put("USER", "ada");
  }

  @TempDir private Path folder;

  @Test
  void convertsVirtualNodesMappingAndProcesses() {
    LegacyConversion conversion = LegacyConversion.of(List.of(old("processes.xml")));

    assertThat(conversion.descriptor()).isEqualTo(example("old/processes.troupe.xml"));
    assertThat(losses(conversion)).isEqualTo(example("old/processes.txt"));
    assertThat(read(conversion, Map.of("queue_name", "long")).infrastructureOf("solvers"))
        .hasSize(8);
  }

  @Test
  void convertsAnApplicationAndItsDeployments() {
    old("desktops.xml");
    old("clusters.xml");

    LegacyConversion conversion = LegacyConversion.of(List.of(old("application.xml")));

    assertThat(conversion.descriptor()).isEqualTo(example("old/application.troupe.xml"));
    assertThat(losses(conversion)).isEqualTo(example("old/application.txt"));
    assertThat(read(conversion, Map.of("proactive_home", "/opt/p")).infrastructureOf("workers"))
        .hasSize(7);
  }

  /** Its parts refer to a group by a wrong name, and the application to it by a variable. */
  @Test
  void convertsSitesBehindBridges() {
    old("sites.xml");

    LegacyConversion conversion = LegacyConversion.of(List.of(old("sites-application.xml")));

    assertThat(conversion.descriptor()).isEqualTo(example("old/sites.troupe.xml"));
    assertThat(losses(conversion)).isEqualTo(example("old/sites.txt"));
    assertThat(read(conversion, Map.of()).infrastructureOf("workers")).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nodes='2' cpu='2' core='4' | <oar id=\"g\" nodes=\"2\"/> | '/cpu=2/core=4' for each machine",
        "core='4' | <oar id=\"g\"/> | '/core=4' for each machine",
        "nodes='3' | <oar id=\"g\" nodes=\"3\"/> | ``",
      })
  void asksOarForMachines(String resources, String expected, String loss) {
    Path file =
        write(
            "old.xml",
            "<GCMDeployment><resources><group refid='g'/></resources><infrastructure><groups>"
                + "<oarGroup id='g'><resources "
                + resources
                + "/></oarGroup></groups></infrastructure></GCMDeployment>");

    LegacyConversion conversion = LegacyConversion.of(List.of(file));

    assertThat(conversion.descriptor()).contains(expected);
    assertThat(losses(conversion)).contains(loss).doesNotContain("counterpart");
  }

  @Test
  void takesTheDeploymentThatIsGiven() {
    Path application =
        write(
            "one.xml",
            "<GCMApplication><application><proactive base='home' relpath='p'>"
                + "<virtualNode id='v'/></proactive></application>"
                + "<resources><nodeProvider id='p'><file path='/not/there.xml'/></nodeProvider>"
                + "</resources></GCMApplication>");

    LegacyConversion conversion = LegacyConversion.of(List.of(old("desktops.xml"), application));

    assertThat(read(conversion, Map.of()).infrastructureOf("v"))
        .extracting(Infrastructure::id)
        .containsExactly("local", "lan");
  }

  @Test
  void convertsADeploymentAlone() {
    LegacyConversion conversion = LegacyConversion.of(List.of(old("desktops.xml")));

    assertThat(read(conversion, Map.of()).infrastructureOf("default")).hasSize(2);
    assertThat(losses(conversion)).contains("convert both files together");
  }

  @Test
  void namesHostsAsTheOldLists() {
    assertThat(LegacyHosts.numbers("[1-9]", 0)).contains("[1-9]");
    assertThat(LegacyHosts.numbers(" [ 8 - 12 ] ", 3)).contains("[008-012]");
    assertThat(LegacyHosts.numbers("[01-05;2]", 0)).contains("[01,03,05]");
    assertThat(LegacyHosts.numbers("[1-6]^[2,4-5]", 0)).contains("[1,3,6]");
    assertThat(LegacyHosts.numbers("[6-1]", 0)).isEmpty();
    assertThat(LegacyHosts.numbers("1-6", 0)).isEmpty();
    assertThat(LegacyHosts.numbers("[1-2]^[1-2]", 0)).isEmpty();
    assertThat(LegacyHosts.entries("a n[1-5;2]x b[1-9] ^ [3-9]")).contains("a n[1,3,5]x b[1,2]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "<troupe/> | old.xml:1:1: the root element is 'troupe', not 'ProActiveDescriptor', 'GCMApplication' or 'GCMDeployment'; use it as it is: it is no old descriptor",
        "<html/> | old.xml:1:1: the root element is 'html', not 'ProActiveDescriptor', 'GCMApplication' or 'GCMDeployment'; name an old descriptor",
        "<ProActiveDescriptor><deployment><mapping><map virtualNode='v'><jvmSet><vmName value='j'/></jvmSet></map></mapping><jvms><jvm name='J1'/></jvms></deployment></ProActiveDescriptor> | old.xml:1:80: jvm 'j' is not declared; did you mean 'J1'?",
        "<ProActiveDescriptor><infrastructure><processes><processDefinition/></processes></infrastructure></ProActiveDescriptor> | old.xml:1:49: 'processDefinition' lacks the attribute 'id'; add id=\"...\"",
        "<GCMApplication><resources><nodeProvider id='p'><file path='none.xml'/></nodeProvider></resources></GCMApplication> | old.xml:1:55: the deployment 'none.xml' does not exist; check the path, or give the file as well",
        "<GCMApplication><resources><nodeProvider id='p'><file path='${none}.xml'/></nodeProvider></resources></GCMApplication> | old.xml:1:55: the path '${none}.xml' of the deployment has a variable without a value here; give the file as well, behind the application",
        "<GCMDeployment><resources><group refid='g'/></resources></GCMDeployment> | old.xml:1:34: group 'g' is not declared; declare it",
      })
  void pointsAtMistakes(String text, String error) {
    Path file = write("old.xml", text);

    assertThat(errors(file)).anySatisfy(e -> assertThat(e).startsWith(error.split("check the")[0]));
  }

  @Test
  void findsAProcessThatRunsItself() {
    Path file =
        write(
            "old.xml",
            example("old/processes.xml")
                .replace(
                    "<processReference refid=\"pbsJob\"/>",
                    "<processReference refid=\"viaGateway\"/>"));

    assertThat(errors(file))
        .containsExactly(
            "old.xml:100:29: process 'viaGateway' runs itself; let it run a jvmProcess in the end");
  }

  @Test
  void refusesTwoFilesThatAreNoPair() {
    Path file = old("processes.xml");

    assertThat(Descriptors.errors(folder, () -> converted(List.of(file, file))))
        .containsExactly(
            "processes.xml: is one file too many; name one old descriptor, or a GCMApplication and a"
                + " GCMDeployment");
  }

  /** Each mutation is refused with a message, or gives a usable descriptor or a reported loss. */
  @Test
  void survivesAnyMutation() {
    Random random = new Random(7);
    List<String> names = List.of("processes.xml", "application.xml", "clusters.xml");
    old("desktops.xml");
    old("clusters.xml");
    int refused = 0;
    for (int i = 0; i < 900; i++) {
      String name = names.get(i % names.size());
      StringBuilder text = new StringBuilder(example("old/" + name));
      for (int c = 0; c <= random.nextInt(3); c++) {
        mutate(text, random);
      }
      Path file = write("mutated.xml", text.toString());
      try {
        LegacyConversion conversion = LegacyConversion.of(List.of(file));
        assertThat(conversion.losses()).allMatch(p -> p.toString().lines().count() == 1);
        assertThat(unexpected(conversion)).as("change %d of:\n%s", i, text).isEmpty();
      } catch (DescriptorException e) {
        assertThat(e.problems()).isNotEmpty().allMatch(p -> p.toString().lines().count() == 1);
        refused++;
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError("in change " + i + " of:\n" + text, e);
      }
    }
    assertThat(refused).isPositive();
  }

  /** Only variables without a value may keep a converted descriptor from being used. */
  private List<String> unexpected(LegacyConversion conversion) {
    return Descriptors.errors(
            folder,
            () ->
                DescriptorReader.read(
                    write("grid.xml", conversion.descriptor()), Map.of(), OUTSIDE))
        .stream()
        .filter(error -> !error.contains("variable '"))
        .toList();
  }

  private static void mutate(StringBuilder text, Random random) {
    List<String> lines = Arrays.asList(text.toString().split("\n"));
    int at = random.nextInt(lines.size());
    String line = lines.get(at);
    switch (random.nextInt(4)) {
      case 0 -> lines.set(at, "");
      case 1 -> lines.set(at, line + "\n" + lines.get(random.nextInt(lines.size())));
      case 2 -> lines.set(at, line.replaceFirst(" [A-Za-z]+=\"[^\"]*\"", ""));
      default ->
          lines.set(
              at,
              line.replaceFirst(
                  "\"[^\"]*\"", Matcher.quoteReplacement("\"" + junk(random) + "\"")));
    }
    text.setLength(0);
    text.append(String.join("\n", lines));
  }

  private static String junk(Random random) {
    List<String> junk =
        List.of(
            "", " ", "-1", "${x", "${a.b}", "a b", "[1-", "--", "&lt;", "big", "\t", "é", "${}");
    return junk.get(random.nextInt(junk.size()));
  }

  private Descriptor read(LegacyConversion conversion, Map<String, String> given) {
    return DescriptorReader.read(write("grid.xml", conversion.descriptor()), given, OUTSIDE);
  }

  private String losses(LegacyConversion conversion) {
    return conversion.losses().stream()
        .map(loss -> loss.toString().replace(folder + "/", "") + "\n")
        .collect(joining());
  }

  private List<String> errors(Path file) {
    return Descriptors.errors(folder, () -> converted(List.of(file)));
  }

  private static Descriptor converted(List<Path> files) {
    LegacyConversion.of(files);
    return null;
  }

  private Path old(String name) {
    return write(name, example("old/" + name));
  }

  private Path write(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
