package org.troupe.deployment.kubernetes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.troupe.descriptors.KubernetesJvms;
import org.troupe.descriptors.KubernetesJvms.Source;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The Job of an element and its Secret, as {@code kubectl} reads them. */
public final class JobManifest {

  /*
   * The Job is created suspended, so that its pods appear only when the Secret that they mount is there. The
   * Secret belongs to the Job: Kubernetes deletes it with the Job.
   *
   * A pod that fails is not replaced: the new one would come back under the name of a node that is known to be
   * dead. So each index has no retries, which leaves the other pods alone, unlike a Job without retries.
   *
   * Two minutes after the launcher was killed nothing is left: the nodes end without their coordinator, and
   * Kubernetes deletes a Job a minute after its last pod has ended. Only a launcher that is killed before it resumes
   * its Job leaves one, without pods, until 'troupe clean' deletes it.
   */
  static final JsonMapper JSON = new JsonMapper();

  /** The name of the container that runs the JVM. */
  static final String CONTAINER = "node";

  /** The folder that is the home directory in the pods, empty at first. */
  static final String HOME = "/troupe/home";

  /** The file that starts the JVM in a pod to which the program is copied first. */
  static final String START = HOME + "/start";

  private static final String SETTINGS = "/troupe/settings";
  private static final String FILE = "settings.gz";
  private static final int READABLE = 0444;

  /** How long a finished Job remains, for a launcher that still asks for the ends of its pods. */
  private static final int SECONDS_KEPT = 60;

  /** Kubernetes permits 63 characters, and adds the index to the names of pods. */
  private static final int LONGEST_ID = 20;

  /** Kubernetes permits a mebibyte, with the encoding in Base64 and the rest of the object. */
  private static final int MOST_SETTINGS = 700_000;

  /**
   * Waits for the program, which the launcher copies. It does not wait for ever, since a killed
   * launcher never copies it.
   */
  private static final String WAIT =
      """
      trap 'exit 143' TERM
      left=3000
      until [ -f "$HOME/start" ]; do
        [ "$left" -gt 0 ] || { echo 'the program was not copied to this pod within 10 minutes' >&2; exit 75; }
        left=$((left - 1))
        sleep 0.2
      done
      trap - TERM
      exec /bin/sh "$HOME/start"
      """;

  private JobManifest() {}

  /**
   * Returns the name of the Job and of its Secret.
   *
   * @param run the id of the run
   * @param first the number of the first node, counted from 0
   */
  public static String name(String run, KubernetesJvms element, int first) {
    var id = element.id().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    id = id.substring(0, Math.min(LONGEST_ID, id.length())).replaceAll("^-|-$", "");
    if (!id.equals(element.id())) { // others may look alike
      id += "-%08x".formatted(element.id().hashCode());
    }
    return "troupe-"
        + run.toLowerCase(Locale.ROOT)
        + "-"
        + id
        + (first == 0 ? "" : "--" + first); // no id has two hyphens
  }

  /** Returns the labels that select what belongs to a Job. */
  static String selector(String name) {
    return "app.kubernetes.io/instance=" + name;
  }

  /** Returns a path in a pod as an absolute one. */
  static String inHome(String path) {
    if (path.equals("~") || path.startsWith("~/")) {
      return HOME + path.substring(1);
    }
    return path.startsWith("/") ? path : HOME + "/" + path;
  }

  /**
   * Returns the Job.
   *
   * @param command that starts a node's JVM, for pods that see the program's files; empty for pods
   *     to which they are copied
   */
  public static String job(KubernetesJvms element, String name, List<String> command) {
    var job = JSON.createObjectNode();
    job.put("apiVersion", "batch/v1").put("kind", "Job");
    label(job.putObject("metadata").put("name", name), name);
    var spec = job.putObject("spec");
    spec.put("suspend", true);
    spec.put("completionMode", "Indexed");
    spec.put("completions", element.pods());
    spec.put("parallelism", element.pods());
    spec.put("backoffLimitPerIndex", 0);
    spec.put("podReplacementPolicy", "Failed");
    spec.put("ttlSecondsAfterFinished", SECONDS_KEPT);
    element
        .wallTime()
        .ifPresent(time -> spec.put("activeDeadlineSeconds", Math.max(1, time.toSeconds())));
    var template = spec.putObject("template");
    label(template.putObject("metadata"), name);
    pod(template.putObject("spec"), element, name, command);
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(job);
  }

  private static void label(ObjectNode metadata, String name) {
    metadata
        .putObject("labels")
        .put("app.kubernetes.io/managed-by", "troupe")
        .put("app.kubernetes.io/instance", name);
  }

  private static void pod(
      ObjectNode pod, KubernetesJvms element, String name, List<String> command) {
    pod.put("restartPolicy", "Never");
    pod.put("automountServiceAccountToken", false);
    pod.put("enableServiceLinks", false);
    if (!element.nodeSelector().isEmpty()) {
      var selector = pod.putObject("nodeSelector");
      element.nodeSelector().forEach(selector::put);
    }
    var container = pod.putArray("containers").addObject();
    container.put("name", CONTAINER).put("image", element.image());
    var words = container.putArray("command");
    if (command.isEmpty()) {
      List.of("/bin/sh", "-c", WAIT, "sh").forEach(word -> words.add(literal(word)));
    } else {
      command.forEach(word -> words.add(literal(word)));
      arguments("$(JOB_COMPLETION_INDEX)").forEach(words::add);
    }
    container.put("workingDir", inHome(element.workingDirectory().orElse(HOME)));
    var environment = container.putArray("env");
    environment.addObject().put("name", "HOME").put("value", HOME);
    environment.addObject().put("name", "TROUPE_JOB").put("value", name);
    element
        .jvm()
        .environment()
        .forEach(
            (variable, value) ->
                environment.addObject().put("name", variable).put("value", literal(value)));
    resources(container, element);
    container.putObject("securityContext").put("allowPrivilegeEscalation", false);
    var mounts = container.putArray("volumeMounts");
    mounts.addObject().put("name", "settings").put("mountPath", SETTINGS).put("readOnly", true);
    mounts.addObject().put("name", "home").put("mountPath", HOME);
    var volumes = pod.putArray("volumes");
    volumes
        .addObject()
        .put("name", "settings")
        .putObject("secret")
        .put("secretName", name)
        .put("defaultMode", READABLE);
    volumes.addObject().put("name", "home").putObject("emptyDir");
    for (var i = 0; i < element.mounts().size(); i++) {
      var mount = element.mounts().get(i);
      mounts
          .addObject()
          .put("name", "mount-" + i)
          .put("mountPath", mount.path())
          .put("readOnly", mount.isReadOnly());
      var volume = volumes.addObject().put("name", "mount-" + i);
      switch (mount.source()) {
        case Source.Host(var path) -> volume.putObject("hostPath").put("path", path);
        case Source.Claim(var claim) ->
            volume.putObject("persistentVolumeClaim").put("claimName", claim);
      }
    }
  }

  /** Requests are also the limits: a JVM takes the limits for the size of its machine. */
  private static void resources(ObjectNode container, KubernetesJvms element) {
    if (element.cpus().isEmpty() && element.memoryBytes().isEmpty()) {
      return;
    }
    var resources = container.putObject("resources");
    for (var kind : List.of("requests", "limits")) {
      var amounts = resources.putObject(kind);
      element.cpus().ifPresent(cpus -> amounts.put("cpu", Integer.toString(cpus)));
      element.memoryBytes().ifPresent(bytes -> amounts.put("memory", Long.toString(bytes)));
    }
  }

  /** Returns a text that Kubernetes does not search for variables. */
  private static String literal(String text) {
    return text.replace("$", "$$");
  }

  /**
   * Returns the arguments of a node's JVM after its main class.
   *
   * @param rank an expression for the index of the pod
   */
  static List<String> arguments(String rank) {
    return List.of(SETTINGS + "/" + FILE, rank);
  }

  /**
   * Returns the Secret with the settings of all nodes.
   *
   * @param job the answer to the creation of the Job
   * @throws IOException if the settings are too large for a Secret
   */
  static byte[] secret(String name, String job, byte[] settings) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(settings);
    }
    if (packed.size() > MOST_SETTINGS) {
      throw new IOException(
          "the settings of its nodes have %d bytes, and a Secret takes %d; ask for fewer pods, or spread them over several elements"
              .formatted(packed.size(), MOST_SETTINGS));
    }
    var secret = JSON.createObjectNode();
    secret.put("apiVersion", "v1").put("kind", "Secret");
    var metadata = secret.putObject("metadata").put("name", name);
    label(metadata, name);
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "batch/v1")
        .put("kind", "Job")
        .put("name", name)
        .put("uid", uid(job))
        .put("blockOwnerDeletion", true);
    secret.putObject("data").put(FILE, Base64.getEncoder().encodeToString(packed.toByteArray()));
    return JSON.writeValueAsBytes(secret);
  }

  private static String uid(String job) throws IOException {
    try {
      return Optional.of(JSON.readTree(job).path("metadata").path("uid").asString(""))
          .filter(uid -> !uid.isEmpty())
          .orElseThrow(() -> new IOException("kubectl did not report the uid of the Job"));
    } catch (JacksonException e) {
      throw new IOException("kubectl's answer is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Returns the command line of {@code kubectl} that creates an object from standard input. */
  static List<String> create() {
    return List.of("create", "--filename=-", "--output=json");
  }

  /** Returns the command that creates the Job of an element, for users. */
  public static List<String> creation(KubernetesJvms element) {
    return Kubectl.command(
        element.context(), element.namespace(), List.of("create", "--filename=-"));
  }
}
