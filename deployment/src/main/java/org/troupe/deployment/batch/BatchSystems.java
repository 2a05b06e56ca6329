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
import org.ggf.drmaa.DrmaaException;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.BatchJvms.Scheduler.Drmaa;
import org.troupe.descriptors.BatchJvms.Scheduler.GridEngine;
import org.troupe.descriptors.BatchJvms.Scheduler.Pbs;
import org.troupe.descriptors.BatchJvms.Scheduler.Slurm;
import org.troupe.descriptors.Login;

/** The batch systems of one deployment: elements that mean the same one share it. Thread-safe. */
public final class BatchSystems implements Closeable {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** Schedulers may take their time when they are busy; Slurm's commands give up after 10 s. */
  private static final Duration LONGEST_COMMAND = Duration.ofSeconds(60);

  /** How long a batch system may take to end the jobs of a grid that is closed. */
  private static final Duration LONGEST_END = Duration.ofSeconds(30);

  private final Map<Key, JobWatch> watches = new HashMap<>(); // under this
  private final List<BatchJob> bundles = new CopyOnWriteArrayList<>();

  private record Key(Class<? extends BatchJvms.Scheduler> kind, Object which) {}

  /**
   * Returns the batch system of an element.
   *
   * @param machine that has its commands
   * @throws IOException if there is none; the message says why
   */
  public synchronized JobWatch of(BatchJvms element, Machine machine) throws IOException {
    var kind = element.scheduler();
    var key = new Key(kind.getClass(), kind instanceof Drmaa drmaa ? drmaa.library() : machine);
    var known = watches.get(key);
    if (known == null) {
      known = new JobWatch(name(element), open(kind, element.via(), machine));
      watches.put(key, known);
    }
    return known;
  }

  /** Returns a batch system's name, for users. */
  public static String name(BatchJvms element) {
    return name(element.scheduler(), element.via());
  }

  public static String name(BatchJvms.Scheduler scheduler, Optional<Login> via) {
    var kind =
        switch (scheduler) {
          case Slurm slurm -> "Slurm";
          case Pbs pbs -> "PBS";
          case GridEngine gridEngine -> "Grid Engine";
          case Drmaa drmaa -> "DRMAA";
        };
    return via.map(login -> kind + " at " + login.host()).orElse(kind);
  }

  /**
   * Returns the command that would submit an element's job; connects to nothing.
   *
   * @param folder the run folder
   */
  public static List<String> submission(BatchJvms element, String folder) throws DrmaaException {
    CommandRunner none =
        command -> {
          throw new IOException("a plan runs nothing");
        };
    var system =
        switch (element.scheduler()) {
          case Slurm slurm -> CommandSession.slurm(none);
          case Pbs pbs -> CommandSession.pbs(none);
          case GridEngine gridEngine -> CommandSession.gridEngine(none);
          case Drmaa drmaa -> NativeSession.ofNoLibrary();
        };
    return system.submission(BatchJob.template(element, folder, system));
  }

  /**
   * Opens a batch system.
   *
   * @param machine that has its commands
   * @throws IOException if there is none; the message says why
   */
  public static BatchSystem open(
      BatchJvms.Scheduler scheduler, Optional<Login> via, Machine machine) throws IOException {
    var commands = new MachineCommands(machine, LONGEST_COMMAND);
    return switch (scheduler) {
      case Slurm slurm -> CommandSession.slurm(commands);
      case Pbs pbs -> CommandSession.pbs(commands);
      case GridEngine gridEngine -> gridEngine(via, commands);
      case Drmaa drmaa -> library(drmaa);
    };
  }

  /** The library runs the jobs where there is one; only the commands say why a job waits. */
  private static BatchSystem gridEngine(Optional<Login> via, MachineCommands runner) {
    var commands = CommandSession.gridEngine(runner);
    if (via.isEmpty()) {
      try {
        return NativeSession.open(Optional.empty(), Optional.of(commands));
      } catch (DrmaaException | RuntimeException e) {
        LOG.log(
            Level.INFO,
            "Grid Engine is asked by its commands, as there is no use of its DRMAA library: "
                + e.getMessage());
      }
    }
    return commands;
  }

  private static BatchSystem library(Drmaa drmaa) throws IOException {
    try {
      return NativeSession.open(drmaa.library(), Optional.empty());
    } catch (DrmaaException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Notes a bundle that is to be over before the batch systems are left alone. */
  public void add(BatchJob bundle) {
    bundles.add(bundle);
  }

  /** Waits, for a bounded time, until nothing is left of the jobs. */
  @Override
  public void close() {
    var over = bundles.stream().map(BatchJob::over).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(over).get(LONGEST_END.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      bundles.stream()
          .filter(bundle -> !bundle.over().isDone())
          .forEach(bundle -> LOG.log(Level.WARNING, bundle.remains()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new AssertionError(e); // none of them fails
    }
    closeWatches();
  }

  private synchronized void closeWatches() {
    watches.values().forEach(JobWatch::close);
  }
}
