package org.troupe.deployment.launch;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.deployment.batch.BatchJob;
import org.troupe.deployment.batch.BatchOptions;
import org.troupe.deployment.batch.BatchSystems;
import org.troupe.deployment.batch.JobScript;
import org.troupe.deployment.batch.JobWatch;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.node.NodeSettings;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.ShellLine;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.ssh.Forwarders;
import org.troupe.deployment.staging.JavaCommand;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.SourceProblem;
import org.troupe.links.Address;

/** Starts JVMs through a batch system: one job for all nodes of an element. */
public final class BatchLauncher implements Launcher, BatchJob.Site {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  private final BatchJvms element;
  private final List<String> virtualNodes;
  private final MachineRegistry machines;
  private final JavaCommand java;
  private final TreeMap<Integer, BatchJob> jobs = new TreeMap<>(); // by first number; under this

  public BatchLauncher(BatchJvms element, List<String> virtualNodes, MachineRegistry machines) {
    this.element = element;
    this.virtualNodes = virtualNodes;
    this.machines = machines;
    java = new JavaCommand(element.jvm(), machines.run());
  }

  @Override
  public List<String> problems() {
    var problems = new ArrayList<>(java.classPathProblems());
    problems.addAll(BatchOptions.problems(element));
    if (element.via().isPresent()) {
      try {
        machines.describe(element.via().get());
      } catch (IOException e) {
        problems.add(
            new SourceProblem(
                    element.place(), String.valueOf(e.getMessage()), "see the ssh configuration")
                .toString());
      }
    }
    return problems;
  }

  @Override
  public List<PlannedNode> nodes() {
    return nodes(0, element);
  }

  /** Plans one more job, of whole machines. */
  @Override
  public List<PlannedNode> more(int planned, int count) {
    var each = element.jvmsPerNode();
    var asked = element.withNodes((count + each - 1) / each);
    addJob(planned, asked);
    return nodes(planned, asked);
  }

  private List<PlannedNode> nodes(int planned, BatchJvms asked) {
    var line = ShellLine.plain(plannedCommand(), element.jvm().environment(), Optional.empty());
    return IntStream.rangeClosed(planned + 1, planned + asked.nodes() * asked.jvmsPerNode())
        .mapToObj(
            number ->
                new PlannedNode(
                    element.id() + "-" + number,
                    virtualNodes,
                    BatchSystems.name(element),
                    line,
                    element.place()))
        .toList();
  }

  private List<String> plannedCommand() {
    try {
      return element.via().isPresent()
          ? java.on(machines.staging().planned(element.jvm()))
          : java.here();
    } catch (IOException e) {
      return List.of("java"); // one of the problems
    }
  }

  @Override
  public String preparation() {
    var folder =
        "HOME/"
            + RunJournal.RUNS
            + "RUN-"
            + element.id(); // the text explains the words in capitals
    return """
        the job of '%s' is submitted to %s by
          %s
        with this script (HOME is the home directory there, RUN a new name for each run):
        %s%s"""
        .formatted(
            element.id(),
            BatchSystems.name(element),
            ShellLine.of(BatchSystems.submission(element, folder)),
            JobScript.of(element, folder, plannedCommand()).indent(2).stripTrailing(),
            forwarder());
  }

  /** Describes the forwarder on the front end. */
  private String forwarder() {
    if (element.via().isEmpty()) {
      return "";
    }
    try {
      return """

          nodes that cannot reach this machine themselves go through a process on %s, which is started by
            %s
          (PORT is one that ssh forwards from there to here)"""
          .formatted(
              element.via().get().host(),
              ShellLine.of(
                  Forwarders.command(
                      machines.run(),
                      machines.staging().planned(element.jvm()),
                      element.cluster().networks(),
                      "PORT")));
    } catch (IOException e) {
      return ""; // one of the problems
    }
  }

  /** Returns the process of a node; its job is submitted when all nodes have their settings. */
  @Override
  public StartedProcess start(PlannedNode node) {
    var index = Integer.parseInt(node.name().substring(element.id().length() + 1)) - 1;
    addJob(0, element);
    synchronized (this) {
      var its = jobs.floorEntry(index);
      return its.getValue().node(index - its.getKey());
    }
  }

  private synchronized void addJob(int first, BatchJvms asked) {
    if (!jobs.containsKey(first)) {
      var name = machines.run().id() + "-" + element.id() + (first == 0 ? "" : "." + first);
      var job = new BatchJob(asked, name, this);
      jobs.put(first, job);
      machines.batchSystems().add(job);
    }
  }

  // The needs of the job

  @Override
  public RunJournal run() {
    return machines.run();
  }

  @Override
  public Machine machine() throws IOException {
    return machines.of(element.via());
  }

  @Override
  public JobWatch watch(Machine machine) throws IOException {
    return machines.batchSystems().of(element, machine);
  }

  @Override
  public List<String> command(Machine machine) throws IOException {
    return element.via().isPresent()
        ? java.on(machines.staging().on(machine, element.jvm()))
        : java.here();
  }

  /** Adds the forwarder's addresses, since nodes behind a front end may have no other route. */
  @Override
  public List<byte[]> withRoutes(List<byte[]> settings) throws IOException {
    if (element.via().isEmpty()) {
      return settings;
    }
    var nodes = new ArrayList<NodeSettings>();
    for (var each : settings) {
      nodes.add(NodeSettings.read(new ByteArrayInputStream(each)));
    }
    var addresses = addressesOfForwarder(nodes.getFirst().contact());
    var fitted = new ArrayList<byte[]>();
    for (var each : nodes) {
      var bytes = new ByteArrayOutputStream();
      each.withContact(GridMember.contact(each.contact(), address -> with(addresses, address)))
          .write(bytes);
      fitted.add(bytes.toByteArray());
    }
    return fitted;
  }

  private List<InetSocketAddress> addressesOfForwarder(String contact) {
    try {
      var frontEnd = machines.of(element.via().orElseThrow());
      return machines
          .forwarders()
          .through(
              frontEnd,
              machines.staging().on(frontEnd, element.jvm()),
              element.cluster().networks(),
              Address.parse(GridMember.address(contact)).port());
    } catch (IOException e) {
      LOG.log(
          Level.INFO,
          "the nodes of ''{0}'' get no route through their front end, and depend on other routes: {1}",
          element.id(),
          e.getMessage());
      return List.of();
    }
  }

  private static String with(List<InetSocketAddress> addresses, String address) {
    var all = Address.parse(address);
    for (var way : addresses) {
      all = all.withTunnel(way.getHostString(), way.getPort());
    }
    return all.toString();
  }
}
