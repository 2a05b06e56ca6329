package org.troupe.deployment.site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner;
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
  public Found ask(CommandRunner commands) throws IOException {
    var remarks = new ArrayList<String>();
    var refusals = new ArrayList<Refusal>();
    var queues = new ArrayList<Queue>();
    var answer = commands.run(STATES);
    var machines = machines(answer.output());
    if (answer.exitCode() != 0) {
      remarks.add("OAR does not answer: " + answer.message());
    } else if (machines.isEmpty()) {
      remarks.add("OAR has no machine that is alive; ask its administrator");
    } else {
      var least = machines.values().stream().mapToInt(List::size).min().orElse(0);
      queues.add(new Queue("", true, 0, machines.size(), least));
      var resource = machines.values().iterator().next().getFirst();
      var properties = commands.run(List.of("oarnodes", "-r", resource));
      if (properties.exitCode() == 0 && !CORE.matcher(properties.output()).find()) {
        refusals.add(new Refusal("core", "its machines have no property 'core'"));
      }
    }
    return new Found(queues, List.of(), List.of(), false, refusals, remarks);
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
