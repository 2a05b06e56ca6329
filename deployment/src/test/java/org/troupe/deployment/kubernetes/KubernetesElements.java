package org.troupe.deployment.kubernetes;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.troupe.descriptors.Cluster;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.KubernetesJvms;
import org.troupe.descriptors.SourcePosition;

/** Elements for pods, for tests. */
public final class KubernetesElements {

  static final SourcePosition PLACE = new SourcePosition("grid.xml", 7, 5);

  private KubernetesElements() {}

  /** Returns an element with an image and nothing else. */
  public static KubernetesJvms of(int pods, boolean hasSharedFiles) {
    return new KubernetesJvms(
        "pods",
        Optional.empty(),
        pods,
        "box:1",
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        OptionalInt.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        jvm(hasSharedFiles),
        Cluster.undescribed("pods", PLACE),
        Optional.empty(),
        PLACE);
  }

  /** Returns an element with a patch. */
  static KubernetesJvms patched(KubernetesJvms element, Path patch) {
    return new KubernetesJvms(
        element.id(),
        element.via(),
        element.pods(),
        element.image(),
        element.context(),
        element.namespace(),
        element.nodeSelector(),
        element.cpus(),
        element.memoryBytes(),
        element.wallTime(),
        element.mounts(),
        Optional.of(patch),
        element.jvm(),
        element.cluster(),
        element.workingDirectory(),
        element.place());
  }

  static Jvm jvm(boolean hasSharedFiles) {
    return new Jvm(
        "default",
        Optional.empty(),
        List.of(),
        List.of(),
        Map.of("GREETING", "it's $(HOME)"),
        Map.of(),
        hasSharedFiles,
        PLACE);
  }
}
