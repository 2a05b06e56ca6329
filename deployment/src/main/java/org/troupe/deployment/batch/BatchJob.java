package org.troupe.deployment.batch;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.ggf.drmaa.DrmaaException;
import org.ggf.drmaa.JobTemplate;
import org.ggf.drmaa.Session;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.deployment.process.ShellLine;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.BatchJvms.Scheduler.Drmaa;
import org.troupe.descriptors.SourceProblem;

/** The nodes of one element, and the job that runs them. */
public final class BatchJob {

  /*
   * Life: the nodes' settings are collected; when all are there the run folder is made on the site's shared file system
   * and the job submitted; its output is followed, and the batch system asked about it; at last, when no node is left
   * or wanted, the job is ended if need be and the folder removed.
   *
   * How a node ended is known from its file, within a moment, where its machine could still write one. Where that names
   * a signal, or there is none, the batch system knows more, so it is asked first.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  private static final int SIGNALLED = 128;
  private static final int LAST_LINES = 5;
  private static final Duration SHORT_COMMAND = Duration.ofSeconds(30);

  /** How long news of an end may take on its way through a shared file system. */
  private static final Duration FILES = Duration.ofSeconds(3);

  /** How long a batch system may take to notice that a job's processes have ended. */
  private static final Duration ENDING = Duration.ofSeconds(10);

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
  private final String run;
  private final long start = System.nanoTime();
  private final List<BatchProcess> nodes;
  private final CompletableFuture<Void> submitted = new CompletableFuture<>(); // or refused
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  private final ReentrantLock lock = new ReentrantLock();
  // All under the lock.
  private final byte[][] settings;
  private final boolean[] unwanted;
  private final boolean[] hasEnded;
  private final ArrayDeque<String> scriptsWords = new ArrayDeque<>();
  private boolean isSubmitting;
  private boolean isFinishing;
  // Set once, on the way to the job.
  private volatile Machine machine;
  private volatile JobWatch watch;
  private volatile String folder; // absolute
  private volatile OutputFollower follower;
  private volatile String jobId;
  private volatile CompletableFuture<JobEnd> jobEnd;

  /** What a bundle needs of its surroundings. */
  public interface Site {

    /** Returns the record of the run. */
    RunJournal run();

    /** Returns the machine that has the batch system's commands. */
    Machine machine() throws IOException;

    /** Returns the batch system. */
    JobWatch watch(Machine machine) throws IOException;

    /** Returns the command that starts a node's JVM, after putting there what that needs. */
    List<String> command(Machine machine) throws IOException;

    /**
     * Returns the settings of all nodes with the ways to this program that there are from the site;
     * makes one if need be.
     */
    List<byte[]> fitted(List<byte[]> settings) throws IOException;
  }

  /**
   * @param run the name of its folder, among those of all runs
   */
  public BatchJob(BatchJvms element, String run, Site site) {
    this.element = element;
    this.run = run;
    this.site = site;
    var count = element.nodes() * element.jvmsPerNode();
    nodes = IntStream.range(0, count).mapToObj(rank -> new BatchProcess(this, rank)).toList();
    settings = new byte[count][];
    unwanted = new boolean[count];
    hasEnded = new boolean[count];
  }

  public BatchProcess node(int rank) {
    return nodes.get(rank);
  }

  /** Returns the name of its folder, among those of other runs. */
  String run() {
    return run;
  }

  /** Completes when nothing of the job is left. */
  CompletableFuture<Void> over() {
    return over;
  }

  /** Says what may be left. */
  String remains() {
    return "job %s of %s and the folder ~/%s%s there may be left"
        .formatted(
            jobId == null ? "without a number" : jobId,
            BatchSystems.name(element),
            RunJournal.RUNS,
            run);
  }

  // Before the job

  void told(int rank, byte[] itsSettings) {
    lock.lock();
    try {
      settings[rank] = itsSettings;
      if (isSubmitting || isFinishing || !allTold()) {
        return;
      }
      isSubmitting = true;
    } finally {
      lock.unlock();
    }
    background("submit", this::submit);
  }

  private boolean allTold() {
    for (var each : settings) {
      if (each == null) {
        return false;
      }
    }
    return true;
  }

  private void submit() {
    try {
      machine = site.machine();
      watch = site.watch(machine);
      var command = site.command(machine);
      site.run().job(element, RunJournal.RUNS + run);
      folder = makeFolder();
      machine.put(settingsFile(site.fitted(List.of(settings))), folder + "/" + JobScript.SETTINGS);
      machine.put(
          JobScript.of(element, folder, command).getBytes(StandardCharsets.UTF_8), folder + "/job");
      follower = new OutputFollower(machine, folder, this::printed);
      var id = watch.system().runJob(template(element, folder, watch.system()));
      jobEnd = watch.watch(id);
      jobId = id;
      site.run().submitted(RunJournal.RUNS + run, id);
      machine.put(
          (id + "\n").getBytes(StandardCharsets.UTF_8),
          folder + "/id"); // for the tools that clean up
      jobEnd.thenAcceptAsync(this::jobEnded, task -> background("job", task));
    } catch (IOException | DrmaaException | RuntimeException e) {
      refused(e);
    } finally {
      submitted.complete(null);
    }
  }

  private String makeFolder() throws IOException {
    var answer =
        commands()
            .run(
                List.of(
                    "/bin/sh",
                    "-c",
                    MAKE_FOLDER,
                    "sh",
                    RunJournal.RUNS + run,
                    Integer.toString(nodes.size())));
    if (answer.exitCode() != 0) {
      throw new IOException(
          "the folder ~/%s cannot be made on %s: %s"
              .formatted(RunJournal.RUNS + run, machine.name(), answer.complaint().strip()));
    }
    return answer.output().strip();
  }

  private MachineCommands commands() {
    return new MachineCommands(machine, SHORT_COMMAND);
  }

  private static byte[] settingsFile(List<byte[]> settings) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeInt(settings.size());
    for (var each : settings) {
      out.writeInt(each.length);
      out.write(each);
    }
    return bytes.toByteArray();
  }

  static JobTemplate template(BatchJvms element, String folder, BatchSystem system)
      throws DrmaaException {
    var job = system.createJobTemplate();
    job.setJobName("troupe-" + element.id());
    job.setWorkingDirectory(folder);
    job.setOutputPath(":" + folder + "/job.out");
    job.setErrorPath(":" + folder + "/job.err");
    var options = BatchOptions.of(element);
    if (!options.isEmpty()) {
      job.setNativeSpecification(ShellLine.of(options));
    }
    if (isCommand(system)) {
      job.setRemoteCommand(folder + "/job");
    } else { // which runs programs, not scripts
      job.setRemoteCommand("/bin/sh");
      job.setArgs(List.of(folder + "/job"));
    }
    if (element.scheduler() instanceof Drmaa && element.wallTime().isPresent()) {
      job.setHardWallclockTimeLimit(element.wallTime().get().toSeconds());
    }
    return job;
  }

  private static boolean isCommand(BatchSystem system) {
    return system instanceof CommandSession;
  }

  private void refused(Exception problem) {
    var why =
        new SourceProblem(
                element.place(),
                "'%s' got no job from %s: %s"
                    .formatted(element.id(), BatchSystems.name(element), message(problem)),
                remedy(problem))
            .toString();
    LOG.log(Level.DEBUG, why, problem);
    for (var rank = 0; rank < nodes.size(); rank++) {
      nodeEnded(rank, 1, why);
    }
  }

  private static String message(Exception problem) {
    return problem.getMessage() == null ? problem.toString() : problem.getMessage();
  }

  private String remedy(Exception problem) {
    if (!(problem instanceof DrmaaException) || watch == null || folder == null) {
      return "see 'doctor' for what is missing there";
    }
    try {
      return "correct the element; the command was: "
          + ShellLine.of(watch.system().submission(template(element, folder, watch.system())));
    } catch (DrmaaException e) {
      return "correct the element"; // the same problem again
    }
  }

  // While it runs

  /** Returns how far the job is, for a node that has not ended. */
  String progress() {
    var seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    var id = jobId;
    if (id == null) {
      return "being submitted to " + BatchSystems.name(element);
    }
    var report = watch.report(id);
    var silence = watch.silence();
    return (report.map(JobReport::isWaiting).orElse(true)
            ? "queued for " + seconds + " s, "
            : "not called home for " + seconds + " s, ")
        + "job "
        + id
        + " of "
        + BatchSystems.name(element)
        + report.map(each -> ": " + each.text()).orElse("")
        + (silence.isEmpty() ? "" : " (" + silence + ")");
  }

  private void printed(String file, byte[] bytes) {
    var name = file.split("\\.");
    if (name.length != 2) {
      return;
    }
    if (name[0].equals("job")) {
      remember(new String(bytes, StandardCharsets.UTF_8));
      return;
    }
    var rank = Integer.parseInt(name[0]);
    switch (name[1]) {
      case "out" -> node(rank).print(false, bytes);
      case "err" -> node(rank).print(true, bytes);
      case "end" -> exited(rank, new String(bytes, StandardCharsets.UTF_8).strip());
      default -> {
        // The glob lets no others through.
      }
    }
  }

  /** The script itself prints only what goes wrong. */
  private void remember(String text) {
    lock.lock();
    try {
      text.lines().filter(line -> !line.isBlank()).forEach(scriptsWords::add);
      while (scriptsWords.size() > LAST_LINES) {
        scriptsWords.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Somebody wants to know how a node has ended. */
  void checkEnd() {
    if (jobId != null) {
      watch.ask();
    }
  }

  private void exited(int rank, String code) {
    if (!code.matches("\\d{1,3}")) {
      return; // the rest of the line is to come; one of so few bytes is never cut
    }
    var status = Integer.parseInt(code);
    if (status <= SIGNALLED) {
      background("exit", () -> nodeEnded(rank, status, ""));
      return;
    }
    background(
        "exit",
        () -> {
          await(watch.ask(), ENDING);
          var isRunning =
              watch.report(jobId).filter(each -> each.status() == Session.RUNNING).isPresent();
          await(jobEnd, isRunning ? FILES : ENDING);
          nodeEnded(rank, status, jobEnd.isDone() ? account(Optional.of(status)) : "");
        });
  }

  /** Says how the job ended, and what its script said of it. */
  private String account(Optional<Integer> code) {
    var end = jobEnd.join();
    var text =
        new StringBuilder(
                code.map(each -> "its process ended with exit code " + each).orElse("it ended"))
            .append(" with job ")
            .append(jobId)
            .append(" of ")
            .append(BatchSystems.name(element))
            .append(": ")
            .append(end.text());
    lock.lock();
    try {
      if (!scriptsWords.isEmpty()) {
        text.append("; the job said: ").append(String.join("; ", scriptsWords));
      }
    } finally {
      lock.unlock();
    }
    return text.toString();
  }

  private void jobEnded(JobEnd end) {
    var exits = nodes.stream().map(Process::onExit).toArray(CompletableFuture[]::new);
    await(CompletableFuture.allOf(exits), FILES);
    for (var rank = 0; rank < nodes.size(); rank++) {
      nodeEnded(rank, end.exitCode().orElse(1), account(Optional.empty()));
    }
  }

  // The end

  /** Its input has ended: the coordinator, or nobody, wants it. */
  void endWanted(int rank) {
    lock.lock();
    try {
      unwanted[rank] = true;
      if (!noneWanted()) {
        return;
      }
    } finally {
      lock.unlock();
    }
    if (jobId == null || watch.report(jobId).map(JobReport::isWaiting).orElse(true)) {
      for (var each = 0; each < nodes.size(); each++) {
        nodeEnded(each, 0, "it was no longer wanted before its job began");
      }
    }
  }

  private boolean noneWanted() {
    for (var rank = 0; rank < unwanted.length; rank++) {
      if (!unwanted[rank] && !hasEnded[rank]) {
        return false;
      }
    }
    return true;
  }

  void givenUp(int rank, int code) {
    nodeEnded(rank, code, "it was given up");
  }

  private void nodeEnded(int rank, int code, String why) {
    boolean isLast;
    lock.lock();
    try {
      if (hasEnded[rank]) {
        return;
      }
      hasEnded[rank] = true;
      unwanted[rank] = true;
      isLast = !isFinishing && IntStream.range(0, hasEnded.length).allMatch(each -> hasEnded[each]);
      isFinishing |= isLast;
    } finally {
      lock.unlock();
    }
    node(rank).ended(code, why, jobEnd != null && jobEnd.isDone() ? jobEnd.join().text() : "");
    if (isLast) {
      background("finish", this::finish);
    }
  }

  /** Leaves nothing behind. */
  private void finish() {
    try {
      if (isSubmitting) { // the flag no longer changes
        submitted.join();
      }
      var isGone = jobId == null || jobEnd.isDone() || awaitEndOfJob();
      if (follower != null) {
        follower.close();
      }
      if (folder != null) {
        // Without its settings a job that begins all the same ends at once.
        var removed = isGone ? folder : folder + "/" + JobScript.SETTINGS;
        isGone &= commands().run(List.of("rm", "-rf", removed)).exitCode() == 0;
      }
      if (isGone) {
        site.run().gone(RunJournal.RUNS + run);
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, remains() + ": " + message(e));
    } finally {
      over.complete(null);
    }
  }

  private boolean awaitEndOfJob() {
    watch.ask();
    var isWaiting = watch.report(jobId).map(JobReport::isWaiting).orElse(true);
    return !isWaiting && await(jobEnd, ENDING) || cancel();
  }

  /** A job may end just before it is cancelled; then the batch system refuses. */
  private boolean cancel() {
    var refusal = "";
    try {
      watch.system().control(jobId, Session.TERMINATE);
    } catch (DrmaaException | RuntimeException e) {
      refusal = ": it could not be cancelled: " + message(e);
    }
    watch.ask();
    if (await(jobEnd, ENDING)) {
      return true;
    }
    LOG.log(Level.WARNING, remains() + refusal + "; 'troupe clean' tries again");
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
      throw new AssertionError(e); // none of ours fails
    }
  }

  /** Daemon platform threads: commands over a process's pipes would each keep a carrier. */
  private void background(String what, Runnable work) {
    Thread.ofPlatform().daemon().name("troupe-" + what + "-" + element.id()).start(work);
  }
}
