package org.troupe.descriptors;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.of("HOME", "/home/ada", "SCRATCH", "/scratch");

  @TempDir private Path folder;

  @Test
  void holdsAllThatTheFileSays() throws Exception {
    Descriptor descriptor = Descriptor.read(copy("full.xml"), Map.of("jvms", "3"), ENVIRONMENT);

    String file = folder.resolve("full.xml").toString();
    assertThat(descriptor.warnings()).isEmpty();
    assertThat(descriptor.virtualNodes())
        .containsExactly(
            new VirtualNode("solvers", new Place(file, 12, 5)),
            new VirtualNode("display", new Place(file, 13, 5)));
    assertThat(descriptor.mapping())
        .containsExactly(
            new Mapping("solvers", "here", new Place(file, 16, 5)),
            new Mapping("solvers", "there", new Place(file, 17, 5)),
            new Mapping("display", "here", new Place(file, 18, 5)));
    Jvm big =
        new Jvm(
            "big",
            Optional.of(Path.of("/opt/jdk")),
            List.of("-Xmx2g", "-Dhome=/home/ada"),
            List.of(folder.resolve("lib/extra.jar"), folder.resolve("lib/*")),
            Map.of("OMP_NUM_THREADS", "1", "EMPTY", ""),
            Map.of("price", "${5} & up"),
            new Place(file, 22, 5));
    Place there = new Place(file, 33, 5);
    assertThat(descriptor.infrastructure())
        .containsExactly(
            new Local(
                "here", 3, big, Optional.of(Path.of("/scratch/run-3")), new Place(file, 21, 5)),
            new Local("there", 1, Jvm.undescribed(there), Optional.empty(), there));
    assertThat(descriptor.infrastructureOf("solvers"))
        .extracting(Infrastructure::id)
        .containsExactly("here", "there");
  }

  private Path copy(String name) throws Exception {
    try (var in = DescriptorTest.class.getResourceAsStream(name)) {
      Path file = folder.resolve(name);
      Files.copy(in, file);
      return file;
    }
  }
}
