package org.troupe.deployment.site;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.troupe.deployment.site.SiteFacts.Queue;

/** The facts about a site, for users. */
final class SiteText {

  private SiteText() {}

  /** Returns the facts in lines. */
  static List<String> of(SiteFacts facts) {
    var lines = new ArrayList<String>();
    lines.add(
        "%s at %s (%s), asked at %s"
            .formatted(facts.scheduler().title(), facts.host(), facts.system(), facts.asked()));
    for (var queue : facts.queues()) {
      lines.add(queue.title() + ": " + limits(queue));
    }
    list(lines, "accounts", facts.accounts());
    list(lines, "parallel environments that spread jobs", facts.parallelEnvironments());
    if (facts.scheduler() != SiteFacts.Scheduler.NONE && !facts.hasDryRun()) {
      lines.add(facts.scheduler().title() + " has no dry run: refused options show in 'deploy'");
    }
    for (var refusal : facts.refusals()) {
      lines.add(
          refusal.option().isEmpty()
              ? "its dry run refuses every job: " + refusal.reason()
              : "it refuses %s, which the descriptor skips: %s"
                  .formatted(refusal.option(), refusal.reason()));
    }
    list(lines, "Java", facts.java());
    if (facts.java().isEmpty()) {
      lines.add("no Java was found, so nodes bring their own");
    }
    list(lines, "modules with Java", facts.modules());
    list(lines, "writable folders, with the free GiB", facts.scratch());
    lines.add(
        facts.dialled().isEmpty()
            ? "it cannot connect to this machine: its nodes are relayed over the ssh connection"
            : "it can connect to this machine at " + String.join(", ", facts.dialled()));
    lines.addAll(facts.remarks());
    return lines;
  }

  private static void list(List<String> lines, String title, List<String> values) {
    if (!values.isEmpty()) {
      lines.add(title + ": " + String.join(", ", values));
    }
  }

  /** Returns the limits of a queue. */
  static String limits(Queue queue) {
    return (queue.longestSeconds() == 0
            ? "no known time limit"
            : "up to " + time(queue.longestSeconds()))
        + (queue.nodes() == 0 ? "" : ", " + count(queue.nodes(), "machine"))
        + (queue.cpus() == 0 ? "" : " of " + count(queue.cpus(), "processor"));
  }

  private static String count(int number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }

  static String time(long seconds) {
    var time = Duration.ofSeconds(seconds);
    return "%02d:%02d:%02d".formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }
}
