package org.troupe.deployment.journal;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.troupe.descriptors.BatchJvms.Scheduler;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.SourcePosition;

/**
 * The record of a run, as the tools read it from a {@link RunJournal}. Immutable.
 *
 * @param machines the logins of machines that are reached over ssh
 * @param jobs the jobs that are not known to have ended
 * @param pods the Jobs of Kubernetes that are not known to have ended
 */
public record RunRecord(Launcher launcher, List<Login> machines, List<Job> jobs, List<Pods> pods) {

  /** Returns whether it holds machines for other runs. */
  public boolean isHeld() {
    return jobs.stream().anyMatch(Job::isHeld);
  }

  /** The process that started the run. */
  public record Launcher(
      long pid,
      long startMillis,
      Instant since,
      String boot,
      String host,
      String program,
      String sshConfig) {

    private static Launcher read(Iterator<String> words) {
      return new Launcher(
          Long.parseLong(words.next()),
          Long.parseLong(words.next()),
          Instant.ofEpochMilli(Long.parseLong(words.next())),
          words.next(),
          words.next(),
          words.next(),
          words.next());
    }

    public boolean isOfThisMachine() {
      return host.equals(RunJournal.firstLine(RunJournal.HOST));
    }

    /** Returns the process, if it still runs on this machine. */
    public Optional<ProcessHandle> process() {
      return isOfThisMachine() && boot.equals(RunJournal.firstLine(RunJournal.BOOT))
          ? ProcessHandle.of(pid)
              .filter(
                  process ->
                      process
                          .info()
                          .startInstant()
                          .map(start -> start.toEpochMilli() == startMillis)
                          .orElse(true))
          : Optional.empty();
    }
  }

  /**
   * A job that is not known to have ended.
   *
   * @param number the id of the job; empty if the launcher was killed during the submission
   * @param heldNodes the number of machines that it holds for other runs; 0 for a job of this run
   * @param heldJvms the number of JVMs on each of these machines
   */
  public record Job(
      String folder,
      String element,
      Scheduler scheduler,
      Optional<Login> via,
      String number,
      int heldNodes,
      int heldJvms) {

    private static Job read(Iterator<String> words) {
      return new Job(
          words.next(),
          words.next(),
          RecordedScheduler.read(words.next(), words.next()),
          login(words),
          "",
          0,
          0);
    }

    /** Returns whether it holds its machines for other runs. */
    public boolean isHeld() {
      return heldNodes > 0;
    }

    private Job holding(int nodes, int jvms) {
      return new Job(folder, element, scheduler, via, number, nodes, jvms);
    }

    private Job numbered(String itsNumber) {
      return new Job(folder, element, scheduler, via, itsNumber, heldNodes, heldJvms);
    }
  }

  /**
   * A Job of Kubernetes that is not known to have ended.
   *
   * @param name of the Job and its Secret
   * @param via the machine that has {@code kubectl}
   */
  public record Pods(
      String name,
      String element,
      Optional<String> context,
      Optional<String> namespace,
      Optional<Login> via) {

    private static Pods read(Iterator<String> words) {
      return new Pods(
          words.next(), words.next(), present(words.next()), present(words.next()), login(words));
    }
  }

  /**
   * Reads the record in a folder; empty if there is none.
   *
   * @throws IOException if the file is no record
   */
  public static Optional<RunRecord> read(Path folder) throws IOException {
    var file = folder.resolve(RunJournal.FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Launcher launcher = null;
    var machines = new LinkedHashSet<Login>();
    var jobs = new LinkedHashMap<String, Job>();
    var pods = new LinkedHashMap<String, Pods>();
    try {
      var text = Files.readString(file);
      var whole = text.substring(0, text.lastIndexOf('\n') + 1); // the last line may be incomplete
      for (var line : whole.lines().toList()) {
        var words =
            Arrays.stream(line.split(" ", -1))
                .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
                .iterator();
        switch (words.next()) {
          case "launcher" -> launcher = Launcher.read(words);
          case "machine" -> login(words).ifPresent(machines::add);
          case "job" -> {
            var job = Job.read(words);
            jobs.put(job.folder(), job);
          }
          case "held" ->
              jobs.computeIfPresent(
                  words.next(),
                  (same, job) ->
                      job.holding(Integer.parseInt(words.next()), Integer.parseInt(words.next())));
          case "submitted" ->
              jobs.computeIfPresent(words.next(), (same, job) -> job.numbered(words.next()));
          case "pods" -> {
            var job = Pods.read(words);
            pods.put(job.name(), job);
          }
          case "gone" -> {
            var job = words.next();
            jobs.remove(job);
            pods.remove(job);
          }
          default -> {
            // A line of a newer version.
          }
        }
      }
    } catch (RuntimeException e) {
      throw new IOException("'" + file + "' is not the record of a run: " + e.getMessage(), e);
    }
    return launcher == null
        ? Optional.empty()
        : Optional.of(
            new RunRecord(
                launcher,
                List.copyOf(machines),
                List.copyOf(jobs.values()),
                List.copyOf(pods.values())));
  }

  private static Optional<Login> login(Iterator<String> words) {
    return words.next().equals("ssh") ? Optional.of(readLogin(words)) : Optional.empty();
  }

  private static Login readLogin(Iterator<String> words) {
    var id = words.next();
    var host = words.next();
    var port = words.next();
    var user = present(words.next());
    var identity = present(words.next()).map(Path::of);
    var hostKeys = HostKeys.valueOf(words.next());
    var via = new ArrayList<Login>();
    for (var left = Integer.parseInt(words.next()); left > 0; left--) {
      via.add(readLogin(words));
    }
    return new Login(
        id,
        host,
        port.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(port)),
        user,
        identity,
        hostKeys,
        via,
        new SourcePosition("the record of the run", 1, 1));
  }

  private static Optional<String> present(String word) {
    return word.isEmpty() ? Optional.empty() : Optional.of(word);
  }
}
