package org.troupe.deployment.site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.site.SiteFacts.Queue;

/** Asks HTCondor, which has no queues. Its dry run checks no option against the machines. */
final class HtcondorSurvey implements QueueSurvey {

  /** The slots with their processors; dynamic ones are parts of others. */
  private static final List<String> SLOTS =
      List.of(
          "condor_status",
          "-constraint",
          "SlotType =!= \"Dynamic\"",
          "-af",
          "Machine",
          "TotalSlotCpus");

  @Override
  public Found ask(CommandRunner commands) throws IOException {
    var found = queues(commands);
    return new Found(found.open(), List.of(), List.of(), false, List.of(), found.remarks());
  }

  @Override
  public Queues queues(CommandRunner commands) throws IOException {
    var remarks = new ArrayList<String>();
    var queues = new ArrayList<Queue>();
    var answer = commands.run(SLOTS);
    var machines = processors(answer.output());
    if (answer.exitCode() != 0) {
      remarks.add("HTCondor does not answer: " + answer.message());
    } else if (machines.isEmpty()) {
      remarks.add("HTCondor has no machine that takes jobs; ask its administrator");
    } else {
      var least = machines.values().stream().mapToInt(each -> each).min().orElse(0);
      queues.add(new Queue("", true, 0, machines.size(), least));
    }
    return Queues.open(queues, remarks);
  }

  /** Returns the processors of each machine. */
  private static Map<String, Integer> processors(String output) {
    var machines = new TreeMap<String, Integer>();
    for (var line : output.lines().toList()) {
      var words = line.strip().split(" +");
      if (words.length == 2 && QueueSurvey.number(words[1]) > 0) {
        machines.merge(words[0], QueueSurvey.number(words[1]), Integer::sum);
      }
    }
    return machines;
  }
}
