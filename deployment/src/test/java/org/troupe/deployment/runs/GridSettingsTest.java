package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.descriptors.read.DescriptorReader;

class GridSettingsTest {

  @TempDir private Path folder;

  @Test
  void valuesThatMayBeSecretsAreHidden() throws IOException {
    var file =
        Files.writeString(
            folder.resolve("grid.xml"),
            """
            <troupe xmlns="urn:troupe:descriptor:1">
              <virtualNodes><virtualNode name="all"/></virtualNodes>
              <mapping><map virtualNode="all" to="a"/></mapping>
              <infrastructure>
                <local id="a" jvm="j"/>
                <jvm id="j">
                  <option>-Xmx64m</option>
                  <option>-Ddb.user=hunter1</option>
                  <environment name="JDK_JAVA_OPTIONS" value="-Xmx64m -Ddb.host=hunter2"/>
                  <property name="db.login" value="hunter3"/>
                  <property name="troupe.observe" value="times"/>
                </jvm>
              </infrastructure>
            </troupe>
            """);

    var settings =
        GridSettings.of(
            DescriptorReader.read(file, Map.of(), Map.of()),
            "",
            new TreeSet<>(),
            List.of(),
            Map.of());

    assertThat(settings.descriptor())
        .extracting(GridSettings.Setting::value)
        .contains("-Xmx64m", "-Ddb.user=(hidden)", "-Xmx64m -Ddb.host=(hidden)", "times")
        .contains("(hidden)") // of db.login
        .noneMatch(value -> value.contains("hunter"));
  }
}
