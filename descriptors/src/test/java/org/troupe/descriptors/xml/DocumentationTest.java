package org.troupe.descriptors.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.descriptors.Descriptors;
import org.troupe.descriptors.read.DescriptorReader;

/** The reference for users is complete, and its examples are valid. */
class DocumentationTest {

  private static final Pattern EXAMPLE = Pattern.compile("(?s)```xml\n(.*?)```");

  @TempDir private Path folder;

  private final String page = page();

  private static String page() {
    try {
      return Files.readString(Path.of("..", "docs", "descriptor.md"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void givesOnlyExamplesThatCanBeUsed() throws IOException {
    Files.createDirectory(folder.resolve("sites"));
    Files.writeString(
        folder.resolve("sites/alpha.xml"),
        "<troupe xmlns='urn:troupe:descriptor:1'><variables><variable name='nodes' default='1'/>"
            + "</variables><infrastructure><slurm id='alphaJob' nodes='${nodes}'/>"
            + "</infrastructure></troupe>");

    List<String> examples =
        EXAMPLE.matcher(page).results().map((MatchResult match) -> match.group(1)).toList();

    assertThat(examples).hasSize(13);
    Map<String, String> environment = Map.of("HOME", "/home/me", "SLURM_ACCOUNT", "physics");
    for (String example : examples) {
      Path file = Descriptors.write(folder, example);
      assertThat(DescriptorReader.read(file, Map.of(), environment).warnings())
          .as(example)
          .isEmpty();
    }
  }

  @Test
  void namesEveryElementAndAttribute() {
    assertThat(names(ElementSchema.TROUPE))
        .allSatisfy(name -> assertThat(page).containsPattern("[`<\" ]" + name + "[`= >]"));
  }

  private static Stream<String> names(ElementSchema shape) {
    return Stream.of(
            Stream.of(shape.name()),
            shape.attributeNames().stream(),
            shape.children().stream().flatMap(DocumentationTest::names))
        .flatMap(names -> names);
  }
}
