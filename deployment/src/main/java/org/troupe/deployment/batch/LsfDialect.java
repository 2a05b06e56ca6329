package org.troupe.deployment.batch;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner.Answer;
import org.troupe.deployment.process.ShellLine;

/** The commands of LSF, in the subset that OpenLava and its successor Volclava share with it. */
final class LsfDialect implements Dialect {

  /*
   * The long listings of bjobs and bhist are the only ones that all kinds of LSF have and that give the reason for which
   * a job waits and its exit code. Both describe a job in paragraphs; only bhist tells who killed it. They may cut lines
   * at any character, and continue them behind 21 spaces.
   *
   * LSF shows the output of a job only after its end, behind a report. So the job appends to its files itself.
   */
  private static final Pattern ID = Pattern.compile("Job <(\\d+)> is submitted to .*");

  private static final String CONTINUED = "\n" + " ".repeat(21);
  private static final Pattern JOB = Pattern.compile("(?m)^Job <(\\d+)>,");
  private static final Pattern STATUS = Pattern.compile(" Status <(\\w+)>");
  private static final Pattern HOSTS =
      Pattern.compile("(?m)^.*: (?:Started|Dispatched) [^<\\n]*(<[^>]+>(?: <[^>]+>)*)");

  /** The reasons, a line each, end with an empty line. */
  private static final Pattern REASONS =
      Pattern.compile("(?:PENDING|SUSPENDING) REASONS:\\n((?:.+\\n?)+)");

  private static final Pattern ENDED =
      Pattern.compile(
          "(?m)^.*: (?:Done successfully|(Exited)(?: with exit code (\\d+)| by signal (\\d+))?)");

  private static final Pattern KILLED =
      Pattern.compile("Signal <(?:KILL|TERM|INT)> requested by user or administrator <([^>]+)>");

  /** Why LSF itself says that it ended a job; Volclava does not. */
  private static final Pattern CAUSE = Pattern.compile("TERM_\\w+: [^.;\\n]+");

  private static final Pattern TIME_LIMIT =
      Pattern.compile("RUNLIMIT\\s+([\\d.]+ min(?: of \\S+)?)");

  /** Sent first to a job that has reached its time limit. */
  private static final int SIGUSR2 = 12;

  /** The usual pause between SIGINT, SIGTERM and SIGKILL; the end is reported about as late. */
  private static final Duration KILL_DELAY = Duration.ofSeconds(10);

  @Override
  public String name() {
    return "LSF";
  }

  @Override
  public List<String> submit(JobTemplate job) {
    var command = new ArrayList<>(List.of("bsub", "-J", job.name()));
    command.addAll(List.of("-o", "/dev/null", "-e", "/dev/null"));
    command.addAll(job.options());
    // One word, which the shell of the job reads.
    command.add(
        "/bin/sh %s >>%s 2>>%s"
            .formatted(
                ShellLine.of(job.command()),
                ShellLine.quoted(job.output()),
                ShellLine.quoted(job.errorOutput())));
    return command;
  }

  @Override
  public Optional<String> submitted(Answer answer) {
    return Dialect.lastId(answer, ID);
  }

  @Override
  public List<String> ask(Collection<String> jobIds) {
    var command = new ArrayList<>(List.of("bjobs", "-l"));
    command.addAll(jobIds);
    return command;
  }

  @Override
  public Optional<Map<String, JobReport>> states(Answer answer, Collection<String> jobIds) {
    var reports = new HashMap<String, JobReport>();
    jobs(answer.output())
        .forEach(
            (id, job) -> first(STATUS, job).ifPresent(word -> reports.put(id, report(word, job))));
    var isAboutJobs = answer.exitCode() == 0 || answer.errorOutput().contains("is not found");
    return reports.isEmpty() && !isAboutJobs ? Optional.empty() : Optional.of(reports);
  }

  /** Returns the description of each job, by its id. */
  private static Map<String, String> jobs(String output) {
    var text = output.replace(CONTINUED, "");
    var starts = JOB.matcher(text).results().toList();
    var jobs = new LinkedHashMap<String, String>();
    for (var i = 0; i < starts.size(); i++) {
      var end = i + 1 < starts.size() ? starts.get(i + 1).start() : text.length();
      jobs.put(starts.get(i).group(1), text.substring(starts.get(i).start(), end));
    }
    return jobs;
  }

  private static Optional<String> first(Pattern pattern, String job) {
    var match = pattern.matcher(job);
    return match.find() ? Optional.of(match.group(1)) : Optional.empty();
  }

  private static JobReport report(String word, String job) {
    var state = state(word, job);
    var text =
        switch (state) {
          case RUNNING -> first(HOSTS, job).map(hosts -> " on " + distinct(hosts)).orElse("");
          case DONE, FAILED -> "";
          default -> first(REASONS, job).map(lines -> " (" + joined(lines) + ")").orElse("");
        };
    return new JobReport(state, word + text);
  }

  private static JobState state(String word, String job) {
    return switch (word) {
      case "PEND", "WAIT", "PROV" -> JobState.QUEUED;
      case "PSUSP" ->
          first(REASONS, job).filter(reasons -> reasons.contains("by LSF admin")).isPresent()
              ? JobState.HELD_BY_SYSTEM
              : JobState.HELD_BY_USER;
      case "RUN" -> JobState.RUNNING;
      case "USUSP" -> JobState.SUSPENDED_BY_USER;
      case "SSUSP" -> JobState.SUSPENDED_BY_SYSTEM;
      case "DONE" -> JobState.DONE;
      case "EXIT" -> JobState.FAILED;
      default -> JobState.UNDETERMINED; // UNKWN and ZOMBI, of which LSF may learn more
    };
  }

  /** Returns the machines in a list such as {@code <h1> <h1> <2*h2>}. */
  private static String distinct(String hosts) {
    return Arrays.stream(hosts.split("[<> ]+"))
        .filter(host -> !host.isEmpty())
        .map(host -> host.replaceFirst("^\\d+\\*", ""))
        .distinct()
        .collect(joining(", "));
  }

  private static String joined(String lines) {
    return lines.lines().map(line -> line.strip().replaceFirst(";$", "")).collect(joining("; "));
  }

  @Override
  public List<List<String>> askEnd(String jobId) {
    return List.of(List.of("bhist", "-l", jobId), ask(List.of(jobId)));
  }

  @Override
  public Optional<JobEnd> ended(String jobId, Answer answer) {
    var job = jobs(answer.output()).getOrDefault(jobId, "");
    var ended = ENDED.matcher(job);
    return ended.find() ? Optional.of(end(jobId, ended.toMatchResult(), job)) : Optional.empty();
  }

  private static JobEnd end(String jobId, MatchResult ended, String job) {
    var cause =
        first(KILLED, job)
            .map(user -> "killed by " + user)
            .or(() -> CAUSE.matcher(job).results().map(MatchResult::group).findFirst());
    if (cause.isPresent()) {
      return JobEnd.aborted(jobId, cause.get());
    }
    var code = ended.group(2);
    var signal = ended.group(3);
    if (code == null && signal == null) {
      return ended.group(1) == null
          ? JobEnd.exited(jobId, 0, "done")
          : JobEnd.aborted(jobId, "exited, and LSF gives no exit code");
    }
    var end =
        code == null
            ? JobEnd.signalled(jobId, signal, "exited by signal " + signal)
            : JobEnd.exited(jobId, Integer.parseInt(code), "exited, exit code " + code);
    return first(TIME_LIMIT, job)
        .filter(limit -> end.signal().equals(Optional.of(Integer.toString(SIGUSR2))))
        .map(limit -> JobEnd.aborted(jobId, "it reached its time limit of " + limit))
        .orElse(end);
  }

  @Override
  public List<String> terminate(String jobId) {
    return List.of("bkill", jobId);
  }

  @Override
  public Duration killDelay() {
    return KILL_DELAY;
  }

  @Override
  public boolean isAway(Answer answer) {
    return List.of(
            "daemon not responding",
            "LSF is down",
            "Failed in an LSF library call",
            "Communication timeout",
            "Connection refused")
        .stream()
        .anyMatch(answer.message()::contains);
  }
}
