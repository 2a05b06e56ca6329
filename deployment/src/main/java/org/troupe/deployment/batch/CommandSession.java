package org.troupe.deployment.batch;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.process.CommandRunner.Answer;

/** A batch system that is used by its commands. */
final class CommandSession implements BatchSystem {

  private final Dialect dialect;
  private final CommandRunner commands;

  private CommandSession(Dialect dialect, CommandRunner commands) {
    this.dialect = dialect;
    this.commands = commands;
  }

  /** Returns a session with Slurm. */
  static BatchSystem slurm(CommandRunner commands) {
    return new CommandSession(new SlurmDialect(), commands);
  }

  /** Returns a session with PBS. */
  static BatchSystem pbs(CommandRunner commands) {
    return new CommandSession(new PbsDialect(), commands);
  }

  /** Returns a session with Grid Engine. */
  static BatchSystem gridEngine(CommandRunner commands) {
    return new CommandSession(new GridEngineDialect(), commands);
  }

  /** Returns a session with OAR. */
  static BatchSystem oar(CommandRunner commands) {
    return new CommandSession(new OarDialect(), commands);
  }

  /** Returns a session with Flux. */
  static BatchSystem flux(CommandRunner commands) {
    return new CommandSession(new FluxDialect(), commands);
  }

  /** Returns a session with HTCondor. */
  static BatchSystem htcondor(CommandRunner commands) {
    return new CommandSession(new HtcondorDialect(), commands);
  }

  /** Returns a session with LSF. */
  static BatchSystem lsf(CommandRunner commands) {
    return new CommandSession(new LsfDialect(), commands);
  }

  @Override
  public List<String> submission(JobTemplate job) {
    return dialect.submit(job);
  }

  @Override
  public String submit(JobTemplate job) throws BatchException {
    var answer = run(dialect.submit(job));
    return dialect
        .submitted(answer)
        .orElseThrow(
            () ->
                new BatchException(
                    answer.message().isEmpty()
                        ? "exit code " + answer.exitCode()
                        : answer.message()));
  }

  @Override
  public Map<String, JobReport> report(Collection<String> jobIds) throws BatchException {
    if (jobIds.isEmpty()) {
      return Map.of();
    }
    var answer = run(dialect.ask(jobIds));
    var states =
        dialect
            .states(answer, jobIds)
            .orElseThrow(() -> new BatchException.Away(unexpected(answer)));
    var question = dialect.askReasons(states);
    if (question.isEmpty()) {
      return states;
    }
    var reports = new HashMap<>(states);
    dialect
        .reasons(run(question.get()))
        .forEach(
            (id, reason) ->
                reports.computeIfPresent(
                    id,
                    (same, report) ->
                        new JobReport(report.state(), report.text() + " (" + reason + ")")));
    return reports;
  }

  private String unexpected(Answer answer) {
    return dialect.name()
        + " gave exit code "
        + answer.exitCode()
        + " and said '"
        + answer.message()
        + "'";
  }

  @Override
  public JobEnd end(String jobId) throws BatchException {
    for (var question : dialect.askEnd(jobId)) {
      var end = dialect.ended(jobId, run(question));
      if (end.isPresent()) {
        return end.get();
      }
    }
    if (report(List.of(jobId)).containsKey(jobId)) {
      throw new BatchException.NotEnded("job '" + jobId + "' has not ended");
    }
    throw new BatchException.UnknownJob(dialect.name() + " no longer knows job '" + jobId + "'");
  }

  @Override
  public Duration killDelay() {
    return dialect.killDelay();
  }

  @Override
  public void terminate(String jobId) throws BatchException {
    var answer = run(dialect.terminate(jobId));
    if (answer.exitCode() != 0) {
      throw new BatchException(unexpected(answer));
    }
  }

  private Answer run(List<String> command) throws BatchException {
    try {
      var answer = commands.run(command);
      if (answer.exitCode() != 0 && dialect.isAway(answer)) {
        throw new BatchException.Away(answer.message());
      }
      return answer;
    } catch (IOException e) {
      throw new BatchException.Away(String.valueOf(e.getMessage()));
    }
  }
}
