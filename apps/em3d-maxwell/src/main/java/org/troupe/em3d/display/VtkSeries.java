package org.troupe.em3d.display;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.em3d.views.FieldInstant;
import org.troupe.em3d.views.VtkIndex;

/**
 * The VTK files of a run: {@code fields.pvd} names the complete steps, and {@code fields/} has
 * their pieces. A step that a lost node or a full disk has interrupted leaves no files.
 */
final class VtkSeries {

  private static final String FOLDER = "fields";
  private static final String UNFINISHED = ".unfinished";

  private final Path out;
  private final Path folder;
  private final SortedMap<FieldInstant, String> complete = new TreeMap<>();
  private final Set<Integer> failedSteps = new HashSet<>(); // of this segment
  private final SortedMap<FieldInstant, Set<Integer>> begun =
      new TreeMap<>(); // ranks whose pieces are written
  private int ranks;

  /**
   * Creates the folder of the pieces.
   *
   * @param out the folder of the run
   */
  VtkSeries(Path out) throws IOException {
    this.out = out;
    this.folder = Files.createDirectories(out.resolve(FOLDER));
  }

  /** Returns the folder of the pieces. */
  Path folder() {
    return folder;
  }

  /** Returns the file of a piece before its step is complete. */
  static Path unfinished(Path folder, int segment, FieldInstant moment, int rank) {
    return folder.resolve("%d-%s%s".formatted(segment, piece(moment, rank), UNFINISHED));
  }

  private static String step(FieldInstant moment) {
    return "step-%07d".formatted(moment.step());
  }

  private static String piece(FieldInstant moment, int rank) {
    return step(moment) + "-part-" + rank + ".vtu";
  }

  /** Starts again with other sub-domains, and removes the pieces of incomplete steps. */
  void begin(int subDomains) throws IOException {
    ranks = subDomains;
    begun.clear();
    failedSteps.clear();
    removeUnfinished();
  }

  /** Removes the pieces of incomplete steps. */
  void removeUnfinished() throws IOException {
    for (var file : unfinished()) {
      Files.deleteIfExists(file);
    }
  }

  private List<Path> unfinished() throws IOException {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(UNFINISHED)).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  boolean wants(FieldInstant moment) {
    return !complete.containsKey(moment) && !failedSteps.contains(moment.step());
  }

  /** Appends to a piece. */
  void append(int segment, FieldInstant moment, int rank, byte[] bytes) throws IOException {
    Files.write(
        unfinished(folder, segment, moment, rank),
        bytes,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** Records a written piece; completes the step if it is the last one. */
  void written(int segment, FieldInstant moment, int rank) throws IOException {
    var done = begun.computeIfAbsent(moment, key -> new HashSet<>());
    done.add(rank);
    if (done.size() < ranks) {
      return;
    }
    begun.remove(moment);
    List<String> pieces = new ArrayList<>();
    for (var each = 0; each < ranks; each++) {
      AtomicFile.move(
          unfinished(folder, segment, moment, each), folder.resolve(piece(moment, each)));
      pieces.add(piece(moment, each));
    }
    AtomicFile.write(folder.resolve(step(moment) + ".pvtu"), VtkIndex.ofStep(pieces));
    SortedMap<FieldInstant, String> all = new TreeMap<>(complete);
    all.put(moment, FOLDER + "/" + step(moment) + ".pvtu");
    AtomicFile.write(out.resolve(FOLDER + ".pvd"), VtkIndex.ofSeries(all));
    complete.putAll(all);
  }

  /** Removes a piece of a step that was given up, or of an earlier division. */
  void drop(int segment, FieldInstant moment, int rank) throws IOException {
    Files.deleteIfExists(unfinished(folder, segment, moment, rank));
  }

  /** Gives a step up and removes its files. */
  void giveUp(FieldInstant moment) {
    failedSteps.add(moment.step());
    begun.remove(moment);
    try (var files = Files.list(folder)) {
      for (var file : files.filter(each -> isOf(moment, each)).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // No index names these files, and the next segment tries to delete them again.
    }
  }

  private static boolean isOf(FieldInstant moment, Path file) {
    return file.getFileName().toString().contains(step(moment));
  }
}
