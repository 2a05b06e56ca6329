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

  private static final Pattern QUEUE = Pattern.compile("(?m)^Queue:\\s*(\\S+)");
  private static final Pattern ATTRIBUTE = Pattern.compile("(?m)^\\s+([\\w.]+) = (.*)$");

  /** A line of the table of limits: queue, memory, CPU time, wall time. */
  private static final Pattern LIMIT =
      Pattern.compile("(?m)^(\\S+) +\\S+ +\\S+ +(\\d+:\\d+:\\d+) ");

  private static final Pattern PROCESSORS =
      Pattern.compile("(?m)^\\s+(?:np|resources_available\\.ncpus) = (\\d+)");

  @Override
  public Found ask(CommandRunner commands) throws IOException {
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
    var queues = new ArrayList<Queue>();
    for (var text : answer.output().split("(?m)^(?=Queue:)")) {
      var name = QUEUE.matcher(text);
      if (name.find()) {
        var attributes = attributes(text);
        if (isOpen(attributes)) {
          queues.add(queue(name.group(1), attributes, limits, processors));
        }
      }
    }
    if (queues.size() == 1) {
      var only = queues.getFirst();
      queues.set(0, new Queue(only.name(), true, only.longestSeconds(), only.nodes(), only.cpus()));
    }
    if (queues.isEmpty()) {
      remarks.add("PBS has no queue that is enabled and started; ask its administrator");
    }
    queues.sort(BEST_FIRST);
    return new Found(queues, List.of(), List.of(), false, List.of(), remarks);
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

  /** A queue of type Route passes its jobs on to others, which users may name, too. */
  private static boolean isOpen(Map<String, String> attributes) {
    return isYes(attributes.get("enabled")) && isYes(attributes.get("started"));
  }

  private static boolean isYes(@Nullable String value) {
    return "yes".equalsIgnoreCase(value) || "true".equalsIgnoreCase(value);
  }

  private static Queue queue(
      String name,
      Map<String, String> attributes,
      Map<String, Long> limits,
      List<Integer> processors) {
    var longest = QueueSurvey.seconds(attributes.getOrDefault("resources_max.walltime", ""));
    return new Queue(
        name,
        false,
        longest == 0 ? limits.getOrDefault(name, 0L) : longest,
        processors.size(),
        processors.stream().mapToInt(each -> each).min().orElse(0));
  }
}
