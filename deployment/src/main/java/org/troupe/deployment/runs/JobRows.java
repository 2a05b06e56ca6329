package org.troupe.deployment.runs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.troupe.deployment.model.JobStatus;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.process.HiddenValues;
import org.troupe.deployment.watch.WatchRecord;

/** The rows of the jobs of a grid. */
final class JobRows {

  private static final int LONGEST_COMMAND = 16_000;

  private JobRows() {}

  /**
   * Returns the rows of jobs, with the facts that their nodes report.
   *
   * @param jvmOptions the options of JVMs by the ids of their elements
   */
  static List<WatchRecord.Job> of(
      List<JobStatus> jobs, List<NodeStatus> nodes, Map<String, List<String>> jvmOptions) {
    var byElement = nodes.stream().collect(Collectors.groupingBy(each -> each.plan().element()));
    List<WatchRecord.Job> rows = new ArrayList<>();
    for (var each : jobs) {
      var its =
          byElement.getOrDefault(each.element(), List.of()).stream()
              .filter(node -> isOf(each, number(node)))
              .toList();
      rows.add(row(each, its, jvmOptions.getOrDefault(each.element(), List.of())));
    }
    return rows;
  }

  private static boolean isOf(JobStatus job, int number) {
    return job.job().isEmpty() && job.state().isEmpty() // all nodes of its element
        || number >= job.first() && number < job.first() + job.jvms();
  }

  private static int number(NodeStatus node) {
    var name = node.plan().name();
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
  }

  private static WatchRecord.Job row(
      JobStatus job, List<NodeStatus> nodes, List<String> jvmOptions) {
    var joined =
        (int) nodes.stream().filter(each -> each.state() == NodeStatus.State.JOINED).count();
    var command = job.command();
    return new WatchRecord.Job(
        nodes.isEmpty() ? "" : nodes.getFirst().plan().place().toString(),
        job.first(),
        job.element(),
        job.system(),
        command.length() <= LONGEST_COMMAND ? command : command.substring(0, LONGEST_COMMAND),
        jvmOptions.stream().map(HiddenValues::option).toList(),
        job.job(),
        job.state().isEmpty() ? state(nodes, joined) : job.state(),
        job.reason(),
        job.submitMillis(),
        job.startMillis(),
        job.endMillis(),
        job.limitSeconds(),
        job.nodesAsked(),
        job.nodesGranted(),
        job.jvms(),
        joined,
        job.copied().bytes(),
        job.copied().files(),
        job.copied().cached(),
        job.copied().seconds(),
        job.output());
  }

  /** Returns the state of JVMs that no batch system starts. */
  private static String state(List<NodeStatus> nodes, int joined) {
    if (!nodes.isEmpty()
        && nodes.stream().allMatch(each -> each.state() == NodeStatus.State.ENDED)) {
      return "ended";
    }
    return joined == 0 ? "submitting" : "running";
  }
}
