package org.troupe.deployment.kubernetes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.descriptors.KubernetesJvms;
import tools.jackson.core.JacksonException;

/** Checks that a cluster can run the Job of an element; creates nothing. */
public final class ClusterCheck {

  /** The first version that has per-index back-off by default. */
  private static final int OLDEST = 29;

  private ClusterCheck() {}

  /**
   * A result.
   *
   * @param what the rest of a sentence that begins with the name of the cluster
   * @param remedy what to do; empty if all is well
   */
  public record Fact(String what, String remedy) {}

  public static List<Fact> of(Kubectl kubectl, KubernetesJvms element) {
    var facts = new ArrayList<Fact>();
    try {
      facts.add(version(kubectl));
      var missing = new ArrayList<String>();
      for (var right : rights(element)) {
        var words = right.split(" ");
        if (kubectl.ask(List.of("auth", "can-i", words[0], words[1], "--quiet")).exitCode() != 0) {
          missing.add(right);
        }
      }
      facts.add(
          missing.isEmpty()
              ? new Fact("permits what a Job of nodes needs", "")
              : new Fact(
                  "does not permit: " + String.join(", ", missing),
                  "ask its administrator for a role with these in the namespace, or name another"
                      + " namespace"));
    } catch (IOException e) {
      facts.add(
          new Fact(
              "cannot be asked: " + e.getMessage(),
              "correct what 'kubectl cluster-info' shows, or name another context of its"
                  + " configuration as context"));
    }
    return facts;
  }

  private static Fact version(Kubectl kubectl) throws IOException {
    try {
      var server =
          JobManifest.JSON.readTree(kubectl.run("version", "--output=json")).path("serverVersion");
      var text = server.path("gitVersion").asString("");
      var minor = server.path("minor").asString("").replaceAll("\\D.*", "");
      return minor.isEmpty() || Integer.parseInt(minor) >= OLDEST
          ? new Fact("answers, version " + text, "")
          : new Fact(
              "is of version " + text + ", without retries per index by default",
              "use a cluster of version 1." + OLDEST + " or newer");
    } catch (JacksonException e) {
      throw new IOException("kubectl's answer is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Returns what the launcher does, as verb and resource. */
  private static List<String> rights(KubernetesJvms element) {
    var rights =
        new ArrayList<>(
            List.of(
                "create jobs.batch",
                "list jobs.batch",
                "patch jobs.batch",
                "delete jobs.batch",
                "create secrets",
                "delete secrets",
                "list pods",
                "delete pods",
                "get pods/log",
                "list events"));
    if (!element.jvm().hasSharedFiles()) {
      rights.add("create pods/exec");
    }
    return rights;
  }
}
