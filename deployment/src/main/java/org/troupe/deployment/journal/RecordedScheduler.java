package org.troupe.deployment.journal;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.troupe.descriptors.BatchJvms.Scheduler;
import org.troupe.descriptors.BatchJvms.Scheduler.Drmaa;
import org.troupe.descriptors.BatchJvms.Scheduler.Flux;
import org.troupe.descriptors.BatchJvms.Scheduler.GridEngine;
import org.troupe.descriptors.BatchJvms.Scheduler.Htcondor;
import org.troupe.descriptors.BatchJvms.Scheduler.Lsf;
import org.troupe.descriptors.BatchJvms.Scheduler.Oar;
import org.troupe.descriptors.BatchJvms.Scheduler.Pbs;
import org.troupe.descriptors.BatchJvms.Scheduler.Slurm;

/**
 * The names of schedulers in the record of a run, for its writer and its reader. Names never
 * change, since a record may be read by a later version.
 */
enum RecordedScheduler {
  SLURM("slurm"),
  PBS("pbs"),
  GRID_ENGINE("gridEngine"),
  OAR("oar"),
  FLUX("flux"),
  HTCONDOR("htcondor"),
  LSF("lsf"),
  DRMAA("drmaa");

  private final String name;

  RecordedScheduler(String name) {
    this.name = name;
  }

  /**
   * Returns the words of a scheduler in the record: its name and its library, which may be empty.
   */
  static String[] words(Scheduler scheduler) {
    return switch (scheduler) {
      case Slurm _ -> new String[] {SLURM.name, ""};
      case Pbs _ -> new String[] {PBS.name, ""};
      case GridEngine _ -> new String[] {GRID_ENGINE.name, ""};
      case Oar _ -> new String[] {OAR.name, ""};
      case Flux _ -> new String[] {FLUX.name, ""};
      case Htcondor _ -> new String[] {HTCONDOR.name, ""};
      case Lsf _ -> new String[] {LSF.name, ""};
      case Drmaa drmaa -> new String[] {DRMAA.name, drmaa.library().map(Path::toString).orElse("")};
    };
  }

  /**
   * Returns the scheduler that two words of the record name, with the properties needed to find its
   * jobs.
   *
   * @throws IllegalArgumentException if this version does not know the name
   */
  static Scheduler read(String name, String library) {
    var known =
        Arrays.stream(values())
            .filter(each -> each.name.equals(name))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("the scheduler '" + name + "' is unknown"));
    return switch (known) {
      case SLURM -> new Slurm();
      case PBS -> new Pbs();
      case GRID_ENGINE -> new GridEngine(Optional.empty());
      case OAR -> new Oar();
      case FLUX -> new Flux();
      case HTCONDOR -> new Htcondor();
      case LSF -> new Lsf();
      case DRMAA ->
          new Drmaa(
              library.isEmpty() ? Optional.empty() : Optional.of(Path.of(library)),
              Optional.empty());
    };
  }
}
