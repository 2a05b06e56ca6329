package org.troupe.deployment.batch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ggf.drmaa.DeniedByDrmException;
import org.ggf.drmaa.DrmCommunicationException;
import org.ggf.drmaa.DrmaaException;
import org.ggf.drmaa.ExitTimeoutException;
import org.ggf.drmaa.InternalException;
import org.ggf.drmaa.InvalidJobException;
import org.ggf.drmaa.JobInfo;
import org.ggf.drmaa.JobTemplate;
import org.ggf.drmaa.SimpleJobTemplate;
import org.ggf.drmaa.UnsupportedAttributeException;
import org.ggf.drmaa.Version;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.process.CommandRunner.Answer;

/** A batch system that is used by its commands. */
final class CommandSession implements BatchSystem {

  /** The interval of polls while a caller waits for the end of a job. */
  private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(2);

  private final Dialect dialect;
  private final CommandRunner commands;
  private final Set<String> jobs = ConcurrentHashMap.newKeySet();

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

  // Templates

  /** Returns the native options of a template. */
  static List<String> options(JobTemplate job) throws DrmaaException {
    var options = job.getNativeSpecification();
    return options == null ? List.of() : ShellWords.split(options);
  }

  /** Returns the arguments of a template's command. */
  static List<String> arguments(JobTemplate job) throws DrmaaException {
    var arguments = job.getArgs();
    return arguments == null
        ? List.of()
        : ((List<?>) arguments).stream().map(String::valueOf).toList();
  }

  @Override
  public JobTemplate createJobTemplate() {
    return new SimpleJobTemplate();
  }

  @Override
  public void deleteJobTemplate(JobTemplate job) {
    // A template holds no resource.
  }

  @Override
  public List<String> submission(JobTemplate job) throws DrmaaException {
    return dialect.submit(job);
  }

  // Jobs

  @Override
  public String runJob(JobTemplate job) throws DrmaaException {
    var answer = run(dialect.submit(job));
    var id = dialect.submitted(answer);
    if (id.isEmpty()) {
      throw new DeniedByDrmException(
          answer.message().isEmpty() ? "exit code " + answer.exitCode() : answer.message());
    }
    jobs.add(id.get());
    return id.get();
  }

  @Override
  public List<?> runBulkJobs(JobTemplate job, int start, int end, int step) throws DrmaaException {
    throw new UnsupportedAttributeException(
        "job arrays are not supported with the commands of " + dialect.name());
  }

  @Override
  public Map<String, JobReport> report(Collection<String> jobIds) throws DrmaaException {
    if (jobIds.isEmpty()) {
      return Map.of();
    }
    var answer = run(dialect.ask(jobIds));
    var states =
        dialect
            .states(answer, jobIds)
            .orElseThrow(() -> new DrmCommunicationException(unexpected(answer)));
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
                        new JobReport(report.status(), report.text() + " (" + reason + ")")));
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
  public int getJobProgramStatus(String jobId) throws DrmaaException {
    var report = report(List.of(jobId)).get(jobId);
    if (report == null) {
      throw new InvalidJobException(dialect.name() + " does not know a job '" + jobId + "'");
    }
    return report.status();
  }

  @Override
  public JobEnd end(String jobId) throws DrmaaException {
    for (var question : dialect.askEnd(jobId)) {
      var end = dialect.ended(jobId, run(question));
      if (end.isPresent()) {
        return end.get();
      }
    }
    if (report(List.of(jobId)).containsKey(jobId)) {
      throw new ExitTimeoutException("job '" + jobId + "' has not ended");
    }
    throw new InvalidJobException(dialect.name() + " no longer knows job '" + jobId + "'");
  }

  @Override
  public JobInfo wait(String jobId, long timeout) throws DrmaaException {
    var start = System.nanoTime();
    while (true) {
      try {
        return end(jobId);
      } catch (ExitTimeoutException e) {
        var waited = Duration.ofNanos(System.nanoTime() - start);
        if (timeout != TIMEOUT_WAIT_FOREVER && waited.toSeconds() >= timeout) {
          throw e;
        }
        sleep();
      }
    }
  }

  private static void sleep() throws DrmaaException {
    try {
      Thread.sleep(BETWEEN_QUESTIONS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InternalException("interrupted while waiting for the end of a job");
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // as DRMAA declares it
  public void synchronize(List ids, long timeout, boolean dispose) throws DrmaaException {
    var start = System.nanoTime();
    var all = new ArrayList<String>();
    for (var id : (List<?>) ids) {
      if (JOB_IDS_SESSION_ALL.equals(id)) {
        all.addAll(jobs);
      } else {
        all.add(String.valueOf(id));
      }
    }
    for (var id : all) {
      var spent = Duration.ofNanos(System.nanoTime() - start).toSeconds();
      try {
        wait(id, timeout == TIMEOUT_WAIT_FOREVER ? timeout : Math.max(0, timeout - spent));
      } catch (InvalidJobException e) {
        // The job ended so long ago that the batch system has forgotten it.
      }
      if (dispose) {
        jobs.remove(id);
      }
    }
  }

  @Override
  public void control(String jobId, int action) throws DrmaaException {
    var answer = run(dialect.control(jobId, action));
    if (answer.exitCode() != 0) {
      throw new DeniedByDrmException(unexpected(answer));
    }
  }

  private Answer run(List<String> command) throws DrmaaException {
    try {
      var answer = commands.run(command);
      if (answer.exitCode() != 0 && dialect.isAway(answer)) {
        throw new DrmCommunicationException(answer.message());
      }
      return answer;
    } catch (IOException e) {
      throw new DrmCommunicationException(e.getMessage());
    }
  }

  // The session

  @Override
  public void init(String contact) {
    // The commands find their batch system themselves.
  }

  @Override
  public void exit() {
    // Jobs continue, as DRMAA specifies.
  }

  @Override
  public String getContact() {
    return "";
  }

  @Override
  public Version getVersion() {
    return new Version(1, 0);
  }

  @Override
  public String getDrmSystem() {
    return dialect.name();
  }

  @Override
  public String getDrmaaImplementation() {
    return "Troupe, by the commands of " + dialect.name();
  }
}
