package org.troupe.descriptors;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * JVMs in the pods of one indexed Job of Kubernetes.
 *
 * @param via the machine that has {@code kubectl} and its configuration; empty for the machine that
 *     deploys
 * @param pods the number of pods, each with one JVM, at least one
 * @param image the container image
 * @param context the context of kubectl's configuration; empty for the current one
 * @param namespace the namespace; empty for that of the context
 * @param nodeSelector the labels that the cluster's machines must have
 * @param cpus the CPUs of a pod; empty for the default of the namespace
 * @param memoryBytes the memory of a pod; empty for the default of the namespace
 * @param wallTime the time limit of the Job; empty for none
 * @param mounts the folders that the pods see in addition to their image
 * @param patch a file with a strategic merge patch of the Job, on the machine that deploys
 * @param workingDirectory a folder in the pods, absolute or relative to the home directory; empty
 *     for the home directory
 */
public record KubernetesJvms(
    String id,
    Optional<Login> via,
    int pods,
    String image,
    Optional<String> context,
    Optional<String> namespace,
    Map<String, String> nodeSelector,
    OptionalInt cpus,
    OptionalLong memoryBytes,
    Optional<Duration> wallTime,
    List<Mount> mounts,
    Optional<Path> patch,
    Jvm jvm,
    Cluster cluster,
    Optional<String> workingDirectory,
    SourcePosition place)
    implements Infrastructure {

  /** Copies the map, whose order is kept, and the list. */
  public KubernetesJvms {
    nodeSelector = Collections.unmodifiableMap(new LinkedHashMap<>(nodeSelector));
    mounts = List.copyOf(mounts);
  }

  /** Returns a copy with another number of pods. */
  public KubernetesJvms withPods(int number) {
    return new KubernetesJvms(
        id,
        via,
        number,
        image,
        context,
        namespace,
        nodeSelector,
        cpus,
        memoryBytes,
        wallTime,
        mounts,
        patch,
        jvm,
        cluster,
        workingDirectory,
        place);
  }

  /**
   * A folder or file that pods see in addition to their image.
   *
   * @param path the absolute path in the pods
   */
  public record Mount(String path, Source source, boolean isReadOnly) {}

  /** The origin of the mounted files. */
  public sealed interface Source {

    /**
     * A folder or file of the machine on which the pod runs.
     *
     * @param path its absolute path there
     */
    record Host(String path) implements Source {}

    /**
     * A persistent volume.
     *
     * @param name of its claim, in the namespace of the pods
     */
    record Claim(String name) implements Source {}
  }
}
