package org.troupe.deployment.batch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner.Answer;

/** The commands of Grid Engine. */
final class GridEngineDialect implements Dialect {

  /*
   * qstat reports all jobs of the user, but not why they wait; qstat -j is asked about those that do. A job that has
   * ended is not listed any more; the accounting has it a moment later.
   */
  private static final Pattern ID = Pattern.compile("(\\d+)");
  private static final Pattern JOB = Pattern.compile("(?s)<job_list[^>]*>(.*?)</job_list>");
  private static final Pattern ELEMENT = Pattern.compile("<(\\w+)>([^<]*)</\\1>");
  private static final Pattern FIELD = Pattern.compile("(?m)^([a-z_]+( [a-z_]+)?) *\\d*: +(.*)$");
  private static final Pattern ACCOUNT = Pattern.compile("(?m)^(\\w+) +(.*?) *$");

  /** A note that Grid Engine repeats for each queue, without information for users. */
  private static final Pattern QUEUE_INSTANCE =
      Pattern.compile("queue instance \".*\" dropped because it is (full|temporarily.*)");

  @Override
  public String name() {
    return "Grid Engine";
  }

  @Override
  public List<String> submit(JobTemplate job) {
    var command = new ArrayList<>(List.of("qsub", "-terse", "-S", "/bin/sh"));
    command.addAll(List.of("-N", job.name()));
    command.addAll(List.of("-wd", job.folder()));
    command.addAll(List.of("-o", job.output()));
    command.addAll(List.of("-e", job.errorOutput()));
    command.addAll(job.options());
    command.addAll(job.command());
    return command;
  }

  @Override
  public Optional<String> submitted(Answer answer) {
    return Dialect.lastId(answer, ID);
  }

  /**
   * Restricts qstat to this user's jobs, since there may be many others; no option for that works
   * in all versions.
   */
  @Override
  public List<String> ask(Collection<String> jobIds) {
    return List.of("/bin/sh", "-c", "exec qstat -xml -u \"$(id -un)\"");
  }

  @Override
  public Optional<Map<String, JobReport>> states(Answer answer, Collection<String> jobIds) {
    if (answer.exitCode() != 0 || !answer.output().contains("<job_info")) {
      return Optional.empty();
    }
    var reports = new HashMap<String, JobReport>();
    JOB.matcher(answer.output())
        .results()
        .map(job -> elements(job.group(1)))
        .filter(job -> jobIds.contains(job.get("JB_job_number")))
        .forEach(job -> reports.putIfAbsent(job.get("JB_job_number"), report(job)));
    return Optional.of(reports);
  }

  private static Map<String, String> elements(String xml) {
    var elements = new HashMap<String, String>();
    ELEMENT.matcher(xml).results().forEach(each -> elements.put(each.group(1), each.group(2)));
    return elements;
  }

  private static JobReport report(Map<String, String> job) {
    var letters = job.getOrDefault("state", "");
    var queue = job.getOrDefault("queue_name", "");
    var state = state(letters);
    var words =
        switch (state) {
          case HELD_BY_SYSTEM -> letters.contains("E") ? "in error" : "held";
          case HELD_BY_USER -> "held";
          case QUEUED -> "queued";
          case RUNNING -> "running";
          case SUSPENDED_BY_SYSTEM -> "suspended";
          default -> "in state";
        };
    return new JobReport(state, words + " " + letters + (queue.isEmpty() ? "" : " on " + queue));
  }

  /** Returns the state of a job from qstat's letters, each of which is a flag. */
  private static JobState state(String letters) {
    if (letters.contains("E")) {
      return JobState.HELD_BY_SYSTEM;
    }
    if (letters.contains("h")) {
      return JobState.HELD_BY_USER;
    }
    if (letters.contains("s") || letters.contains("S") || letters.contains("T")) {
      return JobState.SUSPENDED_BY_SYSTEM;
    }
    if (letters.contains("r") || letters.contains("t") || letters.contains("d")) {
      return JobState.RUNNING;
    }
    return letters.contains("qw") ? JobState.QUEUED : JobState.UNDETERMINED;
  }

  @Override
  public Optional<List<String>> askReasons(Map<String, JobReport> states) {
    var waiting =
        states.entrySet().stream()
            .filter(each -> each.getValue().isWaiting())
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    return waiting.isEmpty()
        ? Optional.empty()
        : Optional.of(List.of("qstat", "-j", String.join(",", waiting)));
  }

  @Override
  public Map<String, String> reasons(Answer answer) {
    var reasons = new HashMap<String, String>();
    for (var job : answer.output().split("={10,}")) {
      var fields = FIELD.matcher(job);
      var id = "";
      var error = "";
      while (fields.find()) {
        switch (fields.group(1)) {
          case "job_number" -> id = fields.group(3).strip();
          case "error reason" -> error = fields.group(3).replaceFirst("^\\S+ \\S+ \\[.*?\\]: ", "");
          default -> {
            // Other attributes.
          }
        }
      }
      var reason = error.isEmpty() ? scheduling(job) : error;
      if (!id.isEmpty() && !reason.isEmpty()) {
        reasons.put(id, reason);
      }
    }
    return reasons;
  }

  /** Returns the notes of the scheduler, without those on single queues. */
  private static String scheduling(String job) {
    var start = job.indexOf("scheduling info:");
    if (start < 0) {
      return "";
    }
    var notes =
        job.substring(start + "scheduling info:".length())
            .lines()
            .map(String::strip)
            .filter(each -> !each.isEmpty())
            .toList();
    var general = notes.stream().filter(each -> !QUEUE_INSTANCE.matcher(each).matches()).toList();
    return String.join("; ", general.isEmpty() ? notes : general);
  }

  @Override
  public List<List<String>> askEnd(String jobId) {
    return List.of(List.of("qacct", "-j", jobId));
  }

  @Override
  public Optional<JobEnd> ended(String jobId, Answer answer) {
    if (answer.exitCode() != 0) {
      return Optional.empty();
    }
    var account = new HashMap<String, String>();
    ACCOUNT
        .matcher(answer.output())
        .results()
        .forEach(each -> account.put(each.group(1), each.group(2)));
    if (!jobId.equals(account.get("jobnumber"))) {
      return Optional.empty();
    }
    var code = account.getOrDefault("exit_status", "").split(" ")[0];
    var failed = account.getOrDefault("failed", "0").replaceAll(" +", " ");
    var text = (failed.equals("0") ? "finished" : "failed " + failed) + ", exit status " + code;
    if (account.containsKey("deleted_by") && !account.get("deleted_by").equals("NONE")) {
      text += ", deleted by " + account.get("deleted_by");
    }
    if ("-/-".equals(account.get("start_time"))) {
      return Optional.of(JobEnd.aborted(jobId, text));
    }
    return Optional.of(
        code.matches("\\d+")
            ? JobEnd.exited(jobId, Integer.parseInt(code), text)
            : JobEnd.unknown(jobId, text));
  }

  @Override
  public List<String> terminate(String jobId) {
    return List.of("qdel", jobId);
  }

  @Override
  public boolean isAway(Answer answer) {
    return List.of(
            "unable to send message to qmaster", "commlib error", "unable to contact qmaster")
        .stream()
        .anyMatch(answer.message()::contains);
  }
}
