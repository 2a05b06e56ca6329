package org.troupe.descriptors.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.troupe.descriptors.Descriptors.ENVIRONMENT;
import static org.troupe.descriptors.Descriptors.example;
import static org.troupe.descriptors.Descriptors.write;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.descriptors.Descriptors;
import org.troupe.descriptors.read.DescriptorReader;

/** Files that are no descriptors, or exceed its limits. */
class UnusableFileTest {

  @TempDir private Path folder;

  @Test
  void isMissing() {
    write(folder, example("small.xml"));

    assertThat(errors(folder.resolve("gird.xml")))
        .containsExactly("gird.xml: does not exist; did you mean 'grid.xml'?");
    assertThat(errors(folder.resolve("cluster.xml")))
        .containsExactly(
            "cluster.xml: does not exist; check the path, which starts from '"
                + Path.of("").toAbsolutePath()
                + "'");
  }

  @Test
  void isAFolder() throws Exception {
    Path inner = Files.createDirectory(folder.resolve("inner"));

    assertThat(errors(inner))
        .containsExactly("inner: is a folder, not a descriptor; name an XML file in it");
  }

  @Test
  void isLockedAway() throws Exception {
    Path file = write(folder, example("small.xml"));
    assumeThat(file.toFile().setReadable(false)).isTrue();
    assumeThat(Files.isReadable(file)).as("readable by its owner; root reads all").isFalse();

    assertThat(errors(file))
        .containsExactly("grid.xml: may not be read by you; ask for permission, or chmod u+r it");
  }

  @Test
  void isTooLong() {
    byte[] bytes = new byte[SourceText.MOST_BYTES + 1];

    assertThat(errors(write(folder, bytes)))
        .containsExactly("grid.xml: is longer than 1 MiB, so it is no descriptor; check the path");
  }

  @Test
  void isEmpty() {
    assertThat(errors("  \n"))
        .containsExactly(
            "grid.xml: is empty; start with <troupe xmlns=\"urn:troupe:descriptor:1\">");
  }

  @Test
  void isNotText() {
    assertThat(errors(write(folder, new byte[] {'<', (byte) 0xE9, '>'})))
        .containsExactly(
            "grid.xml: is not text in UTF-8; save it as UTF-8, or name its encoding in its first line: <?xml version=\"1.0\" encoding=\"...\"?>");
  }

  @Test
  void hasAnUnknownEncoding() {
    assertThat(errors("<?xml version='1.0' encoding='utf-9'?><troupe/>"))
        .containsExactly(
            "grid.xml: says that its encoding is 'utf-9', which is unknown here; save it as UTF-8");
  }

  @Test
  void isNotXml() {
    assertThat(errors("hello"))
        .singleElement()
        .asString()
        .startsWith("grid.xml:1:1: this is not well-formed XML: ")
        .endsWith("; correct it, then the rest can be checked");
  }

  @Test
  void isMalformed() {
    assertThat(errors("<troupe xmlns='urn:troupe:descriptor:1'>\n  <mapping>\n</troupe>"))
        .singleElement()
        .asString()
        .matches(
            "grid.xml:3:\\d+: this is not well-formed XML: .*\"mapping\".*[^.]; correct it, .*");
  }

  @Test
  void isAnotherKindOfDocument() {
    assertThat(errors("<html/>"))
        .containsExactly(
            "grid.xml:1:1: the root element is 'html', so this is no descriptor; a descriptor starts with <troupe xmlns=\"urn:troupe:descriptor:1\">");
  }

  @Test
  void hasAMisspeltRoot() {
    assertThat(
            errors(example("small.xml").replace("troupe ", "trope ").replace("/troupe", "/trope")))
        .containsExactly(
            "grid.xml:1:1: the root element is 'trope', so this is no descriptor; did you mean 'troupe'?");
  }

  @Test
  void hasNoNamespaceOrAnother() {
    String small = example("small.xml");

    assertThat(errors(small.replace(" xmlns=\"urn:troupe:descriptor:1\"", "")))
        .containsExactly(
            "grid.xml:1:1: the root element is of no namespace; write <troupe xmlns=\"urn:troupe:descriptor:1\">");
    assertThat(errors(small.replace("descriptor:1", "descriptor:9")))
        .containsExactly(
            "grid.xml:1:1: the root element is of the namespace 'urn:troupe:descriptor:9'; write <troupe xmlns=\"urn:troupe:descriptor:1\">");
  }

  @Test
  void bringsADocumentType() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "solvers");
    List<String> refused =
        List.of(
            "grid.xml:2:1: a document type (and with it any entity) is refused, as it could make a small file huge or read other files; remove <!DOCTYPE ...>");

    assertThat(errors("<?xml version='1.0'?>\n<!DOCTYPE troupe>\n" + example("small.xml")))
        .isEqualTo(refused);
    assertThat(
            errors(
                "<!-- -->\n<!DOCTYPE troupe [<!ENTITY e SYSTEM '"
                    + secret.toUri()
                    + "'>]>\n"
                    + example("small.xml").replace("solvers", "&e;")))
        .isEqualTo(refused);
    assertThat(
            errors(
                "\n<!DOCTYPE t [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]><t>&b;</t>"))
        .isEqualTo(refused);
  }

  @Test
  void growsByItsVariables() {
    StringBuilder variables = new StringBuilder("<variable name='a0' default='aaaaaaaaaa'/>");
    for (int i = 1; i <= 30; i++) {
      String before = "${a" + (i - 1) + "}";
      variables.append("<variable name='a%d' default='%s'/>".formatted(i, before + before));
    }

    assertThat(errors(withVariables(variables)))
        .singleElement()
        .asString()
        .matches(
            "grid.xml:2:\\d+: variables make this descriptor longer than 4194304 characters; look for one that contains another several times");
  }

  @Test
  void chainsTooManyVariables() {
    StringBuilder variables = new StringBuilder();
    for (int i = 0; i < 9999; i++) {
      variables.append("<variable name='a%d' default='${a%d}'/>".formatted(i, i + 1));
    }
    variables.append("<variable name='a9999' default='1'/>");

    assertThat(errors(withVariables(variables)))
        .isNotEmpty()
        .allMatch(
            error ->
                error.endsWith(
                    ": more than 100 variables are defined by one another in a row; shorten the chain"));
  }

  @Test
  void nestsDeeply() {
    int depth = 100_000;

    assertThat(errors("<a>".repeat(depth) + "</a>".repeat(depth))).hasSize(1);
  }

  private static String withVariables(CharSequence variables) {
    return example("small.xml")
        .replace("<virtualNodes>", "<variables>" + variables + "</variables><virtualNodes>");
  }

  private List<String> errors(String text) {
    return errors(write(folder, text.getBytes(StandardCharsets.UTF_8)));
  }

  private List<String> errors(Path file) {
    return Descriptors.errors(folder, () -> DescriptorReader.read(file, Map.of(), ENVIRONMENT));
  }
}
