package org.troupe.deployment.site;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.process.CommandRunner.Answer;
import org.troupe.deployment.site.SiteFacts.Queue;
import org.troupe.deployment.site.SiteFacts.Refusal;

/** Asks one kind of batch system for its queues, accounts, and the options that it refuses. */
interface QueueSurvey {

  /**
   * The answers of a batch system.
   *
   * @param queues the usual one first
   */
  record Found(
      List<Queue> queues,
      List<String> accounts,
      List<String> parallelEnvironments,
      boolean hasDryRun,
      List<Refusal> refusals,
      List<String> remarks) {}

  /**
   * The queues of a batch system.
   *
   * @param open those that take jobs, the usual one first
   * @param closed the others
   * @param remarks what keeps all jobs from running, in sentences
   */
  record Queues(List<Queue> open, List<ClosedQueue> closed, List<String> remarks) {

    /** Returns queues of which those in {@code closed} are not known, as no job can name them. */
    static Queues open(List<Queue> open, List<String> remarks) {
      return new Queues(open, List.of(), remarks);
    }
  }

  /**
   * A queue that takes no jobs, or does not start them.
   *
   * @param why as the end of a sentence that begins with the queue
   */
  record ClosedQueue(String name, String why) {}

  /**
   * Asks for the queues.
   *
   * @throws IOException if the machine cannot be asked any more
   */
  Queues queues(CommandRunner commands) throws IOException;

  /**
   * Asks by its commands, none of which leaves a job behind.
   *
   * @throws IOException if the machine cannot be asked any more
   */
  Found ask(CommandRunner commands) throws IOException;

  /** The order of queues: the usual one first, then the largest. */
  Comparator<Queue> BEST_FIRST =
      Comparator.comparing(Queue::isUsual)
          .reversed()
          .thenComparing(Comparator.comparing(Queue::nodes).reversed())
          .thenComparing(Queue::name);

  Pattern TIME = Pattern.compile("(?:(\\d+)-)?(?:(\\d+):)?(\\d+):(\\d+)");

  /** Returns the seconds of {@code [days-][hours:]minutes:seconds}; 0 for any other text. */
  static long seconds(String time) {
    var parts = TIME.matcher(time.strip());
    if (!parts.matches()) {
      return 0;
    }
    return Duration.ofDays(number(parts.group(1)))
        .plusHours(number(parts.group(2)))
        .plusMinutes(number(parts.group(3)))
        .plusSeconds(number(parts.group(4)))
        .toSeconds();
  }

  /** Returns the number that a text is; 0 if it is none, or absent. */
  static int number(@Nullable String text) {
    return text != null && text.strip().matches("\\d{1,9}") ? Integer.parseInt(text.strip()) : 0;
  }

  /**
   * Tries options of a submission one by one, each beside those that every job needs.
   *
   * @param refusals receives those that the dry run refuses
   * @return whether a job without these options is accepted; if not, none is tried
   */
  static boolean tried(
      CommandRunner commands, DryRun dryRun, List<Option> options, List<Refusal> refusals)
      throws IOException {
    var plain = commands.run(dryRun.command(List.of()));
    if (plain.exitCode() != 0) {
      refusals.add(new Refusal("", shortened(plain)));
      return false;
    }
    for (var option : options) {
      var answer = commands.run(dryRun.command(option.words()));
      if (answer.exitCode() != 0) {
        refusals.add(new Refusal(option.name(), shortened(answer)));
      }
    }
    return true;
  }

  /** A submission that only checks a job. */
  interface DryRun {

    /** Returns the command with some more options. */
    List<String> command(List<String> options);
  }

  /**
   * An option that Troupe may pass.
   *
   * @param name as the attribute {@code skip} takes it
   */
  record Option(String name, List<String> words) {}

  private static String shortened(Answer answer) {
    var message = answer.message();
    return message.length() > 300 ? message.substring(0, 300) + "..." : message;
  }

  /** Returns a command with options in the middle. */
  static List<String> with(List<String> start, List<String> options, List<String> end) {
    var command = new ArrayList<>(start);
    command.addAll(options);
    command.addAll(end);
    return command;
  }
}
