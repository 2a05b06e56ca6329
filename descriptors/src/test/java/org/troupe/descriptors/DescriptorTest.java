package org.troupe.descriptors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.descriptors.Descriptors.ENVIRONMENT;
import static org.troupe.descriptors.Descriptors.example;
import static org.troupe.descriptors.Descriptors.write;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.descriptors.read.DescriptorReader;

class DescriptorTest {

  @TempDir private Path folder;

  @Test
  void holdsAllThatTheFileSays() {
    Path file = write(folder, example("full.xml"));

    Descriptor descriptor = DescriptorReader.read(file, Map.of("jvms", "3"), ENVIRONMENT);

    assertThat(descriptor.warnings()).isEmpty();
    assertThat(descriptor.virtualNodes())
        .containsExactly(
            new VirtualNode("solvers", new SourcePosition(file.toString(), 12, 5)),
            new VirtualNode("display", new SourcePosition(file.toString(), 13, 5)));
    assertThat(descriptor.mapping())
        .containsExactly(
            new Mapping("solvers", "here", new SourcePosition(file.toString(), 16, 5)),
            new Mapping("solvers", "there", new SourcePosition(file.toString(), 17, 5)),
            new Mapping("display", "here", new SourcePosition(file.toString(), 18, 5)));
    Jvm big =
        new Jvm(
            "big",
            Optional.of(Path.of("/opt/jdk")),
            List.of("-Xmx2g", "-Dhome=/home/ada"),
            List.of(folder.resolve("lib/extra.jar"), folder.resolve("lib/*")),
            Map.of("OMP_NUM_THREADS", "1", "EMPTY", ""),
            Map.of("price", "${5} & up"),
            false,
            new SourcePosition(file.toString(), 22, 5));
    SourcePosition there = new SourcePosition(file.toString(), 33, 5);
    assertThat(descriptor.infrastructure())
        .containsExactly(
            new LocalJvms(
                "here",
                3,
                big,
                Cluster.undescribed("here", new SourcePosition(file.toString(), 21, 5)),
                Optional.of(Path.of("/scratch/run-3")),
                new SourcePosition(file.toString(), 21, 5)),
            new LocalJvms(
                "there",
                1,
                Jvm.undescribed(there),
                Cluster.undescribed("there", there),
                Optional.empty(),
                there));
  }

  @Test
  void findsWhatAVirtualNodeIsMappedTo() {
    Descriptor descriptor =
        DescriptorReader.read(write(folder, example("full.xml")), Map.of(), ENVIRONMENT);

    assertThat(descriptor.infrastructureOf("solvers"))
        .extracting(Infrastructure::id)
        .containsExactly("here", "there");
    assertThat(descriptor.infrastructureOf("display"))
        .extracting(Infrastructure::id)
        .containsExactly("here");
    assertThatThrownBy(() -> descriptor.infrastructureOf("solver"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no virtual node 'solver'; did you mean 'solvers'?");
  }

  @Test
  void remembersWhereValuesCameFrom() {
    Path file = write(folder, example("full.xml"));

    Descriptor descriptor = DescriptorReader.read(file, Map.of("jvms", "3"), ENVIRONMENT);

    assertThat(descriptor.variables())
        .extracting(v -> v.name() + " = " + v.value() + " (" + v.origin() + ")")
        .containsExactly(
            "jvms = 3 (command line)",
            "scratch = /scratch (environment variable SCRATCH)",
            "run = /scratch/run-3 (default in " + file + ":9)",
            "env.HOME = /home/ada (environment variable HOME)");
  }

  @Test
  void takesTheCommandLineBeforeTheEnvironmentBeforeTheDefault() {
    String text =
        example("small.xml")
            .replace(
                "<virtualNodes>",
                "<variables><variable name='n' environment='N' default='1'/></variables><virtualNodes>")
            .replace("jvms=\"4\"", "jvms=\"${n}\"");
    Path file = write(folder, text);

    assertThat(jvms(DescriptorReader.read(file, Map.of(), Map.of()))).isEqualTo(1);
    assertThat(jvms(DescriptorReader.read(file, Map.of(), Map.of("N", "2")))).isEqualTo(2);
    assertThat(jvms(DescriptorReader.read(file, Map.of("n", "3"), Map.of("N", "2")))).isEqualTo(3);
  }

  @Test
  void takesAnEnvironmentVariableFromTheCommandLineToo() {
    Path file = write(folder, example("small.xml").replace("\"4\"", "\"${env.N}\""));

    Descriptor descriptor = DescriptorReader.read(file, Map.of("env.N", "3"), Map.of("N", "2"));

    assertThat(jvms(descriptor)).isEqualTo(3);
    assertThat(descriptor.variables().getFirst().origin()).isEqualTo(new ValueOrigin.CommandLine());
  }

  @Test
  void takesValuesFromOutsideLiterally() {
    String text =
        example("small.xml")
            .replace(
                "<infrastructure>", "<infrastructure><jvm id='j'><option>-D${env.A}</option></jvm>")
            .replace("jvms=\"4\"", "jvm=\"j\"");

    Descriptor descriptor =
        DescriptorReader.read(write(folder, text), Map.of(), Map.of("A", "a=${b} <&\">\n\u0001c"));

    assertThat(descriptor.infrastructure().getFirst().jvm().options())
        .containsExactly("-Da=${b} <&\">\n\u0001c");
  }

  @Test
  void needsNoDefaultThatIsOverridden() {
    String text =
        example("small.xml")
            .replace(
                "<virtualNodes>",
                "<variables><variable name='n' default='${env.NOT_SET}'/></variables><virtualNodes>")
            .replace("jvms=\"4\"", "jvms=\"${n}\"");

    assertThat(jvms(DescriptorReader.read(write(folder, text), Map.of("n", "3"), Map.of())))
        .isEqualTo(3);
  }

  @Test
  void readsPrefixesAnyOrderAndAnyQuotes() {
    Descriptor descriptor =
        DescriptorReader.read(write(folder, example("prefixed.xml")), Map.of(), ENVIRONMENT);

    assertThat(jvms(descriptor)).isEqualTo(4);
    assertThat(descriptor.infrastructureOf("solvers")).hasSize(1);
  }

  @Test
  void resolvesPathsAgainstItsFolder() {
    String text = example("small.xml").replace("jvms=\"4\"", "workingDirectory=\"../run\"");

    Descriptor descriptor = DescriptorReader.read(write(folder, text), Map.of(), ENVIRONMENT);

    assertThat(descriptor.infrastructure().getFirst())
        .isInstanceOfSatisfying(
            LocalJvms.class,
            local -> assertThat(local.workingDirectory()).contains(folder.resolveSibling("run")));
  }

  @Test
  void describesThisMachineWithoutAFile() {
    Descriptor descriptor = Descriptor.local(3);

    assertThat(descriptor.virtualNodes()).extracting(VirtualNode::name).containsExactly("default");
    assertThat(descriptor.infrastructureOf("default")).isEqualTo(descriptor.infrastructure());
    assertThat(jvms(descriptor)).isEqualTo(3);
    assertThat(descriptor.virtualNodes().getFirst().place()).hasToString("local(3)");
    assertThatThrownBy(() -> Descriptor.local(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot start 0 JVMs on this machine; ask for 1 to 10000");
  }

  private static int jvms(Descriptor descriptor) {
    return ((LocalJvms) descriptor.infrastructure().getFirst()).jvms();
  }
}
