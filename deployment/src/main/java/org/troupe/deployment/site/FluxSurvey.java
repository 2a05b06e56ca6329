package org.troupe.deployment.site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.site.SiteFacts.Queue;

/** Asks Flux. Its dry run prints a job without checking it: no option is known to be refused. */
final class FluxSurvey implements QueueSurvey {

  /*
   * The usual queue has an asterisk behind its name. An instance without named queues has one whose name is empty.
   * Flux prints a check mark for yes, or a letter where the locale lacks that mark.
   */
  private static final String USUAL = "*";
  private static final Set<String> YES = Set.of("\u2714", "y");

  private static final List<String> FIELDS =
      List.of(
          "queuem",
          "enabled",
          "started",
          "limits.timelimit",
          "resources.all.nnodes",
          "resources.all.ncores");

  private static final List<String> QUEUES =
      List.of("flux", "queue", "list", "-n", "--format={" + String.join("}|{", FIELDS) + "}");

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
    for (var line : answer.output().lines().toList()) {
      var values = line.strip().split("\\|", -1);
      if (values.length != FIELDS.size()) {
        continue;
      }
      var queue = queue(values);
      if (!YES.contains(values[1])) {
        closed.add(new ClosedQueue(queue.name(), "is not enabled"));
      } else if (!YES.contains(values[2])) {
        closed.add(new ClosedQueue(queue.name(), "is stopped: jobs only wait there"));
      } else {
        queues.add(queue);
      }
    }
    queues.sort(BEST_FIRST);
    if (answer.exitCode() != 0) {
      remarks.add("Flux does not answer: " + answer.message());
    } else if (queues.isEmpty()) {
      remarks.add("Flux has no queue that is enabled and started; ask its administrator");
    }
    return new Queues(queues, closed, remarks);
  }

  private static Queue queue(String[] values) {
    var name = values[0].replace(USUAL, "");
    var nodes = QueueSurvey.number(values[4]);
    return new Queue(
        name,
        name.isEmpty() || values[0].endsWith(USUAL),
        QueueSurvey.number(values[3].split("\\.", -1)[0]), // "inf" if there is no limit
        nodes,
        nodes == 0 ? 0 : QueueSurvey.number(values[5]) / nodes);
  }
}
