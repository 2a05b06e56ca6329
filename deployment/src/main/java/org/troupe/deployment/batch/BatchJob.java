package org.troupe.deployment.batch;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.process.JobNodes;
import org.troupe.deployment.process.JobProcess;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.deployment.process.ShellLine;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.BatchJvms.Scheduler.Drmaa;
import org.troupe.descriptors.SourceProblem;

/** The batch job that runs all nodes of an element. */
public final class BatchJob implements JobProcess.Job, DeployedJob {

  /*
   * Life: the job collects the nodes' settings. When all are there, it makes the run folder on the site's shared file
   * system and submits itself; then it follows the nodes' output and watches the state at the batch system. When every
   * node has ended or is no longer needed, it cancels the job, if need be, and removes the folder.
   *
   * The exit code of a node is read from a file, which appears at once if the node's machine could still write it. If
   * the code names a signal, or there is no file, the batch system knows more and is asked first.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  private static final int SIGNALLED = 128;
  private static final int SIGTERM = 15;
  private static final int LAST_LINES = 5;
  private static final Duration SHORT_COMMAND = Duration.ofSeconds(30);

  /** How long a shared file system may take to show the end of a node. */
  private static final Duration FILES = Duration.ofSeconds(3);

  /** How long a batch system may take to notice that a job's processes have ended. */
  private static final Duration ENDING = Duration.ofSeconds(10);

  /** How long a cancelled job may take to end; between its two signals PBS alone waits for 10 s. */
  private static final Duration CANCELLING = Duration.ofSeconds(20);

  private static final String MAKE_FOLDER =
      """
      umask 077
      cd && mkdir -p "$1" && cd "$1" && pwd -P || exit
      rank=0
      : >job.out; : >job.err
      while [ "$rank" -lt "$2" ]; do
        : >"$rank.out"; : >"$rank.err"; : >"$rank.end"
        rank=$((rank + 1))
      done
      """;

  private final BatchJvms element;
  private final Site site;
  private final String folderName;
  private final long start = System.nanoTime();
  private final JobNodes nodes;
  private final CompletableFuture<Void> submitted =
      new CompletableFuture<>(); // or failed to be submitted
  private final CompletableFuture<Void> finished = new CompletableFuture<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<String> scriptOutput = new ArrayDeque<>(); // guarded by the lock
  // Set once each, during the submission; null before.
  private volatile @Nullable OutputFollower follower;
  private volatile @Nullable RunFolder folder;
  private volatile @Nullable SubmittedJob job;
  private volatile String refused = ""; // why there is no job; empty if there may be one
  private volatile long submitMillis;
  private volatile long startMillis; // as first seen
  private volatile long endMillis;
  private volatile boolean isCancelled; // by this launcher

  /** The folder of the job, on the machine with the batch system's commands. */
  private record RunFolder(Machine machine, JobWatch<BatchSystem> watch, String path) {}

  /** The job at the batch system. */
  private record SubmittedJob(
      String id, JobWatch<BatchSystem> watch, CompletableFuture<JobEnd> end) {

    /** Returns whether the job has not begun, as far as is known. */
    boolean isWaiting() {
      return watch.report(id).map(JobReport::isWaiting).orElse(true);
    }

    String endText() {
      return end.isDone() ? end.join().text() : "";
    }
  }

  /** The site's services for a job. */
  public interface Site {

    /** Returns the journal of the run. */
    RunJournal run();

    /** Returns the machine that has the batch system's commands. */
    Machine machine() throws IOException;

    /** Returns the batch system. */
    JobWatch<BatchSystem> watch(Machine machine) throws IOException;

    /** Returns the command that starts a node's JVM, after copying the program to the machine. */
    List<String> command(Machine machine) throws IOException;

    /**
     * Returns the settings of all nodes with the routes from the site to this program added; starts
     * a forwarder if need be.
     */
    List<byte[]> withRoutes(List<byte[]> settings) throws IOException;
  }

  /**
   * @param folderName the name of the job's folder, among those of all runs
   */
  public BatchJob(BatchJvms element, String folderName, Site site) {
    this.element = element;
    this.folderName = folderName;
    this.site = site;
    nodes = new JobNodes(this, element.nodes() * element.jvmsPerNode());
  }

  /** Returns the element that asked for it, with the number of its nodes. */
  public BatchJvms element() {
    return element;
  }

  public JobProcess node(int rank) {
    return nodes.get(rank);
  }

  /** Returns the name of the job's folder, among those of all runs. */
  String folderName() {
    return folderName;
  }

  @Override
  public CompletableFuture<Void> finished() {
    return finished;
  }

  @Override
  public String leftovers() {
    var submittedJob = job;
    return "job %s of %s and the folder ~/%s%s there may remain"
        .formatted(
            submittedJob == null ? "(id unknown)" : submittedJob.id(),
            BatchSystems.name(element),
            RunJournal.RUNS,
            folderName);
  }

  // Before the job

  @Override
  public void setSettings(int rank, byte[] nodeSettings) {
    if (nodes.takeSettings(rank, nodeSettings)) {
      background("submit", this::submit);
    }
  }

  private void submit() {
    try {
      var machine = site.machine();
      var watch = site.watch(machine);
      var command = site.command(machine);
      if (watch.system().belongsToRuns()) {
        site.run().job(element, RunJournal.RUNS + folderName);
      }
      var path = makeFolder(machine);
      folder = new RunFolder(machine, watch, path);
      machine.put(
          JobNodes.settingsFile(site.withRoutes(nodes.settings())),
          path + "/" + JobScript.SETTINGS);
      machine.put(
          JobScript.of(element, path, command).getBytes(StandardCharsets.UTF_8), path + "/job");
      follower = new OutputFollower(machine, path, this::printed);
      var id = watch.system().submit(template(element, path, watch.system()));
      var end = watch.watch(id);
      submitMillis = System.currentTimeMillis();
      job = new SubmittedJob(id, watch, end);
      if (watch.system().belongsToRuns()) {
        site.run().submitted(RunJournal.RUNS + folderName, id);
        machine.put(
            (id + "\n").getBytes(StandardCharsets.UTF_8), path + "/id"); // for the clean-up tools
      }
      end.thenAcceptAsync(this::jobEnded, task -> background("job", task));
    } catch (IOException | BatchException | RuntimeException e) {
      submissionFailed(e);
    } finally {
      submitted.complete(null);
    }
  }

  private String makeFolder(Machine machine) throws IOException {
    var answer =
        commands(machine)
            .run(
                List.of(
                    "/bin/sh",
                    "-c",
                    MAKE_FOLDER,
                    "sh",
                    RunJournal.RUNS + folderName,
                    Integer.toString(nodes.count())));
    if (answer.exitCode() != 0) {
      throw new IOException(
          "the folder ~/%s cannot be made on %s: %s"
              .formatted(
                  RunJournal.RUNS + folderName, machine.name(), answer.errorOutput().strip()));
    }
    return answer.output().strip();
  }

  private static MachineCommands commands(Machine machine) {
    return new MachineCommands(machine, SHORT_COMMAND);
  }

  static JobTemplate template(BatchJvms element, String folder, BatchSystem system) {
    var script = folder + "/job";
    return new JobTemplate(
        "troupe-" + element.id(),
        folder,
        BatchOptions.of(element),
        system instanceof CommandSession
            ? List.of(script)
            : List.of("/bin/sh", script), // a DRMAA library runs programs, not scripts
        element.scheduler() instanceof Drmaa ? element.wallTime() : Optional.empty());
  }

  private void submissionFailed(Exception problem) {
    var why =
        new SourceProblem(
                element.place(),
                "'%s' got no job from %s: %s"
                    .formatted(element.id(), BatchSystems.name(element), message(problem)),
                remedy(problem))
            .toString();
    refused = why;
    LOG.log(Level.DEBUG, why, problem);
    for (var rank = 0; rank < nodes.count(); rank++) {
      nodeEnded(rank, 1, why);
    }
  }

  private static String message(Exception problem) {
    return problem.getMessage() == null ? problem.toString() : problem.getMessage();
  }

  private SubmittedJob submittedJob() {
    return Objects.requireNonNull(job, "the job has not been submitted");
  }

  private String remedy(Exception problem) {
    var made = folder;
    if (!(problem instanceof BatchException) || made == null) {
      return "see 'doctor' for missing prerequisites";
    }
    var system = made.watch().system();
    return "correct the element; the command was: "
        + ShellLine.of(system.submission(template(element, made.path(), system)));
  }

  // While it runs

  /** Describes the progress of the job, which is that of all its nodes. */
  @Override
  public String progress(int rank) {
    var seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    var submittedJob = job;
    if (submittedJob == null) {
      return "being submitted to " + BatchSystems.name(element);
    }
    var report = submittedJob.watch().report(submittedJob.id());
    var outage = submittedJob.watch().outage();
    return (report.map(JobReport::isWaiting).orElse(true)
            ? "queued for " + seconds + " s, "
            : "has not joined for " + seconds + " s, ")
        + "job "
        + submittedJob.id()
        + " of "
        + BatchSystems.name(element)
        + report.map(each -> ": " + each.text()).orElse("")
        + (outage.isEmpty() ? "" : " (" + outage + ")");
  }

  /** Returns how far the job has come. */
  public JobProgress status() {
    var submittedJob = job;
    if (submittedJob == null) {
      var state = !refused.isEmpty() ? "failed" : nodes.isSubmitting() ? "submitting" : "planned";
      return new JobProgress("", state, refused, 0, 0, 0, lastOutput());
    }
    var report = submittedJob.watch().report(submittedJob.id());
    var seen = submittedJob.watch().startMillis(submittedJob.id());
    if (seen != 0) {
      startMillis = seen;
    }
    var outage = submittedJob.watch().outage();
    var hasEnded = submittedJob.end().isDone();
    if (hasEnded && endMillis == 0) { // just now
      endMillis = System.currentTimeMillis();
    }
    var state =
        hasEnded
            ? submittedJob.end().join().hasFailed() && !isCancelled ? "failed" : "ended"
            : report.map(JobReport::word).orElse("queued");
    var reason = hasEnded ? submittedJob.endText() : report.map(JobReport::text).orElse("");
    return new JobProgress(
        submittedJob.id(),
        state,
        outage.isEmpty() ? reason : reason + " (" + outage + ")",
        submitMillis,
        startMillis,
        endMillis,
        lastOutput());
  }

  private List<String> lastOutput() {
    lock.lock();
    try {
      return List.copyOf(scriptOutput);
    } finally {
      lock.unlock();
    }
  }

  private void printed(String file, byte[] bytes) {
    var name = file.split("\\.");
    if (name.length != 2) {
      return;
    }
    if (name[0].equals("job")) {
      keepScriptOutput(new String(bytes, StandardCharsets.UTF_8));
      return;
    }
    var rank = Integer.parseInt(name[0]);
    switch (name[1]) {
      case "out" -> node(rank).print(false, bytes);
      case "err" -> node(rank).print(true, bytes);
      case "end" -> exited(rank, new String(bytes, StandardCharsets.UTF_8).strip());
      default -> {
        // The pattern of the files permits no other.
      }
    }
  }

  /** Keeps the last lines of the script's own output, which are error messages. */
  private void keepScriptOutput(String text) {
    lock.lock();
    try {
      text.lines().filter(line -> !line.isBlank()).forEach(scriptOutput::add);
      while (scriptOutput.size() > LAST_LINES) {
        scriptOutput.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void checkEnd() {
    var submittedJob = job;
    if (submittedJob != null) {
      submittedJob.watch().ask();
    }
  }

  private void exited(int rank, String code) {
    if (!code.matches("\\d{1,3}")) {
      return; // an empty file; lines this short are written at once
    }
    var status = Integer.parseInt(code);
    if (status <= SIGNALLED) {
      background("exit", () -> nodeEnded(rank, status, ""));
      return;
    }
    background(
        "exit",
        () -> {
          var ending = submittedJob();
          await(ending.watch().ask(), ENDING);
          var isRunning =
              ending
                  .watch()
                  .report(ending.id())
                  .filter(each -> each.state() == JobState.RUNNING)
                  .isPresent();
          await(ending.end(), patience(status, isRunning, ending.watch().system().killDelay()));
          nodeEnded(rank, status, ending.end().isDone() ? account(Optional.of(status)) : "");
        });
  }

  /**
   * Returns how long to wait for the end of the job after a node has ended. The launcher sends no
   * signal to a node, so the batch system, or a user's command to it, may have ended the job of one
   * that got SIGTERM.
   */
  static Duration patience(int status, boolean isRunning, Duration killDelay) {
    if (status == SIGNALLED + SIGTERM && killDelay.isPositive()) {
      return killDelay.plus(ENDING);
    }
    return isRunning ? FILES : ENDING;
  }

  /** Describes the end of the job, with the last output of its script. */
  private String account(Optional<Integer> code) {
    var ended = submittedJob();
    var text =
        new StringBuilder(
                code.map(each -> "its process ended with exit code " + each).orElse("it ended"))
            .append(" with job ")
            .append(ended.id())
            .append(" of ")
            .append(BatchSystems.name(element))
            .append(": ")
            .append(ended.endText());
    lock.lock();
    try {
      if (!scriptOutput.isEmpty()) {
        text.append("; the job's output: ").append(String.join("; ", scriptOutput));
      }
    } finally {
      lock.unlock();
    }
    return text.toString();
  }

  private void jobEnded(JobEnd end) {
    if (endMillis == 0) {
      endMillis = System.currentTimeMillis();
    }
    var exits = nodes.all().stream().map(Process::onExit).toArray(CompletableFuture[]::new);
    await(CompletableFuture.allOf(exits), FILES);
    for (var rank = 0; rank < nodes.count(); rank++) {
      nodeEnded(rank, end.exitCode().orElse(1), account(Optional.empty()));
    }
  }

  // The end

  @Override
  public void inputEnded(int rank) {
    if (!nodes.isLastNeeded(rank)) {
      return;
    }
    var submittedJob = job;
    if (submittedJob == null || submittedJob.isWaiting()) {
      for (var each = 0; each < nodes.count(); each++) {
        nodeEnded(each, 0, "the grid was closed before its job began");
      }
    }
  }

  @Override
  public void kill(int rank, int code) {
    nodeEnded(rank, code, "it was killed by the launcher");
  }

  private void nodeEnded(int rank, int code, String why) {
    var submittedJob = job;
    var account = submittedJob == null ? "" : submittedJob.endText();
    if (nodes.end(rank, code, why, account)) {
      background("finish", this::finish);
    }
  }

  /** Ends the job and removes its folder. */
  private void finish() {
    try {
      if (nodes.isSubmitting()) { // the flag no longer changes
        submitted.join();
      }
      var submittedJob = job;
      var isGone =
          submittedJob == null || submittedJob.end().isDone() || awaitEndOfJob(submittedJob);
      var following = follower;
      if (following != null) {
        following.close();
      }
      var made = folder;
      if (made != null) {
        // If the job begins nevertheless, it ends at once without its settings.
        var removed = isGone ? made.path() : made.path() + "/" + JobScript.SETTINGS;
        isGone &= commands(made.machine()).run(List.of("rm", "-rf", removed)).exitCode() == 0;
      }
      if (isGone) {
        site.run().gone(RunJournal.RUNS + folderName);
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, leftovers() + ": " + message(e));
    } finally {
      finished.complete(null);
    }
  }

  private boolean awaitEndOfJob(SubmittedJob submittedJob) {
    await(submittedJob.watch().ask(), ENDING); // its nodes may have ended before it was seen to run
    return !submittedJob.isWaiting() && await(submittedJob.end(), ENDING) || cancel(submittedJob);
  }

  /** Cancels the job; a refusal of a batch system is no failure if the job has ended meanwhile. */
  private boolean cancel(SubmittedJob submittedJob) {
    var refusal = "";
    isCancelled = true;
    try {
      submittedJob.watch().system().terminate(submittedJob.id());
    } catch (BatchException | RuntimeException e) {
      refusal = ": it could not be cancelled: " + message(e);
    }
    submittedJob.watch().ask();
    if (await(submittedJob.end(), CANCELLING)) {
      return true;
    }
    LOG.log(Level.WARNING, leftovers() + refusal + "; 'troupe clean' tries again");
    return false;
  }

  private static boolean await(CompletableFuture<?> event, Duration longest) {
    try {
      event.get(longest.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new AssertionError(e); // these futures never fail
    }
  }

  /**
   * Starts a daemon platform thread, since a command finished a process's pipes would pin a carrier
   * thread.
   */
  private void background(String what, Runnable work) {
    Thread.ofPlatform().daemon().name("troupe-" + what + "-" + element.id()).start(work);
  }
}
