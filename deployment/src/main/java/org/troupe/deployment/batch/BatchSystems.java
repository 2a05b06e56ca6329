package org.troupe.deployment.batch;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.troupe.deployment.journal.RunRecord;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.BatchJvms.Scheduler.Drmaa;
import org.troupe.descriptors.BatchJvms.Scheduler.Flux;
import org.troupe.descriptors.BatchJvms.Scheduler.GridEngine;
import org.troupe.descriptors.BatchJvms.Scheduler.Htcondor;
import org.troupe.descriptors.BatchJvms.Scheduler.Lsf;
import org.troupe.descriptors.BatchJvms.Scheduler.Oar;
import org.troupe.descriptors.BatchJvms.Scheduler.Pbs;
import org.troupe.descriptors.BatchJvms.Scheduler.Slurm;
import org.troupe.descriptors.Login;

/** The batch systems of one deployment, each shared by all its elements. Thread-safe. */
public final class BatchSystems implements Closeable {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /**
   * The time limit of commands, since a busy scheduler is slow; Slurm's commands time out after 10
   * s.
   */
  private static final Duration LONGEST_COMMAND = Duration.ofSeconds(60);

  /** How long a batch system may take to end the jobs of a grid that is closed. */
  private static final Duration LONGEST_END = Duration.ofSeconds(40);

  private final Map<Key, JobWatch<BatchSystem>> watches = new HashMap<>(); // under this
  private final List<DeployedJob> jobs = new CopyOnWriteArrayList<>();

  private record Key(Class<? extends BatchJvms.Scheduler> kind, Object which) {}

  /**
   * Returns the batch system of an element.
   *
   * @param machine that has its commands
   * @throws IOException if it cannot be used; the message states the reason
   */
  public synchronized JobWatch<BatchSystem> of(BatchJvms element, Machine machine)
      throws IOException {
    var kind = element.scheduler();
    var key = new Key(kind.getClass(), kind instanceof Drmaa drmaa ? drmaa.library() : machine);
    var known = watches.get(key);
    if (known == null) {
      known = new JobWatch<>(name(element), open(kind, element.via(), machine));
      watches.put(key, known);
    }
    return known;
  }

  /**
   * Returns the machines of a held job, as a batch system for an element.
   *
   * @param machine that has the commands of the batch system
   * @param held the held job
   * @throws IOException if the batch system cannot be used; the message states the reason
   */
  public synchronized JobWatch<BatchSystem> of(
      BatchJvms element, Machine machine, RunRecord.Job held) throws IOException {
    var key = new Key(element.scheduler().getClass(), held.folder());
    var known = watches.get(key);
    if (known == null) {
      known =
          new JobWatch<>(
              name(element),
              new HeldAllocation(
                  open(element.scheduler(), element.via(), machine),
                  held.number(),
                  held.folder(),
                  new MachineCommands(machine, LONGEST_COMMAND)));
      watches.put(key, known);
    }
    return known;
  }

  /** Returns the name of a batch system, for users. */
  public static String name(BatchJvms element) {
    return name(element.scheduler(), element.via());
  }

  public static String name(BatchJvms.Scheduler scheduler, Optional<Login> via) {
    var kind =
        switch (scheduler) {
          case Slurm slurm -> "Slurm";
          case Pbs pbs -> "PBS";
          case GridEngine gridEngine -> "Grid Engine";
          case Oar oar -> "OAR";
          case Flux flux -> "Flux";
          case Htcondor htcondor -> "HTCondor";
          case Lsf lsf -> "LSF";
          case Drmaa drmaa -> "DRMAA";
        };
    return via.map(login -> kind + " at " + login.host()).orElse(kind);
  }

  /**
   * Returns the command that would submit an element's job, without connecting.
   *
   * @param folder the run folder
   */
  public static List<String> submission(BatchJvms element, String folder) {
    CommandRunner none =
        command -> {
          throw new IOException("a plan runs nothing");
        };
    var system =
        switch (element.scheduler()) {
          case Slurm slurm -> CommandSession.slurm(none);
          case Pbs pbs -> CommandSession.pbs(none);
          case GridEngine gridEngine -> CommandSession.gridEngine(none);
          case Oar oar -> CommandSession.oar(none);
          case Flux flux -> CommandSession.flux(none);
          case Htcondor htcondor -> CommandSession.htcondor(none);
          case Lsf lsf -> CommandSession.lsf(none);
          case Drmaa drmaa -> NativeSession.ofNoLibrary();
        };
    return system.submission(BatchJob.template(element, folder, system));
  }

  /**
   * Opens a batch system.
   *
   * @param machine that has its commands
   * @throws IOException if it cannot be used; the message states the reason
   */
  public static BatchSystem open(
      BatchJvms.Scheduler scheduler, Optional<Login> via, Machine machine) throws IOException {
    var commands = new MachineCommands(machine, LONGEST_COMMAND);
    return switch (scheduler) {
      case Slurm slurm -> CommandSession.slurm(commands);
      case Pbs pbs -> CommandSession.pbs(commands);
      case GridEngine gridEngine -> gridEngine(via, commands);
      case Oar oar -> CommandSession.oar(commands);
      case Flux flux -> CommandSession.flux(commands);
      case Htcondor htcondor -> CommandSession.htcondor(commands);
      case Lsf lsf -> CommandSession.lsf(commands);
      case Drmaa drmaa -> library(drmaa);
    };
  }

  /**
   * Opens Grid Engine by its DRMAA library, if there is one; only the commands report why a job
   * waits.
   */
  private static BatchSystem gridEngine(Optional<Login> via, MachineCommands runner) {
    var commands = CommandSession.gridEngine(runner);
    if (via.isEmpty()) {
      try {
        return NativeSession.open(Optional.empty(), Optional.of(commands));
      } catch (BatchException | RuntimeException e) {
        LOG.log(
            Level.INFO,
            "Grid Engine is used by its commands, because its DRMAA library cannot be used: "
                + e.getMessage());
      }
    }
    return commands;
  }

  private static BatchSystem library(Drmaa drmaa) throws IOException {
    try {
      return NativeSession.open(drmaa.library(), Optional.empty());
    } catch (BatchException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Adds a job that has to end before the batch systems are closed. */
  public void add(DeployedJob job) {
    jobs.add(job);
  }

  /** Waits, for a bounded time, until all jobs have ended and their folders are removed. */
  @Override
  public void close() {
    var over = jobs.stream().map(DeployedJob::finished).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(over).get(LONGEST_END.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      jobs.stream()
          .filter(job -> !job.finished().isDone())
          .forEach(job -> LOG.log(Level.WARNING, job.leftovers()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new AssertionError(e); // these futures never fail
    }
    closeWatches();
  }

  private synchronized void closeWatches() {
    watches.values().forEach(JobWatch::close);
  }
}
