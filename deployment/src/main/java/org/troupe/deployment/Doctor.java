package org.troupe.deployment;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.troupe.activeobjects.hosting.ProgramClassPath;
import org.troupe.deployment.kubernetes.ClusterCheck;
import org.troupe.deployment.kubernetes.Kubectl;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.deployment.runs.ControlJson;
import org.troupe.deployment.site.QueueCheck;
import org.troupe.deployment.staging.ProgramFiles;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Infrastructure;
import org.troupe.descriptors.KubernetesJvms;
import org.troupe.descriptors.LocalJvms;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.SshJvms;

/**
 * Checks the prerequisites of a deployment: machines, Java, batch systems, network. Starts no node.
 */
public final class Doctor {

  /*
   * Each machine runs one script, for any POSIX shell, which prints facts; this class judges them. Whether a machine
   * can connect to this one is tried with a port that never accepts: the kernel completes the connection.
   */
  private static final String EXAMINATION =
      """
      port=$1; addresses=$2; shift 2
      echo "clock $(date +%s)"
      echo "free $(df -Pk "$HOME" | awk 'NR == 2 { print $4 }')"
      [ -w "$HOME" ] && echo "writable"
      for address in $addresses; do
        if command -v bash >/dev/null && command -v timeout >/dev/null &&
          timeout 3 bash -c ": </dev/tcp/$address/$port" 2>/dev/null; then
          echo "dials $address"
        fi
      done
      for program; do
        command -v "$program" >/dev/null || echo "lacks $program"
      done
      exit 0
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int AT_ONCE = 16;
  private static final long LEAST_FREE_KIB = 500_000;
  private static final long MOST_SECONDS_APART = 30;

  private final MachineRegistry machines;
  private final List<Finding> findings = new ArrayList<>(); // under itself

  /**
   * The result of one check.
   *
   * @param where the machine, or the descriptor's element
   * @param remedy what to do; empty if the check succeeded
   */
  public record Finding(String where, Grade grade, String what, String remedy) {

    /** The severity. */
    public enum Grade {
      /** The check succeeded. */
      WELL,
      /** The deployment will work, but with restrictions. */
      WARNING,
      /** The deployment will fail. */
      BAD
    }
  }

  private Doctor(MachineRegistry machines) {
    this.machines = machines;
  }

  /**
   * Checks this machine and each machine that the descriptor names; takes up to about a minute.
   *
   * @return the findings in the order of the descriptor, this machine first
   */
  public static List<Finding> examine(Descriptor descriptor) {
    try (var machines = new MachineRegistry(ProgramFiles.application(Doctor.class))) {
      return new Doctor(machines).all(descriptor);
    }
  }

  /** Returns findings as a JSON array. */
  public static String toJson(List<Finding> findings) {
    return ControlJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(findings);
  }

  private List<Finding> all(Descriptor descriptor) {
    well(
        "this machine",
        "Java "
            + Runtime.version()
            + ", "
            + ProgramClassPath.entries().size()
            + " class path entries");
    for (var problem : Plan.of(descriptor, machines).problems()) {
      bad("this machine", problem, "");
    }
    var visits = visits(descriptor);
    if (visits.stream().anyMatch(visit -> visit.login().isPresent())) {
      lookForSsh();
    }
    try (var port = new ServerSocket(0)) {
      examineAll(visits, port.getLocalPort());
    } catch (IOException e) {
      bad("this machine", "no port can be opened: " + e.getMessage(), "see what forbids it");
    }
    synchronized (findings) {
      return List.copyOf(findings);
    }
  }

  private void lookForSsh() {
    try {
      if (!machines.useSshProgram()) {
        warn(
            "this machine",
            "no ssh program is used; the built-in client logs in by public keys only",
            "if codes, passwords, certificates or proxy commands are needed, install OpenSSH's client and put 'ssh' on the PATH");
      }
    } catch (IOException e) {
      // Each login reports it.
    }
  }

  /** A machine, which is examined once, and the elements that need it. */
  private record Visit(Optional<Login> login, List<Infrastructure> elements) {

    String name() {
      return login.map(Login::host).orElse("this machine");
    }
  }

  private static List<Visit> visits(Descriptor descriptor) {
    Map<Optional<Login>, List<Infrastructure>> visits = new LinkedHashMap<>();
    for (var element : descriptor.infrastructure()) {
      var logins =
          switch (element) {
            case LocalJvms local -> Stream.<Optional<Login>>empty();
            case SshJvms ssh -> ssh.hosts().stream().map(Optional::of);
            case BatchJvms batch -> Stream.of(batch.via());
            case KubernetesJvms pods -> Stream.of(pods.via());
          };
      logins.forEach(login -> visits.computeIfAbsent(login, key -> new ArrayList<>()).add(element));
    }
    return visits.entrySet().stream().map(e -> new Visit(e.getKey(), e.getValue())).toList();
  }

  private void examineAll(List<Visit> visits, int port) {
    var bound = new Semaphore(AT_ONCE);
    try (var threads = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory())) {
      var answers =
          visits.stream()
              .map(
                  visit ->
                      CompletableFuture.supplyAsync(
                          () -> {
                            bound.acquireUninterruptibly();
                            try {
                              return examine(visit, port);
                            } finally {
                              bound.release();
                            }
                          },
                          threads))
              .toList();
      for (var each : answers) {
        var found = each.join();
        synchronized (findings) {
          findings.addAll(found);
        }
      }
    }
  }

  private List<Finding> examine(Visit visit, int port) {
    var its = new Doctor(machines);
    try {
      its.look(visit, port);
    } catch (IOException e) {
      its.bad(visit.name(), withoutName(visit, String.valueOf(e.getMessage())), "");
    }
    return its.findings;
  }

  /** Removes the name with which machines begin their messages. */
  private static String withoutName(Visit visit, String message) {
    var name = visit.name() + ": ";
    return message.startsWith(name) ? message.substring(name.length()) : message;
  }

  private void look(Visit visit, int port) throws IOException {
    var machine = machines.of(visit.login());
    var programs =
        visit.elements().stream().flatMap(each -> programs(each).stream()).distinct().toList();
    var command =
        new ArrayList<>(
            List.of(
                "/bin/sh",
                "-c",
                EXAMINATION,
                "sh",
                Integer.toString(port),
                visit.login().isPresent() ? String.join(" ", addresses()) : ""));
    command.addAll(programs);
    var commands = new MachineCommands(machine, PATIENCE);
    var began = System.nanoTime();
    var answer = commands.run(command);
    var millis = (System.nanoTime() - began) / 1_000_000;
    if (visit.login().isPresent()) {
      well(visit.name(), "reached over ssh in " + millis + " ms");
    }
    var facts = Facts.of(answer.output());
    judge(visit, facts, programs);
    for (var element : visit.elements()) {
      switch (element) {
        case BatchJvms batch -> {
          lookForJava(visit.name(), machine, element);
          if (facts.lacking().isEmpty()) {
            lookAtScheduler(visit.name(), commands, batch);
          }
        }
        case KubernetesJvms pods -> lookAtCluster(visit.name(), machine, pods);
        case LocalJvms _, SshJvms _ -> lookForJava(visit.name(), machine, element);
      }
    }
  }

  private static List<String> programs(Infrastructure element) {
    return switch (element) {
      case BatchJvms batch ->
          switch (batch.scheduler()) {
            case BatchJvms.Scheduler.Slurm slurm ->
                List.of("sbatch", "squeue", "scancel", "scontrol");
            case BatchJvms.Scheduler.Pbs pbs -> List.of("qsub", "qstat", "qdel");
            case BatchJvms.Scheduler.GridEngine gridEngine ->
                List.of("qsub", "qstat", "qdel", "qconf");
            case BatchJvms.Scheduler.Oar oar -> List.of("oarsub", "oarstat", "oardel");
            case BatchJvms.Scheduler.Flux flux -> List.of("flux");
            case BatchJvms.Scheduler.Htcondor htcondor ->
                List.of("condor_submit", "condor_q", "condor_rm", "condor_history");
            case BatchJvms.Scheduler.Lsf lsf ->
                List.of("bsub", "bjobs", "bkill", "bhist", "bqueues");
            case BatchJvms.Scheduler.Drmaa drmaa -> List.of();
          };
      case KubernetesJvms _ -> List.of("kubectl");
      case LocalJvms _, SshJvms _ -> List.of();
    };
  }

  /** The answers of a machine. */
  private record Facts(
      long clock, long freeKib, boolean isWritable, List<String> dialled, List<String> lacking) {

    static Facts of(String said) {
      var dialled = new ArrayList<String>();
      var lacking = new ArrayList<String>();
      var clock = Instant.now().getEpochSecond(); // if the machine does not report its clock
      var free = -1L;
      var writable = false;
      for (var line : said.split("\n")) {
        var words = (line.strip() + " ").split(" ", 2);
        var value = words[1].strip();
        switch (words[0]) {
          case "clock" -> clock = number(value, clock);
          case "free" -> free = number(value, free);
          case "writable" -> writable = true;
          case "dials" -> dialled.add(value);
          case "lacks" -> lacking.add(value);
          default -> {} // other output of the login shell
        }
      }
      return new Facts(clock, free, writable, dialled, lacking);
    }

    private static long number(String text, long otherwise) {
      return text.matches("\\d{1,18}") ? Long.parseLong(text) : otherwise;
    }
  }

  private void judge(Visit visit, Facts facts, List<String> programs) {
    var apart = Math.abs(facts.clock() - Instant.now().getEpochSecond());
    if (apart > MOST_SECONDS_APART) {
      warn(
          visit.name(),
          "its clock is " + apart + " s off ours, so times in logs will be confusing",
          "synchronize both machines by NTP");
    }
    if (!facts.isWritable()) {
      bad(visit.name(), "the home directory cannot be written", "ask its administrator");
    } else if (facts.freeKib() >= 0 && facts.freeKib() < LEAST_FREE_KIB) {
      warn(
          visit.name(),
          "the home directory has %d MiB left".formatted(facts.freeKib() / 1024),
          "free some space: the program and its libraries are copied there");
    }
    if (visit.login().isPresent()) {
      if (facts.dialled().isEmpty()
          && visit.elements().stream().allMatch(SshJvms.class::isInstance)) {
        well(visit.name(), "it cannot connect to this machine: its nodes use their ssh connection");
      } else if (facts.dialled().isEmpty()) {
        warn(
            visit.name(),
            "it cannot connect to this machine at " + String.join(", ", addresses()),
            "open the firewall between the two, or deploy from a machine that it can connect to");
      } else {
        well(
            visit.name(),
            "it can connect to this machine at " + String.join(", ", facts.dialled()));
      }
    }
    if (!facts.lacking().isEmpty()) {
      bad(
          visit.name(),
          "it does not have " + String.join(", ", facts.lacking()),
          "name a front end that has them (via), or load the site's module for them in ~/.profile");
    } else if (!programs.isEmpty()) {
      well(visit.name(), "it has " + String.join(", ", programs));
    }
  }

  private void lookForJava(String where, Machine machine, Infrastructure element) {
    try {
      well(
          where,
          "Java for '" + element.id() + "': " + machines.staging().java(machine, element.jvm()));
    } catch (IOException e) {
      bad(where, String.valueOf(e.getMessage()), "");
    }
  }

  private void lookAtScheduler(String where, MachineCommands commands, BatchJvms batch)
      throws IOException {
    var answers =
        switch (batch.scheduler()) {
          case BatchJvms.Scheduler.Slurm _ ->
              ask(where, commands, "Slurm's controller", List.of("scontrol", "ping"));
          case BatchJvms.Scheduler.Pbs _ ->
              ask(where, commands, "PBS", List.of("qstat", "-Q", "-f"));
          case BatchJvms.Scheduler.GridEngine _ ->
              ask(where, commands, "Grid Engine", List.of("qstat"));
          case BatchJvms.Scheduler.Oar _ -> ask(where, commands, "OAR", List.of("oarstat"));
          case BatchJvms.Scheduler.Flux _ ->
              ask(where, commands, "Flux", List.of("flux", "uptime"));
          case BatchJvms.Scheduler.Htcondor _ ->
              ask(where, commands, "HTCondor", List.of("condor_q", "-totals"));
          case BatchJvms.Scheduler.Lsf _ -> ask(where, commands, "LSF", List.of("bqueues"));
          case BatchJvms.Scheduler.Drmaa _ -> false; // checked when it is opened
        };
    if (!answers) {
      return;
    }
    if (batch.scheduler() instanceof BatchJvms.Scheduler.GridEngine(var environment)) {
      environment.ifPresent(
          name -> choose(where, commands, "parallel environment", name, List.of("qconf", "-spl")));
    }
    for (var fact : QueueCheck.of(commands, batch)) {
      if (fact.remedy().isEmpty()) {
        well(where, fact.what());
      } else if (fact.isFatal()) {
        bad(where, fact.what(), fact.remedy());
      } else {
        warn(where, fact.what(), fact.remedy());
      }
    }
  }

  /** Checks the cluster's version, and this user's permissions in the namespace. */
  private void lookAtCluster(String where, Machine machine, KubernetesJvms pods) {
    var cluster = Kubectl.cluster(pods.context(), Optional.empty());
    for (var fact : ClusterCheck.of(new Kubectl(machine, pods.context(), pods.namespace()), pods)) {
      if (fact.remedy().isEmpty()) {
        well(where, cluster + " " + fact.what());
      } else {
        bad(where, cluster + " " + fact.what(), fact.remedy());
      }
    }
    well(
        where,
        "the pods of '%s' connect to this machine at %s; only a run shows whether they can"
            .formatted(pods.id(), String.join(", ", addresses())));
  }

  private boolean ask(String where, MachineCommands commands, String who, List<String> command)
      throws IOException {
    var answer = commands.run(command);
    var answers = answer.exitCode() == 0 && !answer.output().contains("DOWN");
    if (answers) {
      well(where, who + " answers");
    } else {
      bad(where, who + " does not answer: " + answer.message(), "ask its administrator");
    }
    return answers;
  }

  private void choose(
      String where, MachineCommands commands, String what, String name, List<String> command) {
    try {
      var there = List.of(commands.run(command).output().strip().split("\\s+"));
      if (there.contains(name)) {
        well(where, what + " '" + name + "' is there");
      } else {
        bad(where, "there is no " + what + " '" + name + "'", "choose from " + there);
      }
    } catch (IOException e) {
      bad(where, String.valueOf(e.getMessage()), "");
    }
  }

  /** Returns the addresses of this machine that others might connect to. */
  private static List<String> addresses() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
          .map(InetAddress::getHostAddress)
          .toList();
    } catch (SocketException e) {
      return List.of();
    }
  }

  private void well(String where, String what) {
    add(where, Finding.Grade.WELL, what, "");
  }

  private void warn(String where, String what, String remedy) {
    add(where, Finding.Grade.WARNING, what, remedy);
  }

  private void bad(String where, String what, String remedy) {
    add(where, Finding.Grade.BAD, what, remedy);
  }

  private void add(String where, Finding.Grade grade, String what, String remedy) {
    synchronized (findings) {
      findings.add(new Finding(where, grade, what, remedy));
    }
  }
}
