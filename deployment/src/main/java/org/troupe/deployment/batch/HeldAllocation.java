package org.troupe.deployment.batch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.troupe.deployment.process.CommandRunner;

/**
 * The machines of a job that outlives runs, as a batch system: a job of a run is a request to the
 * held job, which {@link HoldScript} serves.
 */
final class HeldAllocation implements BatchSystem {

  /*
   * The id of a job is that of the held job and the number of the request, with a slash between them, which no batch system
   * takes for the id of one of its jobs. A request whose end is not recorded ends with the held job.
   */
  private static final String SUBMIT =
      """
      cd && cd "$1" || exit 3
      number=1
      while ! mkdir "run-$number" 2>/dev/null; do
        number=$((number + 1))
        [ "$number" -le 9999 ] || exit 4
      done
      echo "$2" >"run-$number/new" && mv "run-$number/new" "run-$number/script" && echo "$number"
      """;

  private static final String ASK =
      """
      cd && cd "$1" || exit 3
      shift
      ls >/dev/null
      for number; do
        if [ -e "run-$number/end" ]; then
          echo "$number ended $(cat "run-$number/end")"
        elif [ -e "run-$number/started" ]; then
          echo "$number started"
        elif [ -e "run-$number/script" ]; then
          echo "$number waits"
        fi
      done
      """;

  private static final String KILL = "cd && cd \"$1\" && : >\"run-$2/kill\"";

  private static final int GONE = 3;

  private final BatchSystem system;
  private final String job;
  private final String folder;
  private final CommandRunner commands;

  /**
   * @param system that has the held job
   * @param folder the folder of the held job, from the home directory
   */
  HeldAllocation(BatchSystem system, String job, String folder, CommandRunner commands) {
    this.system = system;
    this.job = job;
    this.folder = folder;
    this.commands = commands;
  }

  private CommandRunner.Answer run(String script, List<String> arguments) throws BatchException {
    var command = new ArrayList<>(List.of("/bin/sh", "-c", script, "sh", folder));
    command.addAll(arguments);
    try {
      return commands.run(command);
    } catch (IOException e) {
      throw new BatchException.Away(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public boolean belongsToRuns() {
    return false;
  }

  @Override
  public List<String> submission(JobTemplate template) {
    return List.of("/bin/sh", script(template));
  }

  /** Returns the script of a job, the last word of its command. */
  private static String script(JobTemplate template) {
    return template.command().getLast();
  }

  @Override
  public String submit(JobTemplate template) throws BatchException {
    var answer = run(SUBMIT, List.of(script(template)));
    if (answer.exitCode() == GONE) {
      throw new BatchException(
          "the held job %s has ended; 'troupe hold' asks for machines again".formatted(job));
    }
    var number = answer.output().strip();
    if (answer.exitCode() != 0 || !number.matches("\\d+")) {
      throw new BatchException(
          "the held job %s takes no request: %s".formatted(job, answer.message()));
    }
    return job + "/" + number;
  }

  private static String number(String jobId) {
    return jobId.substring(jobId.lastIndexOf('/') + 1);
  }

  @Override
  public Map<String, JobReport> report(Collection<String> jobIds) throws BatchException {
    var held = system.report(List.of(job)).get(job);
    if (held == null || held.hasEnded()) {
      return Map.of(); // asked for their ends, they get that of the held job
    }
    var states = states(jobIds);
    var reports = new HashMap<String, JobReport>();
    for (var id : jobIds) {
      var state = states.getOrDefault(number(id), "");
      if (state.matches("ended \\d+")) {
        var code = state.substring("ended ".length());
        reports.put(id, new JobReport(JobState.DONE, "ended with exit code " + code));
        continue;
      }
      switch (state) {
        case "started", "ended" -> // whose code is not visible yet
            reports.put(id, new JobReport(JobState.RUNNING, "running on the held machines"));
        case "waits" -> reports.put(id, waiting(held));
        default -> {
          // The folder is gone, and the job about to end.
        }
      }
    }
    return reports;
  }

  private static JobReport waiting(JobReport held) {
    return held.isWaiting()
        ? new JobReport(held.state(), "the held job is " + held.text())
        : new JobReport(JobState.QUEUED, "waits until the held machines are free");
  }

  /** Returns the states of requests by their numbers; empty if the held job's folder is gone. */
  private Map<String, String> states(Collection<String> jobIds) throws BatchException {
    var states = new HashMap<String, String>();
    run(ASK, jobIds.stream().map(HeldAllocation::number).toList())
        .output()
        .lines()
        .map(line -> line.split(" ", 2))
        .filter(words -> words.length == 2)
        .forEach(words -> states.put(words[0], words[1].strip()));
    return states;
  }

  @Override
  public JobEnd end(String jobId) throws BatchException {
    var state = states(List.of(jobId)).getOrDefault(number(jobId), "");
    if (state.matches("ended \\d+")) {
      var code = Integer.parseInt(state.substring("ended ".length()));
      return JobEnd.exited(jobId, code, "ended with exit code " + code);
    }
    var end = system.end(job); // if that has not ended, nor has the request
    return new JobEnd(
        jobId, end.exitCode(), end.signal(), end.wasAborted(), "the held job ended: " + end.text());
  }

  @Override
  public Duration killDelay() {
    return system.killDelay();
  }

  @Override
  public void terminate(String jobId) throws BatchException {
    var answer = run(KILL, List.of(number(jobId)));
    if (answer.exitCode() != 0) {
      throw new BatchException("the held job %s has ended".formatted(job));
    }
  }
}
