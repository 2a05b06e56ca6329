package org.troupe.descriptors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.descriptors.Descriptors.ENVIRONMENT;
import static org.troupe.descriptors.Descriptors.write;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.descriptors.read.DescriptorReader;

/** Lines and columns are those an editor shows. */
class SourcePositionTest {

  private static final String EXPECTED =
      "grid.xml:9:8: attribute 'jvms' is 'x', which is not a whole number from 1 to 10000; write one, such as '4'";

  private static final String TRICKY =
      """
      <!-- <local jvms="x"/> 𝄞 -->
      <troupe xmlns="urn:troupe:descriptor:1" ><?pi <local jvms="x"/>?>
        <virtualNodes><virtualNode name="s"/></virtualNodes>
        <mapping><map virtualNode="s" to="here"/></mapping>
        <infrastructure>
          <jvm id="j"><option>-D<![CDATA[<local jvms="x"/>]]></option></jvm>
          <local id="here"
            workingDirectory='"> /&lt;local jvms="x"/>'
             jvms
           = "x" jvm="j"/>
        </infrastructure>
      </troupe>
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void countsLinesHoweverTheyEnd(String lineEnd) {
    assertThat(errors(TRICKY.replace("\n", lineEnd).getBytes(StandardCharsets.UTF_8)))
        .containsExactly(EXPECTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE"})
  void countsNoByteOrderMark(String charset) {
    String mark = charset.equals("UTF-16") ? "" : "\uFEFF";

    assertThat(errors((mark + TRICKY).getBytes(Charset.forName(charset))))
        .containsExactly(EXPECTED);
  }

  @Test
  void countsInTheEncodingThatIsDeclared() {
    String latin =
        "<?xml version='1.0' encoding='ISO-8859-1'?><!-- é -->"
            + TRICKY.substring(TRICKY.indexOf('\n'));

    assertThat(errors(latin.getBytes(StandardCharsets.ISO_8859_1))).containsExactly(EXPECTED);
  }

  @Test
  void countsCharactersNotCodeUnits() {
    String text = TRICKY.replace("<local id", "<!-- é𝄞 --><local colour='red' id");

    assertThat(errors(text.getBytes(StandardCharsets.UTF_8)))
        .first()
        .asString()
        .startsWith("grid.xml:7:23: attribute 'colour' is unknown");
  }

  @Test
  void namesOnlyTheFileWhenItMeansTheWhole() {
    assertThat(new SourcePosition("grid.xml", 0, 0)).hasToString("grid.xml");
    assertThat(new SourcePosition("grid.xml", 14, 27)).hasToString("grid.xml:14:27");
  }

  private List<String> errors(byte[] bytes) {
    Path file = write(folder, bytes);
    return Descriptors.errors(folder, () -> DescriptorReader.read(file, Map.of(), ENVIRONMENT));
  }
}
