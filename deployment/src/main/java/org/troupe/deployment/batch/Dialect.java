package org.troupe.deployment.batch;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner.Answer;

/**
 * The commands of one kind of batch system, and the meaning of their answers. A new dialect also
 * needs options, a way to start processes in its job, and a name in records: the documentation of
 * this package lists every place.
 */
interface Dialect {

  /** Returns the batch system's name, as users know it. */
  String name();

  /** Returns the command that submits a job. */
  List<String> submit(JobTemplate job);

  /** Returns the id of the new job, if there is one in the answer. */
  Optional<String> submitted(Answer answer);

  /**
   * Returns the id of a new job from the last line that has one; start-up files of a shell may
   * print other lines before it.
   *
   * @param line a whole line, of which the first group is the id
   */
  static Optional<String> lastId(Answer answer, Pattern line) {
    return answer.exitCode() != 0
        ? Optional.empty()
        : answer
            .output()
            .lines()
            .map(each -> line.matcher(each.strip()))
            .filter(Matcher::matches)
            .map(each -> each.group(1))
            .reduce((first, last) -> last);
  }

  /** Returns the command that asks for the state of jobs. */
  List<String> ask(Collection<String> jobIds);

  /** Returns the states of jobs in an answer; empty if the answer has none. */
  Optional<Map<String, JobReport>> states(Answer answer, Collection<String> jobIds);

  /**
   * Returns the command that asks why jobs wait; empty if their states tell it, or no job waits.
   */
  default Optional<List<String>> askReasons(Map<String, JobReport> states) {
    return Optional.empty();
  }

  /** Returns the reasons by job id. */
  default Map<String, String> reasons(Answer answer) {
    return Map.of();
  }

  /** Returns the commands that may know how a job ended, the best first. */
  List<List<String>> askEnd(String jobId);

  /** Returns the end of the job; empty if the answer does not have it. */
  Optional<JobEnd> ended(String jobId, Answer answer);

  /** Returns the command that ends a job. */
  List<String> terminate(String jobId);

  /** Returns what {@link BatchSystem#killDelay} does. */
  default Duration killDelay() {
    return Duration.ZERO;
  }

  /** Returns whether the answer means that the batch system could not be reached. */
  boolean isAway(Answer answer);
}
