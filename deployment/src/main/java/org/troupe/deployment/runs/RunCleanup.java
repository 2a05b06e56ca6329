package org.troupe.deployment.runs;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.troupe.deployment.batch.BatchException;
import org.troupe.deployment.batch.BatchSystem;
import org.troupe.deployment.batch.BatchSystems;
import org.troupe.deployment.batch.JobReport;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.journal.RunRecord;
import org.troupe.deployment.journal.RunRecord.Job;
import org.troupe.deployment.journal.RunRecord.Pods;
import org.troupe.deployment.kubernetes.Kubectl;
import org.troupe.deployment.kubernetes.RecordedPods;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.deployment.runs.RunStatus.Thing;
import org.troupe.deployment.ssh.ConnectionFolder;
import org.troupe.deployment.ssh.SshConfig;
import org.troupe.descriptors.Login;

/** Finds and removes the leftovers of a run, on all its machines. */
final class RunCleanup implements Closeable {

  /*
   * A process belongs to the run if it is this user's and has the run's id on its command line; a folder, if it has
   * the run's id in its name; a job, if its id is in such a folder. Numbers alone prove nothing: process ids are
   * reused soon, and job ids after a batch system has been reinstalled. A connection of ssh is the run's if its socket has
   * the run's id in its name, as the name of a Job of Kubernetes has.
   *
   * On each machine the order is: the jobs, which use the folders, then the processes, then the folders.
   */
  private static final Duration LONGEST_COMMAND = Duration.ofSeconds(60);
  private static final Duration JOB_END = Duration.ofSeconds(45);
  private static final long PAUSE_MILLIS = 500;
  private static final int AT_ONCE = 16;

  /** Defines a shell function that lists the run's processes of this user. */
  private static final String OURS =
      """
      cd || exit
      mark="-D$1=$2"
      ours() {
        ps -ww -u "$(id -u)" -o pid= -o args= | while read -r pid args; do
          case " $args " in *" $mark "*) echo "$pid" ;; esac
        done
      }
      """;

  /** Prints each process, and each existing folder with the job that it belongs to. */
  private static final String LOOK =
      OURS
          + """
          for pid in $(ours); do echo "process $pid"; done
          shift 2
          for folder; do
            [ ! -d "$folder" ] || echo "folder $(cat "$folder/id" 2>/dev/null) $folder"
          done
          exit 0
          """;

  private static final String END =
      OURS
          + """
          pids=$(ours)
          for pid in $pids; do kill -TERM "$pid" 2>/dev/null; done
          left=50
          while [ -n "$(ours)" ] && [ "$left" -gt 0 ]; do sleep 0.1; left=$((left - 1)); done
          for pid in $(ours); do kill -KILL "$pid" 2>/dev/null; done
          left=50
          while [ -n "$(ours)" ] && [ "$left" -gt 0 ]; do sleep 0.1; left=$((left - 1)); done
          for pid in $pids; do
            case " $(ours | tr '\\n' ' ') " in
              *" $pid "*) echo "stays $pid" ;;
              *) echo "ended $pid" ;;
            esac
          done
          """;

  /**
   * Prints and removes unfinished files of killed launchers; a running one still writes to its
   * files.
   */
  private static final String UNFINISHED =
      """
      cd && [ -d .cache/troupe ] || exit 0
      find .cache/troupe -mindepth 2 -maxdepth 2 '(' -name '.part-*' -o -name 'part-*' ')' \\
        -mmin +60 -print -exec rm -rf '{}' +
      """;

  private final String run;
  private final RunRecord recorded;
  private final MachineRegistry machines;

  /** A place where leftovers may be. */
  private record Site(Optional<Login> login, List<Job> jobs, List<Pods> pods) {

    String name() {
      return login.map(Login::host).orElse("this machine");
    }

    List<String> folders() {
      return jobs.stream().map(Job::folder).toList();
    }
  }

  RunCleanup(String run, RunRecord recorded) {
    this.run = run;
    this.recorded = recorded;
    var config = recorded.launcher().sshConfig();
    machines =
        config.isEmpty() || System.getProperty(SshConfig.FILE) != null
            ? new MachineRegistry("")
            : configured(Path.of(config));
  }

  /**
   * Returns machines with the recorded ssh configuration; with the user's own if that file is gone.
   */
  private static MachineRegistry configured(Path config) {
    try {
      return new MachineRegistry("", SshConfig.read(config));
    } catch (IOException e) {
      return new MachineRegistry("");
    }
  }

  /** Lists the leftovers. */
  List<Thing> look() {
    return onAll(this::look);
  }

  /** Removes the leftovers, and lists the actions. */
  List<Thing> remove() {
    return onAll(this::remove);
  }

  private interface Visit {
    List<Thing> of(Site site, MachineCommands commands) throws IOException;
  }

  private List<Thing> onAll(Visit visit) {
    List<Future<List<Thing>>> answers = new ArrayList<>();
    try (var threads =
        Executors.newFixedThreadPool(
            AT_ONCE, Thread.ofPlatform().daemon().name("troupe-remains").factory())) {
      for (var site : sites()) {
        answers.add(threads.submit(visited(visit, site)));
      }
      var things = new ArrayList<Thing>();
      for (var answer : answers) {
        things.addAll(answer.get());
      }
      return things;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          e.getCause()); // a defect, since failures of machines are caught
    }
  }

  private Callable<List<Thing>> visited(Visit visit, Site site) {
    return () -> {
      try {
        return visit.of(site, new MachineCommands(machines.of(site.login()), LONGEST_COMMAND));
      } catch (IOException e) {
        return List.of(
            new Thing("machine", "", site.name(), "cannot be asked: " + e.getMessage(), true));
      }
    };
  }

  private List<Site> sites() {
    Map<Optional<Login>, List<Job>> jobs = new LinkedHashMap<>();
    if (recorded.launcher().isOfThisMachine()) {
      jobs.put(Optional.empty(), new ArrayList<>());
    }
    recorded.machines().forEach(login -> jobs.put(Optional.of(login), new ArrayList<>()));
    recorded
        .jobs()
        .forEach(job -> jobs.computeIfAbsent(job.via(), same -> new ArrayList<>()).add(job));
    recorded.pods().forEach(pods -> jobs.computeIfAbsent(pods.via(), same -> new ArrayList<>()));
    return jobs.entrySet().stream()
        .map(
            each ->
                new Site(
                    each.getKey(),
                    each.getValue(),
                    recorded.pods().stream()
                        .filter(pods -> pods.via().equals(each.getKey()))
                        .toList()))
        .toList();
  }

  /** The answers of a machine. */
  private record Found(List<String> processes, Map<String, String> folders) {

    /** Returns whether the job's folder exists, and has no other job id. */
    boolean proves(Job job, String number) {
      var noted = folders.get(job.folder());
      return noted != null && (noted.isEmpty() || noted.equals(number));
    }
  }

  private Found find(Site site, MachineCommands commands) throws IOException {
    var arguments = new ArrayList<>(List.of(RunJournal.PROPERTY, run));
    arguments.addAll(site.folders());
    var processes = new ArrayList<String>();
    var folders = new HashMap<String, String>();
    for (var line : script(commands, LOOK, arguments).split("\n")) {
      var words = line.split(" ", 3);
      switch (words[0]) {
        case "process" -> processes.add(words[1]);
        case "folder" -> folders.put(words[2], words[1]);
        default -> {
          // Output of the user's start-up files.
        }
      }
    }
    return new Found(processes, folders);
  }

  private static String script(MachineCommands commands, String script, List<String> arguments)
      throws IOException {
    var command = new ArrayList<>(List.of("/bin/sh", "-c", script, "sh"));
    command.addAll(arguments);
    var answer = commands.run(command);
    if (answer.exitCode() != 0) {
      throw new IOException(
          answer.errorOutput().isBlank()
              ? "exit code " + answer.exitCode()
              : answer.errorOutput().strip());
    }
    return answer.output();
  }

  // Looking

  private List<Thing> look(Site site, MachineCommands commands) throws IOException {
    var found = find(site, commands);
    var things = new ArrayList<Thing>();
    if (site.login().isEmpty()) {
      ConnectionFolder.leftBehind(run)
          .forEach(
              socket -> things.add(thing("connection", socket.toString(), site, "left", true)));
    }
    for (var job : site.jobs()) {
      job(job, found).ifPresent(things::add);
    }
    for (var pods : site.pods()) {
      things.addAll(look(pods));
    }
    found.processes().forEach(pid -> things.add(thing("process", pid, site, "running", true)));
    found
        .folders()
        .forEach((folder, job) -> things.add(thing("folder", "~/" + folder, site, "there", true)));
    return things;
  }

  private static Thing thing(String kind, String name, Site site, String state, boolean isLeft) {
    return new Thing(kind, name, site.name(), state, isLeft);
  }

  private Optional<Thing> job(Job job, Found found) {
    var number = number(job, found);
    if (number.isEmpty()) {
      return Optional.empty(); // the job was never submitted, or ends at once without its folder
    }
    try {
      return report(system(job), number)
          .map(report -> thing(job, number, report.text(), !report.hasEnded()));
    } catch (IOException | BatchException e) {
      return Optional.of(thing(job, number, "cannot be asked: " + e.getMessage(), true));
    }
  }

  private static Thing thing(Job job, String number, String state, boolean isLeft) {
    return new Thing("job", number, BatchSystems.name(job.scheduler(), job.via()), state, isLeft);
  }

  /**
   * Returns the job id from the record or the folder; the launcher may have been killed between
   * writing the two.
   */
  private static String number(Job job, Found found) {
    return job.number().isEmpty() ? found.folders().getOrDefault(job.folder(), "") : job.number();
  }

  private BatchSystem system(Job job) throws IOException {
    return BatchSystems.open(job.scheduler(), job.via(), machines.of(job.via()));
  }

  private static Optional<JobReport> report(BatchSystem system, String number)
      throws BatchException {
    return Optional.ofNullable(system.report(List.of(number)).get(number));
  }

  // Removing

  private List<Thing> remove(Site site, MachineCommands commands) throws IOException {
    var found = find(site, commands);
    var things = new ArrayList<Thing>();
    var kept = new ArrayList<String>();
    if (site.login().isEmpty()) {
      for (var socket : ConnectionFolder.leftBehind(run)) {
        ConnectionFolder.end(socket);
        things.add(thing("connection", socket.toString(), site, "closed", false));
      }
    }
    for (var job : site.jobs()) {
      var cancelled = cancel(job, found);
      cancelled.ifPresent(things::add);
      if (cancelled.map(Thing::isLeft).orElse(false)) {
        kept.add(job.folder());
      }
    }
    for (var pods : site.pods()) {
      delete(pods).ifPresent(things::add);
    }
    endProcesses(site, commands, found, things);
    for (var folder : found.folders().keySet()) {
      if (!kept.contains(folder)) {
        things.add(removeFolder(folder, site, commands));
      }
    }
    script(commands, UNFINISHED, List.of())
        .lines()
        .forEach(file -> things.add(thing("files", "~/" + file, site, "removed", false)));
    return things;
  }

  private Optional<Thing> cancel(Job job, Found found) {
    var number = number(job, found);
    if (number.isEmpty()) {
      return Optional.empty();
    }
    try {
      var system = system(job);
      var report = report(system, number);
      if (report.isEmpty() || report.get().hasEnded()) {
        return Optional.empty();
      }
      if (!found.proves(job, number)) {
        return Optional.of(
            thing(
                job,
                number,
                report.get().text()
                    + "; not cancelled, since its folder is gone and the id may belong to another job",
                false));
      }
      system.terminate(number);
      return Optional.of(
          isOver(system, number)
              ? thing(job, number, "cancelled; it was " + report.get().text(), false)
              : thing(job, number, "asked to end, but it has not ended yet", true));
    } catch (IOException | BatchException e) {
      return Optional.of(thing(job, number, "cannot be cancelled: " + e.getMessage(), true));
    }
  }

  // Kubernetes

  private RecordedPods recorded(Pods pods) throws IOException {
    return new RecordedPods(
        new Kubectl(machines.of(pods.via()), pods.context(), pods.namespace()), pods.name());
  }

  private List<Thing> look(Pods pods) {
    try {
      return recorded(pods).look().stream()
          .map(object -> thing(pods, object.name(), object.state(), true))
          .toList();
    } catch (IOException e) {
      return List.of(thing(pods, pods.name(), "cannot be asked: " + e.getMessage(), true));
    }
  }

  /** Deletes what a Job consists of; its name, which has the id of the run, proves whose it is. */
  private Optional<Thing> delete(Pods pods) {
    try {
      var job = recorded(pods);
      if (job.look().isEmpty()) {
        return Optional.empty();
      }
      job.delete();
      return Optional.of(thing(pods, pods.name(), "deleted with its pods and its Secret", false));
    } catch (IOException e) {
      return Optional.of(thing(pods, pods.name(), "cannot be deleted: " + e.getMessage(), true));
    }
  }

  private static Thing thing(Pods pods, String name, String state, boolean isLeft) {
    return new Thing("job", name, Kubectl.cluster(pods.context(), pods.via()), state, isLeft);
  }

  private static boolean isOver(BatchSystem system, String number) throws BatchException {
    var deadline = System.nanoTime() + JOB_END.toNanos();
    while (true) {
      if (report(system, number).map(JobReport::hasEnded).orElse(true)) {
        return true;
      }
      if (System.nanoTime() > deadline) {
        return false;
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  private void endProcesses(Site site, MachineCommands commands, Found found, List<Thing> things)
      throws IOException {
    if (found.processes().isEmpty()) {
      return;
    }
    for (var line : script(commands, END, List.of(RunJournal.PROPERTY, run)).split("\n")) {
      var words = line.split(" ");
      switch (words[0]) {
        case "ended" -> things.add(thing("process", words[1], site, "ended", false));
        case "stays" -> things.add(thing("process", words[1], site, "cannot be ended", true));
        default -> {
          // Output of the user's start-up files.
        }
      }
    }
  }

  private Thing removeFolder(String folder, Site site, MachineCommands commands) {
    if (!folder.startsWith(RunJournal.RUNS + run)) {
      return thing(
          "folder", "~/" + folder, site, "kept, since its name does not belong to this run", true);
    }
    try {
      script(commands, "cd && rm -rf \"$1\"", List.of(folder));
      return thing("folder", "~/" + folder, site, "removed", false);
    } catch (IOException e) {
      return thing("folder", "~/" + folder, site, "cannot be removed: " + e.getMessage(), true);
    }
  }

  @Override
  public void close() {
    machines.close();
  }
}
