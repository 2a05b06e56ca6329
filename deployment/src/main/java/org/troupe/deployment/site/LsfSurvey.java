package org.troupe.deployment.site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.site.SiteFacts.Queue;

/** Asks LSF, which has no dry run: no option is known to be refused. */
final class LsfSurvey implements QueueSurvey {

  private static final List<String> QUEUES = List.of("bqueues", "-l");
  private static final List<String> MACHINES = List.of("bhosts", "-w");

  private static final String USUAL = "This is the default queue";
  private static final Pattern NAME = Pattern.compile("(?m)^QUEUE: *(\\S+)");
  private static final Pattern STATUS = Pattern.compile(" (Open|Closed):(\\w+)");

  /** Precedes the limits of jobs, behind the defaults, if there are defaults. */
  private static final String MAXIMUM = "MAXIMUM LIMITS:";

  /** Behind the limit of processor time, if there is one. */
  private static final Pattern TIME_LIMIT =
      Pattern.compile(
          "(?m)^ (?:RUNLIMIT.*\\n|CPULIMIT +RUNLIMIT.*\\n.*? min(?: of \\S+)? +) *([\\d.]+) min");

  private static final Pattern HOSTS = Pattern.compile("(?m)^HOSTS: *(.*)$");

  @Override
  public Found ask(CommandRunner commands) throws IOException {
    var found = queues(commands);
    return new Found(found.open(), List.of(), List.of(), false, List.of(), found.remarks());
  }

  @Override
  public Queues queues(CommandRunner commands) throws IOException {
    var remarks = new ArrayList<String>();
    var queues = new ArrayList<Queue>();
    var closed = new ArrayList<ClosedQueue>();
    var answer = commands.run(QUEUES);
    var slots = slots(commands.run(MACHINES).output());
    for (var text : answer.output().split("(?m)^(?=QUEUE:)")) {
      var name = first(NAME, text);
      if (name.isPresent()) {
        var why = whyClosed(text);
        if (why.isEmpty()) {
          queues.add(queue(name.get(), text, slots));
        } else {
          closed.add(new ClosedQueue(name.get(), why));
        }
      }
    }
    queues.sort(BEST_FIRST);
    if (answer.exitCode() != 0) {
      remarks.add("LSF does not answer: " + answer.message());
    } else if (queues.isEmpty()) {
      remarks.add("LSF has no queue that is open and active; ask its administrator");
    }
    return new Queues(queues, closed, remarks);
  }

  private static Optional<String> first(Pattern pattern, String text) {
    var match = pattern.matcher(text);
    return match.find() ? Optional.of(match.group(1)) : Optional.empty();
  }

  /** Returns the job slots of each machine that runs jobs. */
  private static Map<String, Integer> slots(String output) {
    var slots = new HashMap<String, Integer>();
    for (var line : output.lines().skip(1).toList()) {
      var words = line.strip().split(" +");
      if (words.length > 3 && !words[1].startsWith("un") && !words[3].equals("0")) {
        slots.put(words[0], QueueSurvey.number(words[3])); // a hyphen if it has no limit
      }
    }
    return slots;
  }

  /** Returns why a queue takes no jobs, or does not start them; empty if it does both. */
  private static String whyClosed(String text) {
    var status = STATUS.matcher(text);
    if (!status.find()) {
      return "has no status";
    }
    if (status.group(1).equals("Closed")) {
      return "is closed";
    }
    // A queue outside of its time window opens by itself.
    return status.group(2).startsWith("Inact") && !status.group(2).equals("Inact_Win")
        ? "is not active: jobs only wait there"
        : "";
  }

  /** The machines of a queue are not known if it names groups of them. */
  private static Queue queue(String name, String text, Map<String, Integer> slots) {
    var named = first(HOSTS, text).orElse("all").strip();
    var machines =
        named.equals("all") || named.startsWith("all ")
            ? List.copyOf(slots.keySet())
            : Arrays.stream(named.split(" +")).filter(slots::containsKey).toList();
    var limits = text.substring(Math.max(0, text.indexOf(MAXIMUM)));
    var longest = first(TIME_LIMIT, limits).map(Double::parseDouble).orElse(0.0);
    return new Queue(
        name,
        text.contains(USUAL),
        Math.round(longest * 60),
        machines.size(),
        machines.stream().mapToInt(machine -> slots.getOrDefault(machine, 0)).min().orElse(0));
  }
}
