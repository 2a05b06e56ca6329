package org.troupe.deployment.kubernetes;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;

/** The Job and the Secret of a run whose launcher may have been killed. */
public final class RecordedPods {

  /** How long Kubernetes may take to delete a Job with its pods. */
  private static final int DELETION_SECONDS = 45;

  private final Kubectl kubectl;
  private final String name;

  /**
   * @param kubectl of the namespace of the Job
   * @param name of the Job and the Secret
   */
  public RecordedPods(Kubectl kubectl, String name) {
    this.kubectl = kubectl;
    this.name = name;
  }

  /**
   * An object in the cluster.
   *
   * @param name with its kind, such as {@code secret/NAME}
   */
  public record Remains(String name, String state) {}

  /**
   * Returns the objects that exist.
   *
   * @throws IOException if the cluster cannot be asked
   */
  public List<Remains> look() throws IOException {
    try {
      var found =
          kubectl.run(
              "get",
              "jobs,secrets,pods",
              "--selector=" + JobManifest.selector(name),
              "--output=json");
      return JobManifest.JSON
          .readTree(found)
          .path("items")
          .valueStream()
          .map(
              each ->
                  new Remains(
                      each.path("kind").asString("").toLowerCase(Locale.ROOT)
                          + "/"
                          + each.path("metadata").path("name").asString(""),
                      each.path("status").path("phase").asString("there")))
          .toList();
    } catch (JacksonException e) {
      throw new IOException("kubectl's answer is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Deletes the Job with its pods, and the Secret; returns when they are gone.
   *
   * @throws IOException if they cannot be deleted, or are not gone within 45 s
   */
  public void delete() throws IOException {
    delete(kubectl, name, DELETION_SECONDS);
  }

  static void delete(Kubectl kubectl, String name, int seconds) throws IOException {
    kubectl.run(
        "delete",
        "job/" + name,
        "secret/" + name,
        "--ignore-not-found",
        "--cascade=foreground",
        "--timeout=" + seconds + "s");
  }
}
