package org.troupe.deployment.kubernetes;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.batch.DeployedJob;
import org.troupe.deployment.batch.JobEnd;
import org.troupe.deployment.batch.JobProgress;
import org.troupe.deployment.batch.JobWatch;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.process.JobNodes;
import org.troupe.deployment.process.JobProcess;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.ShellLine;
import org.troupe.descriptors.KubernetesJvms;
import org.troupe.descriptors.SourceProblem;

/** The Job that runs all nodes of an element, each in a pod. */
public final class KubernetesJob implements JobProcess.Job, DeployedJob {

  /*
   * Design: the life of a Job.
   *
   * The Job collects the nodes' settings. When all are there, it is recorded and created, suspended; then the
   * Secret with the settings is created as its dependent, and the Job is resumed. From then on one thread polls
   * the states of all pods. Pods whose container runs get the program, unless they see its files, and their output
   * is followed. A pod's end is the end of its node. When every node has ended or is no longer needed, the Job is
   * deleted, and with it pods and Secret.
   *
   * Threads: the submission, each copy of the program, the ends and the final deletion have daemon threads of
   * their own; the poll calls changed(), which never blocks.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** How many pods get the program at the same time, since all of it passes the API server. */
  private static final int COPIES_AT_ONCE = 8;

  /** How long Kubernetes may take to delete a Job; the end of a deployment waits for 30 s. */
  private static final int DELETION_SECONDS = 25;

  /** How long a poll may take. */
  private static final int POLL_SECONDS = 10;

  private static final int SIGNALLED = 128;

  private final KubernetesJvms element;
  private final String name;
  private final Site site;
  private final long start = System.nanoTime();
  private final JobNodes nodes;
  private final Semaphore copies = new Semaphore(COPIES_AT_ONCE);
  private final Set<Integer> copied = ConcurrentHashMap.newKeySet(); // or being copied to
  private final LinkedBlockingQueue<JobEnd> ends = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> submitted =
      new CompletableFuture<>(); // or failed to be submitted
  private final CompletableFuture<Void> finished = new CompletableFuture<>();

  private final Set<Integer> killed =
      ConcurrentHashMap.newKeySet(); // the nodes whose pods are to be deleted
  // Set once, during the submission; null before.
  private volatile @Nullable Created created;
  // The failure to delete a Job that may have been created; null if there is none.
  private volatile @Nullable IOException undeleted;
  private volatile String refused = ""; // why there are no pods; empty if there is no such reason
  private volatile boolean hasFailed; // whether a pod has
  private volatile long submitMillis; // since 1970; 0 before
  private volatile long startMillis; // when a pod was first seen to run; 0 before
  private volatile long endMillis; // 0 before

  /** The Job in the cluster. */
  private record Created(
      Kubectl kubectl, PodStates states, JobWatch<PodStates> watch, PodLogs logs) {}

  /** The site's services for a Job. */
  public interface Site {

    /** Returns the journal of the run. */
    RunJournal run();

    /** Returns the machine that has {@code kubectl}. */
    Machine machine() throws IOException;

    /** Returns the command that starts a node's JVM in a pod that sees the program's files. */
    List<String> command() throws IOException;

    /** Returns the command that starts a node's JVM, after copying the program to the pod. */
    List<String> command(Machine pod) throws IOException;

    /**
     * Returns the settings of all nodes with the routes from the site to this program added; starts
     * a forwarder if need be.
     */
    List<byte[]> withRoutes(List<byte[]> settings) throws IOException;
  }

  /**
   * @param name the name of the Job, by {@link JobManifest#name}
   */
  public KubernetesJob(KubernetesJvms element, String name, Site site) {
    this.element = element;
    this.name = name;
    this.site = site;
    nodes = new JobNodes(this, element.pods());
  }

  public JobProcess node(int rank) {
    return nodes.get(rank);
  }

  public KubernetesJvms element() {
    return element;
  }

  private String cluster() {
    return Kubectl.cluster(element.context(), element.via());
  }

  @Override
  public CompletableFuture<Void> finished() {
    return finished;
  }

  @Override
  public String leftovers() {
    return "Job '%s' of %s may remain with its pods and its Secret".formatted(name, cluster());
  }

  // Before the Job

  @Override
  public void setSettings(int rank, byte[] nodeSettings) {
    if (nodes.takeSettings(rank, nodeSettings)) {
      background("submit", this::submit);
    }
  }

  private void submit() {
    try {
      var kubectl = Kubectl.of(element, site.machine());
      var command = element.jvm().hasSharedFiles() ? site.command() : List.<String>of();
      var file = JobNodes.settingsFile(site.withRoutes(nodes.settings()));
      var manifest = patched(kubectl, JobManifest.job(element, name, command));
      site.run().pods(element, name);
      var logs = new PodLogs(kubectl, name, this::printed);
      var states = new PodStates(kubectl, name, this::changed);
      var job = createJob(kubectl, manifest);
      created = new Created(kubectl, states, new JobWatch<>(cluster(), states), logs);
      kubectl.run(JobManifest.create(), JobManifest.secret(name, job, file));
      submitMillis = System.currentTimeMillis();
      kubectl.run("patch", "job/" + name, "--type=merge", "--patch={\"spec\":{\"suspend\":false}}");
      watch(created());
    } catch (IOException | RuntimeException e) {
      submissionFailed(e);
    } finally {
      submitted.complete(null);
    }
  }

  /** Creates the Job; deletes it if the answer was lost. */
  private String createJob(Kubectl kubectl, byte[] manifest) throws IOException {
    try {
      return kubectl.run(JobManifest.create(), manifest);
    } catch (IOException e) {
      try {
        RecordedPods.delete(kubectl, name, DELETION_SECONDS);
      } catch (IOException again) {
        e.addSuppressed(again);
        // If the deletion fails in the same way, the cluster was never reached.
        if (!message(again).equals(message(e))) {
          undeleted = again;
        }
      }
      throw e;
    }
  }

  private Created created() {
    return Objects.requireNonNull(created, "the Job has not been created");
  }

  /** Merges the user's patch into the Job; the cluster is not asked. */
  private byte[] patched(Kubectl kubectl, String manifest) throws IOException {
    var bytes = manifest.getBytes(StandardCharsets.UTF_8);
    if (element.patch().isEmpty()) {
      return bytes;
    }
    return kubectl
        .runWithFile(
            List.of("patch", "--local", "--filename=-", "--type=strategic", "--output=json"),
            "--patch-file",
            Files.readAllBytes(element.patch().get()),
            bytes)
        .getBytes(StandardCharsets.UTF_8);
  }

  private void submissionFailed(Exception problem) {
    var why =
        new SourceProblem(
                element.place(),
                "'%s' got no pods from %s: %s".formatted(element.id(), cluster(), message(problem)),
                "correct the element; 'doctor' checks what the cluster permits, 'plan' shows the"
                    + " Job")
            .toString();
    LOG.log(Level.DEBUG, why, problem);
    refused = why;
    for (var rank = 0; rank < nodes.count(); rank++) {
      nodeEnded(rank, 1, why, "");
    }
  }

  private static String message(Throwable problem) {
    return problem.getMessage() == null ? problem.toString() : problem.getMessage();
  }

  // While it runs

  private void watch(Created job) {
    for (var rank = 0; rank < nodes.count(); rank++) {
      job.watch().watch(Integer.toString(rank)).thenAccept(ends::add);
    }
    background("ends", this::passOnEnds);
  }

  /** Called after each poll; must not block. */
  private void changed(Collection<PodState> states) {
    var job = created;
    if (job == null) {
      return;
    }
    if (startMillis == 0 && states.stream().anyMatch(PodState::isRunning)) {
      startMillis = System.currentTimeMillis();
    }
    job.logs().follow(states);
    // Pods of nodes that were killed before these pods were there.
    states.stream()
        .filter(state -> !state.name().isEmpty() && state.end().isEmpty())
        .filter(state -> killed.contains(state.rank()))
        .forEach(state -> background("kill", () -> deletePod(state.rank())));
    if (!element.jvm().hasSharedFiles()) {
      states.stream()
          .filter(PodState::isRunning)
          .filter(state -> copied.add(state.rank()))
          .forEach(state -> background("copy", () -> copyTo(job, state)));
    }
  }

  /** Copies the program to a pod and starts its JVM. */
  private void copyTo(Created job, PodState state) {
    copies.acquireUninterruptibly();
    try {
      if (nodes.hasEnded(state.rank())) {
        return;
      }
      var pod = new PodMachine(job.kubectl(), state.name());
      var command = site.command(pod);
      var line =
          "exec "
              + ShellLine.of(command)
              + " "
              + ShellLine.of(JobManifest.arguments(Integer.toString(state.rank())))
              + "\n";
      pod.put(line.getBytes(StandardCharsets.UTF_8), JobManifest.START);
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.DEBUG, "the program cannot be copied to a pod", e);
      job.watch()
          .ask()
          .orTimeout(POLL_SECONDS, TimeUnit.SECONDS)
          .handle((answer, failure) -> job.states().latest(state.rank()))
          .thenAccept(latest -> copyFailed(latest, state.rank(), e))
          .join();
    } finally {
      copies.release();
    }
  }

  /** Ends the node, unless its pod is ending, which is the better reason. */
  private void copyFailed(Optional<PodState> latest, int rank, Exception problem) {
    if (!latest.map(PodState::isRunning).orElse(true)) {
      return;
    }
    nodeEnded(
        rank,
        1,
        new SourceProblem(
                element.place(),
                "the program cannot be copied to a pod of '%s': %s"
                    .formatted(element.id(), message(problem)),
                "take an image with a shell and tar, and permit 'pods/exec'; or mount the program's"
                    + " files and set sharedFiles in the jvm")
            .toString(),
        "");
    deletePod(rank);
  }

  private void printed(int rank, byte[] line) {
    node(rank).print(false, line);
  }

  /** Passes on the ends of nodes, those that come together at once. */
  private void passOnEnds() {
    try {
      while (true) {
        var first = ends.poll(1, TimeUnit.SECONDS);
        if (first == null) {
          if (finished.isDone()) {
            return;
          }
          continue;
        }
        var all = new ArrayList<>(List.of(first));
        ends.drainTo(all);
        var open = all.stream().filter(end -> !nodes.hasEnded(rank(end))).toList();
        var job = created();
        job.logs()
            .finish(open.stream().flatMap(end -> job.states().latest(rank(end)).stream()).toList());
        open.forEach(this::podEnded);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // no code interrupts this thread
    }
  }

  private static int rank(JobEnd end) {
    return Integer.parseInt(end.jobId());
  }

  private void podEnded(JobEnd end) {
    var code =
        end.exitCode()
            .orElseGet(
                () ->
                    end.signal()
                        .filter(signal -> signal.matches("\\d{1,2}"))
                        .map(signal -> SIGNALLED + Integer.parseInt(signal))
                        .orElse(1));
    if (code != 0) {
      hasFailed = true;
    }
    nodeEnded(rank(end), code, end.text().isEmpty() ? "" : account(end), end.text());
  }

  /** Describes the end of a pod for which the cluster gives a reason. */
  private String account(JobEnd end) {
    var how =
        end.exitCode().isPresent()
            ? "its process ended with exit code " + end.exitCode().getAsInt()
            : end.signal()
                .map(signal -> "its process was ended by signal " + signal)
                .orElse("it ended");
    return how + " in " + pod(rank(end)) + " of " + cluster() + ": " + end.text();
  }

  private String pod(int rank) {
    var job = created;
    return job == null
        ? "a pod"
        : job.states()
            .latest(rank)
            .map(PodState::name)
            .filter(pod -> !pod.isEmpty())
            .map(pod -> "pod '" + pod + "'")
            .orElse("Job '" + name + "'");
  }

  /** Returns how far the Job has come. */
  public JobProgress status() {
    var job = created;
    if (job == null || !refused.isEmpty()) {
      var state = !refused.isEmpty() ? "failed" : nodes.isSubmitting() ? "submitting" : "planned";
      return new JobProgress(job == null ? "" : name, state, refused, 0, 0, 0, List.of());
    }
    var state =
        endMillis != 0 ? hasFailed ? "failed" : "ended" : startMillis != 0 ? "running" : "queued";
    var outage = job.watch().outage();
    return new JobProgress(
        name,
        state,
        reason(job) + (outage.isEmpty() ? "" : " (" + outage + ")"),
        submitMillis,
        startMillis,
        endMillis,
        List.of());
  }

  /** Returns the state of the first pod that waits; if none does, that of the first one. */
  private String reason(Created job) {
    var states =
        IntStream.range(0, nodes.count())
            .mapToObj(job.states()::latest)
            .flatMap(Optional::stream)
            .toList();
    var waiting = states.stream().filter(state -> state.report().isWaiting()).toList();
    return waiting.isEmpty()
        ? states.stream().findFirst().map(state -> state.report().text()).orElse("")
        : "%d of %d pods wait: %s"
            .formatted(waiting.size(), nodes.count(), waiting.getFirst().report().text());
  }

  /** Returns the number of pods whose containers have begun to run. */
  public int begun() {
    var job = created;
    return job == null
        ? 0
        : (int)
            IntStream.range(0, nodes.count())
                .mapToObj(job.states()::latest)
                .flatMap(Optional::stream)
                .filter(state -> state.hasStarted() || state.end().isPresent())
                .count();
  }

  @Override
  public void checkEnd() {
    var job = created;
    if (job != null) {
      job.watch().ask();
    }
  }

  @Override
  public String progress(int rank) {
    var seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    var job = created;
    if (job == null) {
      return "being submitted to " + cluster();
    }
    var report = job.watch().report(Integer.toString(rank));
    var outage = job.watch().outage();
    return (isWaiting(job, rank)
            ? "queued for " + seconds + " s, "
            : "has not joined for " + seconds + " s, ")
        + pod(rank)
        + " of "
        + cluster()
        + report.map(each -> ": " + each.text()).orElse("")
        + (outage.isEmpty() ? "" : " (" + outage + ")");
  }

  /** Returns whether the pod of a node has not begun, as far as is known. */
  private static boolean isWaiting(Created job, int rank) {
    return job.watch().report(Integer.toString(rank)).map(each -> each.isWaiting()).orElse(true);
  }

  // The end

  @Override
  public void inputEnded(int rank) {
    if (!nodes.isLastNeeded(rank)) {
      return;
    }
    var job = created;
    for (var each = 0; each < nodes.count(); each++) {
      if (job == null || isWaiting(job, each)) {
        nodeEnded(each, 0, "the grid was closed before its pod began", "");
      }
    }
    checkEnd();
  }

  @Override
  public void kill(int rank, int code) {
    if (nodes.hasEnded(rank)) {
      return;
    }
    nodeEnded(rank, code, "it was killed by the launcher", "");
    killed.add(rank);
    background("kill", () -> deletePod(rank));
  }

  private void deletePod(int rank) {
    var job = created;
    var pod = job == null ? Optional.<PodState>empty() : job.states().latest(rank);
    if (job == null || pod.isEmpty() || pod.get().name().isEmpty()) {
      return;
    }
    try {
      job.kubectl()
          .run(
              "delete",
              "pod/" + pod.get().name(),
              "--ignore-not-found",
              "--grace-period=1",
              "--wait=false");
      killed.remove(rank);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a pod cannot be deleted; it ends with its Job", e);
    }
  }

  private void nodeEnded(int rank, int code, String why, String account) {
    if (nodes.end(rank, code, why, account)) {
      endMillis = System.currentTimeMillis();
      background("finish", this::finish);
    }
  }

  /** Deletes the Job, its pods and its Secret. */
  private void finish() {
    try {
      if (nodes.isSubmitting()) { // the flag no longer changes
        submitted.join();
      }
      var job = created;
      if (job != null) {
        job.logs().close();
        RecordedPods.delete(job.kubectl(), name, DELETION_SECONDS);
        job.watch().close();
      }
      var failure = undeleted;
      if (failure != null) {
        throw failure;
      }
      site.run().gone(name);
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, leftovers() + ": " + message(e) + "; 'troupe clean' tries again");
    } finally {
      finished.complete(null);
    }
  }

  /**
   * Starts a daemon platform thread, since the pipes of a command's process would pin a carrier
   * thread.
   */
  private void background(String what, Runnable work) {
    Thread.ofPlatform().daemon().name("troupe-" + what + "-" + element.id()).start(work);
  }
}
