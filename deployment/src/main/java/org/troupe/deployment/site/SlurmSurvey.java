package org.troupe.deployment.site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.site.SiteFacts.Queue;
import org.troupe.deployment.site.SiteFacts.Refusal;

/** Asks Slurm. */
final class SlurmSurvey implements QueueSurvey {

  /*
   * The accounts come from the accounting database, which small sites do not have. A job is submitted with --test-only,
   * which checks it and returns the time at which it would start.
   */
  private static final Pattern FIELD = Pattern.compile("(\\S+?)=(\\S*)");

  private static final List<String> PARTITIONS = List.of("scontrol", "show", "partition", "-o");
  private static final List<String> ACCOUNTS =
      List.of(
          "/bin/sh",
          "-c",
          "exec sacctmgr -nP show assoc user=\"$(id -un)\" format=Account,Partition");

  @Override
  public Queues queues(CommandRunner commands) throws IOException {
    var remarks = new ArrayList<String>();
    var queues = new ArrayList<Queue>();
    var closed = new ArrayList<ClosedQueue>();
    var partitions = commands.run(PARTITIONS);
    if (partitions.exitCode() != 0) {
      remarks.add("Slurm does not answer: " + partitions.message());
    }
    for (var line : partitions.output().lines().filter(each -> !each.isBlank()).toList()) {
      var fields = fields(line);
      var state = fields.getOrDefault("State", "");
      if ("YES".equals(fields.get("RootOnly"))) {
        closed.add(new ClosedQueue(queue(fields).name(), "takes jobs of administrators only"));
      } else if (!state.equals("UP")) {
        closed.add(new ClosedQueue(queue(fields).name(), "is not up: its state is " + state));
      } else {
        queues.add(queue(fields));
      }
    }
    queues.sort(BEST_FIRST);
    if (queues.isEmpty()) {
      remarks.add("Slurm has no partition that is up; ask its administrator");
    }
    return new Queues(queues, closed, remarks);
  }

  @Override
  public Found ask(CommandRunner commands) throws IOException {
    var found = queues(commands);
    var queues = found.open();
    var accounts = accounts(commands);
    var refusals = new ArrayList<Refusal>();
    if (!queues.isEmpty()) {
      var start = new ArrayList<>(List.of("sbatch", "--test-only", "--job-name=troupe-site"));
      start.add("--nodes=1");
      start.add("--partition=" + queues.getFirst().name());
      accounts.stream().findFirst().ifPresent(account -> start.add("--account=" + account));
      QueueSurvey.tried(
          commands,
          options -> QueueSurvey.with(start, options, List.of("--wrap", "true")),
          List.of(
              new Option("--no-requeue", List.of("--no-requeue")),
              new Option("--ntasks-per-node", List.of("--ntasks-per-node=1")),
              new Option("--cpus-per-task", List.of("--cpus-per-task=1")),
              new Option("--mem", List.of("--mem=256M")),
              new Option("--time", List.of("--time=00:01:00"))),
          refusals);
    }
    return new Found(queues, accounts, List.of(), !queues.isEmpty(), refusals, found.remarks());
  }

  private static Map<String, String> fields(String line) {
    var fields = new HashMap<String, String>();
    FIELD.matcher(line).results().forEach(each -> fields.put(each.group(1), each.group(2)));
    return fields;
  }

  private static Queue queue(Map<String, String> fields) {
    var nodes = QueueSurvey.number(fields.get("TotalNodes"));
    return new Queue(
        fields.getOrDefault("PartitionName", ""),
        "YES".equals(fields.get("Default")),
        QueueSurvey.seconds(fields.getOrDefault("MaxTime", "")),
        nodes,
        nodes == 0 ? 0 : QueueSurvey.number(fields.get("TotalCPUs")) / nodes);
  }

  private static List<String> accounts(CommandRunner commands) throws IOException {
    var answer = commands.run(ACCOUNTS);
    return answer.exitCode() != 0
        ? List.of()
        : answer
            .output()
            .lines()
            .map(line -> line.split("\\|", -1)[0].strip())
            .filter(account -> !account.isEmpty())
            .distinct()
            .toList();
  }
}
