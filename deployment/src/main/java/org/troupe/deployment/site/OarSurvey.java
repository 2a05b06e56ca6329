package org.troupe.deployment.site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.process.CommandRunner.Answer;
import org.troupe.deployment.site.SiteFacts.Queue;
import org.troupe.deployment.site.SiteFacts.Refusal;

/** Asks OAR, which has no dry run. */
final class OarSurvey implements QueueSurvey {

  /*
   * The queues and their limits are in rules that only OAR's administrator can read. One of these rules chooses a queue
   * for jobs that name none, so the descriptor names none.
   */
  private static final List<String> STATES = List.of("oarnodes", "-s");

  private static final Pattern MACHINE = Pattern.compile("\\S+");
  private static final Pattern RESOURCE = Pattern.compile("\\s+(\\d+) : Alive\\s*");
  private static final Pattern CORE = Pattern.compile("[:,]\\s*core=");

  @Override
  public Queues queues(CommandRunner commands) throws IOException {
    var answer = commands.run(STATES);
    return queues(answer, machines(answer.output()));
  }

  private static Queues queues(Answer answer, Map<String, List<String>> machines) {
    if (answer.exitCode() != 0) {
      return Queues.open(List.of(), List.of("OAR does not answer: " + answer.message()));
    }
    if (machines.isEmpty()) {
      return Queues.open(
          List.of(), List.of("OAR has no machine that is alive; ask its administrator"));
    }
    var least = machines.values().stream().mapToInt(List::size).min().orElse(0);
    return Queues.open(List.of(new Queue("", true, 0, machines.size(), least)), List.of());
  }

  @Override
  public Found ask(CommandRunner commands) throws IOException {
    var refusals = new ArrayList<Refusal>();
    var answer = commands.run(STATES);
    var machines = machines(answer.output());
    var queues = queues(answer, machines);
    if (!queues.open().isEmpty()) {
      var resource = machines.values().iterator().next().getFirst();
      var properties = commands.run(List.of("oarnodes", "-r", resource));
      if (properties.exitCode() == 0 && !CORE.matcher(properties.output()).find()) {
        refusals.add(new Refusal("core", "its machines have no property 'core'"));
      }
    }
    return new Found(queues.open(), List.of(), List.of(), false, refusals, queues.remarks());
  }

  /** Returns the resources of each machine that are alive. */
  private static Map<String, List<String>> machines(String output) {
    var machines = new LinkedHashMap<String, List<String>>();
    var machine = "";
    for (var line : output.lines().toList()) {
      var resource = RESOURCE.matcher(line);
      if (resource.matches()) {
        machines.computeIfAbsent(machine, key -> new ArrayList<>()).add(resource.group(1));
      } else if (MACHINE.matcher(line).matches()) {
        machine = line;
      }
    }
    return machines;
  }
}
