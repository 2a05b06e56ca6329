package org.troupe.descriptors.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.read.DescriptorReader;

/** Parts that users write in elements that do not have them. */
class MisplacedPartsTest {

  @TempDir private Path folder;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "<kubernetes id='it' image='x'><prologue>module load gdal</prologue></kubernetes> | element 'prologue' is unknown in 'kubernetes'; pods start with what their image has: extend the image, or set variables by <environment> in a <jvm>",
        "<ssh id='it' hosts='a'><prologue>module load gdal</prologue></ssh> | element 'prologue' is unknown in 'ssh'; only jobs of batch systems run commands before a JVM: set variables by <environment> in a <jvm>, or run the commands on the machine beforehand",
        "<local id='it'><option>-Xmx2g</option></local> | element 'option' is unknown in 'local'; it belongs in a <jvm>, which this element names by jvm=\"...\"",
        "<slurm id='it' javaHome='/opt/jdk'/> | attribute 'javaHome' is unknown in 'slurm'; it belongs in a <jvm>, which this element names by jvm=\"...\"",
        "<kubernetes id='it' image='x' queue='main'/> | attribute 'queue' is unknown in 'kubernetes'; Kubernetes has no queues: choose machines by 'nodeSelector', or extend the Job by a 'patch'",
        "<kubernetes id='it' image='x' nodes='2'/> | attribute 'nodes' is unknown in 'kubernetes'; each pod has one JVM: say how many by 'pods'",
        "<slurm id='it' jvms='2'/> | attribute 'jvms' is unknown in 'slurm'; say how many JVMs on each machine by 'jvmsPerNode'",
        "<lsf id='it' jvms='2'/> | attribute 'jvms' is unknown in 'lsf'; say how many JVMs on each machine by 'jvmsPerNode'",
        "<local id='it' memory='2g'/> | attribute 'memory' is unknown in 'local'; only jobs and pods request memory: limit the heap by <option>-Xmx2g</option> in a <jvm>",
      })
  void areErrorsThatSayWhatToWrite(String element, String message) throws IOException {
    var file =
        Files.writeString(
            folder.resolve("grid.xml"),
            """
            <troupe xmlns="urn:troupe:descriptor:1">
              <virtualNodes><virtualNode name="w"/></virtualNodes>
              <mapping><map virtualNode="w" to="it"/></mapping>
              <infrastructure>%s</infrastructure>
            </troupe>
            """
                .formatted(element));

    var errors =
        catchThrowableOfType(
            DescriptorException.class, () -> DescriptorReader.read(file, Map.of()));

    assertThat(errors.problems())
        .singleElement()
        .extracting(Object::toString)
        .asString()
        .endsWith(message);
  }
}
