package org.troupe.descriptors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.descriptors.Descriptors.ENVIRONMENT;
import static org.troupe.descriptors.Descriptors.example;
import static org.troupe.descriptors.Descriptors.write;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.descriptors.KubernetesJvms.Mount;
import org.troupe.descriptors.KubernetesJvms.Source;
import org.troupe.descriptors.read.DescriptorReader;

/** The element {@code kubernetes}, from the file to the model, and its errors. */
class KubernetesElementTest {

  private static final String RIGHT = example("pods.xml");

  @TempDir private Path folder;

  @Test
  void readsPodsWithAllTheirSettings() {
    Path file = write(folder, RIGHT);
    Descriptor descriptor = DescriptorReader.read(file, Map.of(), ENVIRONMENT);
    KubernetesJvms cloud = (KubernetesJvms) descriptor.infrastructure().getFirst();

    assertThat(descriptor.warnings()).isEmpty();
    assertThat(cloud)
        .isEqualTo(
            new KubernetesJvms(
                "cloud",
                cloud.via(),
                4,
                "registry.example.org/java:25",
                Optional.of("production"),
                Optional.of("physics"),
                Map.of("disktype", "ssd", "zone", "a"),
                OptionalInt.of(4),
                OptionalLong.of(8L << 30),
                Optional.of(Duration.ofHours(2)),
                List.of(
                    new Mount("/opt/jdk-25", new Source.Host("/usr/lib/jvm/25"), true),
                    new Mount("/data", new Source.Claim("meshes"), false)),
                Optional.of(folder.resolve("pod.yaml")),
                cloud.jvm(),
                cloud.cluster(),
                Optional.of("runs/today"),
                new SourcePosition(file.toString(), 19, 5)));
    assertThat(cloud.via().orElseThrow().host()).isEqualTo("gate.example.org");
    assertThat(cloud.jvm().javaHome()).contains(Path.of("/opt/jdk-25"));
    assertThat(cloud.cluster().networks()).containsExactly("10.88.0.0/16");
  }

  @Test
  void needsNothingButAnImage() {
    KubernetesJvms small =
        (KubernetesJvms)
            DescriptorReader.read(write(folder, RIGHT), Map.of(), ENVIRONMENT)
                .infrastructure()
                .getLast();

    assertThat(small.pods()).isEqualTo(1);
    assertThat(small.image()).isEqualTo("java");
    assertThat(small.mounts()).isEmpty();
    assertThat(small.withPods(3).pods()).isEqualTo(3);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        " image=\"java\" | `` | 26:5: 'kubernetes' lacks the attribute 'image'; add image=\"...\"",
        "disktype=ssd zone=a | disktype zone=a | 20:58: attribute 'nodeSelector' is 'disktype zone=a', which is not a list of labels; write name=value with spaces between them, such as 'disktype=ssd zone=a'",
        "\"/data\" | \"data\" | 24:14: attribute 'path' is 'data', which is not an absolute path; write it from '/', without ':'",
        " claim=\"meshes\" | `` | 24:7: 'mount' has neither 'host' nor 'claim'; name a path of the cluster's machines as host, or a persistent volume claim as claim",
        "claim=\"meshes\" | claim=\"meshes\" host=\"/x\" | 24:7: 'mount' has both 'host' and 'claim'; name a path of the cluster's machines as host, or a persistent volume claim as claim",
        "\"/data\" | \"/opt/jdk-25\" | 24:14: two mounts have the path '/opt/jdk-25'; give this one another path",
        "\"/opt/jdk-25\" sharedFiles | \"jdk-25\" sharedFiles | 17:21: attribute 'javaHome' is 'jdk-25', which does not say where that is on the machines of 'cloud'; write the whole path on those machines, from '/', or leave it out",
      })
  void pointsAt(String right, String wrong, String error) {
    assertThat(RIGHT).contains(right);

    assertThat(Descriptors.errors(folder, RIGHT.replace(right, wrong), Map.of()))
        .containsExactly("grid.xml:" + error);
  }
}
