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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.descriptors.BatchJvms.Scheduler;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.read.DescriptorReader;

/** Each kind of infrastructure, from the file to the model. */
class InfrastructureTest {

  private static final Path HOME = Path.of(System.getProperty("user.home"));

  @TempDir private Path folder;

  private Path file;
  private Descriptor descriptor;

  @BeforeEach
  void read() {
    file = write(folder, example("everywhere.xml"));
    descriptor = DescriptorReader.read(file, Map.of(), ENVIRONMENT);
  }

  @Test
  void keepsTheOrderOfTheFile() {
    assertThat(descriptor.warnings()).isEmpty();
    assertThat(descriptor.infrastructure())
        .extracting(Infrastructure::id)
        .containsExactly("alphaJob", "hosts", "betaJob", "gammaJob", "anyJob", "here");
  }

  @Test
  void readsHostsOverSsh() {
    SshJvms hosts = (SshJvms) element("hosts");

    assertThat(hosts.hosts())
        .extracting(Login::host)
        .containsExactly(
            "node08",
            "node09",
            "node10",
            "node11",
            "other-1b",
            "other-3b",
            "other-5b",
            "other-6b",
            "other-7b",
            "delta-1",
            "2001:db8::7");
    assertThat(hosts.hosts().getLast())
        .isEqualTo(
            new Login(
                "2001:db8::7",
                "2001:db8::7",
                OptionalInt.of(22),
                Optional.of("root"),
                Optional.of(Path.of("/keys/root")),
                HostKeys.ACCEPT_NEW,
                List.of(gateway(), inner()),
                place(38)));
    assertThat(hosts.jvms()).isEqualTo(2);
    assertThat(hosts.jvm()).isEqualTo(big());
    assertThat(hosts.cluster()).isEqualTo(alpha());
    assertThat(hosts.workingDirectory()).contains("/scratch");
    assertThat(hosts.place()).isEqualTo(place(38));
  }

  @Test
  void readsAJobOfSlurmBehindGateways() {
    Login frontEnd =
        new Login(
            "alphaFe",
            "alpha-fe",
            OptionalInt.empty(),
            Optional.of("me@alpha"),
            Optional.of(folder.resolve("keys/alpha")),
            HostKeys.STRICT,
            List.of(gateway(), inner()),
            place(31));

    assertThat(element("alphaJob"))
        .isEqualTo(
            new BatchJvms(
                "alphaJob",
                new Scheduler.Slurm(),
                Optional.of(frontEnd),
                2,
                2,
                OptionalInt.of(4),
                OptionalLong.of(2L << 30),
                Optional.of(Duration.ofMinutes(30)),
                Optional.of("main"),
                Optional.of("physics"),
                List.of("--exclusive", "--constraint=fast"),
                List.of("module load gdal"),
                List.of("--no-requeue", "--mem"),
                big(),
                alpha(),
                Optional.of("runs/today"),
                place(22)));
  }

  @Test
  void readsAJobOfPbs() {
    assertThat(element("betaJob"))
        .isEqualTo(
            new BatchJvms(
                "betaJob",
                new Scheduler.Pbs(),
                Optional.of(gateway()),
                3,
                1,
                OptionalInt.empty(),
                OptionalLong.of(512 << 20),
                Optional.of(Duration.ofMinutes(90)),
                Optional.of("batch"),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                Jvm.undescribed(place(42)),
                new Cluster("betaJob", List.of(), true, false, place(42)),
                Optional.empty(),
                place(42)));
  }

  @Test
  void readsAJobOfGridEngine() {
    BatchJvms job = (BatchJvms) element("gammaJob");

    assertThat(job.scheduler()).isEqualTo(new Scheduler.GridEngine(Optional.of("mpi")));
    assertThat(job.via()).isEmpty();
    assertThat(job.cpusPerJvm()).hasValue(1);
    assertThat(job.memoryBytesPerJvm()).isEmpty();
    assertThat(job.wallTime()).contains(Duration.ofHours(36));
    assertThat(job.account()).contains("x");
    assertThat(job.workingDirectory()).as("the home directory").isEmpty();
  }

  @Test
  void readsAJobOfADrmaaLibrary() {
    BatchJvms job = (BatchJvms) element("anyJob");

    assertThat(job.scheduler())
        .isEqualTo(
            new Scheduler.Drmaa(
                Optional.of(folder.resolve("lib/libdrmaa.so")), Optional.of("-l nodes=%d")));
    assertThat(job.nodes()).isEqualTo(4);
    assertThat(job.wallTime()).contains(Duration.ofDays(1));
    assertThat(job.options()).containsExactly("-q", "all.q");
  }

  @Test
  void putsLocalJvmsIntoAClusterToo() {
    assertThat(element("here").cluster()).isEqualTo(alpha());
  }

  private Infrastructure element(String id) {
    return descriptor.infrastructure().stream().filter(i -> i.id().equals(id)).findFirst().get();
  }

  private Login gateway() {
    return new Login(
        "gateway",
        "gate.example.org",
        OptionalInt.of(2222),
        Optional.of("ada"),
        Optional.of(HOME.resolve(".ssh/id_ed25519")),
        HostKeys.ACCEPT_NEW,
        List.of(),
        place(28));
  }

  private Login inner() {
    return new Login(
        "inner",
        "10.0.0.7",
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        HostKeys.STRICT,
        List.of(gateway()),
        place(30));
  }

  private Cluster alpha() {
    return new Cluster("alpha", List.of("10.77.1.0/24", "2001:db8::/32"), false, true, place(33));
  }

  private Jvm big() {
    return new Jvm(
        "big",
        Optional.of(Path.of("/usr/lib/jvm/25")),
        List.of("-Xmx2g"),
        List.of(HOME.resolve("lib/extra.jar")),
        Map.of(),
        Map.of(),
        true,
        place(34));
  }

  private SourcePosition place(int line) {
    return new SourcePosition(file.toString(), line, 5);
  }
}
