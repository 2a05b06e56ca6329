package org.troupe.deployment.site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.site.SiteFacts.Queue;
import org.troupe.deployment.site.SiteFacts.Refusal;

/** Asks Grid Engine. */
final class GridEngineSurvey implements QueueSurvey {

  /*
   * A parallel environment says by its allocation rule how slots are distributed. A job of several machines needs a
   * rule of one slot for each machine; round robin gives the same while the machines are free. The other rules fill
   * machines. A job is submitted with -w v, which only verifies it.
   */
  private static final List<String> RULES = List.of("1", "$round_robin");

  private static final Pattern FIELD = Pattern.compile("(?m)^(\\w+) +(.*)$");

  private record Environment(String name, String rule) {}

  @Override
  public Queues queues(CommandRunner commands) throws IOException {
    return queues(commands, new TreeMap<>());
  }

  /**
   * @param environments receives the parallel environments of each queue
   */
  private static Queues queues(CommandRunner commands, Map<String, List<String>> environments)
      throws IOException {
    var remarks = new ArrayList<String>();
    var names = words(commands, List.of("qconf", "-sql"), remarks);
    var slots = slots(commands);
    var queues = new ArrayList<Queue>();
    for (var name : names) {
      var fields = fields(commands.run(List.of("qconf", "-sq", name)).output());
      if (!fields.getOrDefault("qtype", "").contains("BATCH")) {
        continue;
      }
      var cpus = QueueSurvey.number(fields.getOrDefault("slots", "").split(",")[0]);
      queues.add(
          new Queue(
              name,
              names.size() == 1 || name.equals("all.q"),
              QueueSurvey.seconds(fields.getOrDefault("h_rt", "")),
              cpus == 0 ? 0 : slots.getOrDefault(name, 0) / cpus,
              cpus));
      environments.put(name, List.of(fields.getOrDefault("pe_list", "").strip().split("[ ,]+")));
    }
    queues.sort(BEST_FIRST);
    if (queues.isEmpty()) {
      remarks.add("Grid Engine has no queue for batch jobs; ask its administrator");
    }
    return Queues.open(queues, remarks);
  }

  @Override
  public Found ask(CommandRunner commands) throws IOException {
    var environments = new TreeMap<String, List<String>>();
    var found = queues(commands, environments);
    var queues = found.open();
    var remarks = new ArrayList<>(found.remarks());
    if (queues.isEmpty()) {
      return new Found(List.of(), List.of(), List.of(), false, List.of(), remarks);
    }
    var queue = queues.getFirst().name();
    var spreading = spreading(commands, environments.getOrDefault(queue, List.of()));
    if (spreading.isEmpty()) {
      remarks.add(
          "the queue '%s' has no parallel environment that spreads jobs, so a job has one machine; ask its administrator for one with the allocation rule 1"
              .formatted(queue));
    }
    var refusals = new ArrayList<Refusal>();
    var project = project(commands, queue);
    QueueSurvey.tried(
        commands,
        options -> dryRun(queue, project, options),
        Stream.concat(
                spreading.stream()
                    .limit(1)
                    .map(name -> new Option("-pe", List.of("-pe", name, "1"))),
                Stream.of(
                    new Option("-r", List.of("-r", "n")),
                    new Option("mem_free", List.of("-l", "mem_free=1M")),
                    new Option("h_rt", List.of("-l", "h_rt=60"))))
            .toList(),
        refusals);
    return new Found(queues, project.stream().toList(), spreading, true, refusals, remarks);
  }

  private static List<String> words(
      CommandRunner commands, List<String> command, List<String> remarks) throws IOException {
    var answer = commands.run(command);
    if (answer.exitCode() != 0) {
      remarks.add("Grid Engine does not answer: " + answer.message());
      return List.of();
    }
    return answer.output().lines().map(String::strip).filter(each -> !each.isEmpty()).toList();
  }

  private static Map<String, String> fields(String text) {
    var fields = new HashMap<String, String>();
    FIELD
        .matcher(text.replaceAll("\\\\\\n\\s*", " ")) // long values continue on the next line
        .results()
        .forEach(each -> fields.put(each.group(1), each.group(2).strip()));
    return fields;
  }

  /** Returns the slots of each queue in all, the sixth column of a table. */
  private static Map<String, Integer> slots(CommandRunner commands) throws IOException {
    var slots = new HashMap<String, Integer>();
    commands
        .run(List.of("qstat", "-g", "c"))
        .output()
        .lines()
        .map(line -> line.strip().split(" +"))
        .filter(words -> words.length > 5)
        .forEach(words -> slots.put(words[0], QueueSurvey.number(words[5])));
    return slots;
  }

  /** Returns the environments that spread jobs, the best first. */
  private static List<String> spreading(CommandRunner commands, List<String> names)
      throws IOException {
    var environments = new ArrayList<Environment>();
    for (var name : names) {
      if (name.matches("[\\w.-]+") && !name.equals("NONE")) {
        var fields = fields(commands.run(List.of("qconf", "-sp", name)).output());
        environments.add(new Environment(name, fields.getOrDefault("allocation_rule", "")));
      }
    }
    return environments.stream()
        .filter(each -> RULES.contains(each.rule()))
        .sorted(Comparator.comparingInt(each -> RULES.indexOf(each.rule())))
        .map(Environment::name)
        .toList();
  }

  private static List<String> dryRun(String queue, Optional<String> project, List<String> options) {
    var start =
        new ArrayList<>(List.of("qsub", "-w", "v", "-b", "y", "-N", "troupe-site", "-q", queue));
    project.ifPresent(name -> start.addAll(List.of("-P", name)));
    return QueueSurvey.with(start, options, List.of("/bin/true"));
  }

  /** Returns a project that is accepted, if jobs without one are not. */
  private static Optional<String> project(CommandRunner commands, String queue) throws IOException {
    var projects = commands.run(List.of("qconf", "-sprjl")); // an error if there are none
    if (projects.exitCode() != 0
        || commands.run(dryRun(queue, Optional.empty(), List.of())).exitCode() == 0) {
      return Optional.empty();
    }
    for (var name : projects.output().strip().split("\\s+")) {
      var answer = commands.run(dryRun(queue, Optional.of(name), List.of()));
      if (answer.exitCode() == 0) {
        return Optional.of(name);
      }
    }
    return Optional.empty();
  }
}
