package org.troupe.deployment.site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.site.SiteFacts.Queue;

/** Asks PBS, in any of its kinds. PBS has no dry run: no option is known to be refused. */
final class PbsSurvey implements QueueSurvey {

  private static final List<String> QUEUES = List.of("qstat", "-Q", "-f");
  private static final List<String> LIMITS = List.of("qstat", "-q");
  private static final List<String> MACHINES = List.of("pbsnodes", "-a");

  private static final List<String> SERVER = List.of("qstat", "-B", "-f");

  private static final Pattern DEFAULT_QUEUE = Pattern.compile("(?m)^\\s+default_queue = (\\S+)");
  private static final Pattern QUEUE = Pattern.compile("(?m)^Queue:\\s*(\\S+)");
  private static final Pattern ATTRIBUTE = Pattern.compile("(?m)^\\s+([\\w.]+) = (.*)$");

  /** A line of the table of limits: queue, memory, CPU time, wall time. */
  private static final Pattern LIMIT =
      Pattern.compile("(?m)^(\\S+) +\\S+ +\\S+ +(\\d+:\\d+:\\d+) ");

  private static final Pattern PROCESSORS =
      Pattern.compile("(?m)^\\s+(?:np|resources_available\\.ncpus) = (\\d+)");

  @Override
  public Found ask(CommandRunner commands) throws IOException {
    var found = queues(commands);
    return new Found(found.open(), List.of(), List.of(), false, List.of(), found.remarks());
  }

  @Override
  public Queues queues(CommandRunner commands) throws IOException {
    var remarks = new ArrayList<String>();
    var answer = commands.run(QUEUES);
    if (answer.exitCode() != 0) {
      remarks.add("PBS does not answer: " + answer.message());
    }
    var limits = new HashMap<String, Long>();
    LIMIT
        .matcher(commands.run(LIMITS).output())
        .results()
        .forEach(each -> limits.put(each.group(1), QueueSurvey.seconds(each.group(2))));
    var processors =
        PROCESSORS
            .matcher(commands.run(MACHINES).output())
            .results()
            .map(each -> QueueSurvey.number(each.group(1)))
            .toList();
    var usual = value(commands.run(SERVER).output(), DEFAULT_QUEUE);
    var queues = new ArrayList<Queue>();
    var closed = new ArrayList<ClosedQueue>();
    for (var text : answer.output().split("(?m)^(?=Queue:)")) {
      var name = QUEUE.matcher(text);
      if (name.find()) {
        var attributes = attributes(text);
        var why = whyClosed(attributes);
        if (why.isEmpty()) {
          queues.add(queue(name.group(1), usual, attributes, limits, processors));
        } else {
          closed.add(new ClosedQueue(name.group(1), why));
        }
      }
    }
    if (queues.size() == 1 && closed.isEmpty()) {
      var only = queues.getFirst();
      queues.set(0, new Queue(only.name(), true, only.longestSeconds(), only.nodes(), only.cpus()));
    }
    if (queues.isEmpty()) {
      remarks.add("PBS has no queue that is enabled and started; ask its administrator");
    }
    queues.sort(BEST_FIRST);
    return new Queues(queues, closed, remarks);
  }

  private static String value(String output, Pattern pattern) {
    var match = pattern.matcher(output);
    return match.find() ? match.group(1) : "";
  }

  private static Map<String, String> attributes(String text) {
    var attributes = new HashMap<String, String>();
    ATTRIBUTE
        .matcher(text)
        .results()
        .forEach(
            each -> attributes.put(each.group(1).toLowerCase(Locale.ROOT), each.group(2).strip()));
    return attributes;
  }

  /**
   * Returns why a queue takes no jobs, or does not start them; empty if it does both. A queue of
   * type Route passes its jobs on to others, most of which users may name, too.
   */
  private static String whyClosed(Map<String, String> attributes) {
    if (!isYes(attributes.get("enabled"))) {
      return "is not enabled";
    }
    if (isYes(attributes.get("from_route_only"))) {
      return "takes jobs from other queues only";
    }
    return isYes(attributes.get("started")) ? "" : "is stopped: jobs only wait there";
  }

  private static boolean isYes(@Nullable String value) {
    return "yes".equalsIgnoreCase(value) || "true".equalsIgnoreCase(value);
  }

  private static Queue queue(
      String name,
      String usual,
      Map<String, String> attributes,
      Map<String, Long> limits,
      List<Integer> processors) {
    var longest = QueueSurvey.seconds(attributes.getOrDefault("resources_max.walltime", ""));
    return new Queue(
        name,
        name.equals(usual),
        longest == 0 ? limits.getOrDefault(name, 0L) : longest,
        processors.size(),
        processors.stream().mapToInt(each -> each).min().orElse(0));
  }
}
