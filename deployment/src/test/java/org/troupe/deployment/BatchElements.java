package org.troupe.deployment;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.Cluster;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.SourcePosition;

/** Batch elements of descriptors, for tests. */
public final class BatchElements {

  public static final SourcePosition PLACE = new SourcePosition("grid.xml", 7, 5);

  /** The settings of a JVM to whose machine the program is copied. */
  public static final Jvm STAGED =
      new Jvm("staged", Optional.empty(), List.of(), List.of(), Map.of(), Map.of(), false, PLACE);

  private BatchElements() {}

  public static BatchJvms of(
      BatchJvms.Scheduler scheduler, Optional<String> via, int nodes, int jvmsPerNode) {
    return new BatchJvms(
        "bundle",
        scheduler,
        via.map(BatchElements::login),
        nodes,
        jvmsPerNode,
        OptionalInt.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        new Jvm(
            "default",
            Optional.empty(),
            List.of(),
            List.of(),
            Map.of("GREETING", "it's $HOME"),
            Map.of(),
            true,
            PLACE),
        new Cluster("cluster", List.of(), true, false, PLACE),
        Optional.empty(),
        PLACE);
  }

  /** Returns an element with every resource that a batch system can be asked for. */
  public static BatchJvms demanding(BatchJvms element) {
    return new BatchJvms(
        element.id(),
        element.scheduler(),
        element.via(),
        element.nodes(),
        element.jvmsPerNode(),
        OptionalInt.of(4),
        OptionalLong.of(1L << 30),
        Optional.of(Duration.ofMinutes(90)),
        Optional.of("long"),
        Optional.of("physics"),
        List.of("--comment=two words"),
        element.prologue(),
        element.skip(),
        element.jvm(),
        element.cluster(),
        Optional.of("work/here"),
        element.place());
  }

  /** Returns an element in a queue, with further options. */
  public static BatchJvms in(BatchJvms element, Optional<String> queue, String... options) {
    return new BatchJvms(
        element.id(),
        element.scheduler(),
        element.via(),
        element.nodes(),
        element.jvmsPerNode(),
        element.cpusPerJvm(),
        element.memoryBytesPerJvm(),
        element.wallTime(),
        queue,
        element.account(),
        List.of(options),
        element.prologue(),
        element.skip(),
        element.jvm(),
        element.cluster(),
        element.workingDirectory(),
        element.place());
  }

  /** Returns an element that does not pass some options. */
  public static BatchJvms skipping(BatchJvms element, String... names) {
    return new BatchJvms(
        element.id(),
        element.scheduler(),
        element.via(),
        element.nodes(),
        element.jvmsPerNode(),
        element.cpusPerJvm(),
        element.memoryBytesPerJvm(),
        element.wallTime(),
        element.queue(),
        element.account(),
        element.options(),
        element.prologue(),
        List.of(names),
        element.jvm(),
        element.cluster(),
        element.workingDirectory(),
        element.place());
  }

  /** Returns an element with commands before its JVMs. */
  public static BatchJvms after(BatchJvms element, String... prologue) {
    return new BatchJvms(
        element.id(),
        element.scheduler(),
        element.via(),
        element.nodes(),
        element.jvmsPerNode(),
        element.cpusPerJvm(),
        element.memoryBytesPerJvm(),
        element.wallTime(),
        element.queue(),
        element.account(),
        element.options(),
        List.of(prologue),
        element.skip(),
        element.jvm(),
        element.cluster(),
        element.workingDirectory(),
        element.place());
  }

  private static Login login(String host) {
    return new Login(
        host,
        host,
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        Login.HostKeys.STRICT,
        List.of(),
        PLACE);
  }
}
