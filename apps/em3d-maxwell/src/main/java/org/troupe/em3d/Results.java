package org.troupe.em3d;

import java.io.IOException;
import java.nio.file.Path;
import org.troupe.activeobjects.ActiveObjects;

/** Where the results of a run go: its folder and its gallery, as far as they are asked for. */
final class Results implements AutoCloseable {

  private final OutFolder out; // null: none
  private final Gallery gallery; // null: none
  private final Watcher watcher;

  private Results(OutFolder out, Gallery gallery, Watcher watcher) {
    this.out = out;
    this.gallery = gallery;
    this.watcher = watcher;
  }

  /**
   * Makes what there is none of yet.
   *
   * @param out the folder; {@code null} for none
   */
  static Results open(Path out, Looks looks, Watcher watcher) throws IOException {
    var folder = out == null ? null : OutFolder.make(out);
    var gallery =
        looks.isNeeded()
            ? ActiveObjects.here()
                .create(Gallery.class, looks, out == null ? "" : out.toAbsolutePath().toString())
            : null;
    return new Results(folder, gallery, watcher);
  }

  /** Has a run shown; to be called before it begins. */
  void show(Simulation simulation) {
    if (gallery != null) {
      simulation.showTo(gallery);
    }
  }

  /**
   * Prints and writes the report; says whether everything that was asked for is there.
   *
   * @param alone where the report is to go besides; {@code null} for nowhere
   */
  boolean finish(Report report, Path alone) throws IOException {
    System.out.print(report.toTable()); // first: a full disk must not keep it back
    if (alone != null) {
      OutFolder.writeWhole(alone, report.toJson());
    }
    if (out != null) {
      out.write("energy.csv", report.toEnergyCsv());
      out.write("report.json", report.toJson());
    }
    var missing = gallery == null ? 0 : gallery.missing().size();
    if (missing > 0) {
      watcher.news(
          "%d steps that were to be seen could not be written; see above".formatted(missing));
    }
    return missing == 0;
  }

  @Override
  public void close() throws IOException {
    if (gallery != null) {
      gallery.close();
      ActiveObjects.ref(gallery).terminate();
    }
    if (out != null) {
      out.removeIfEmpty();
    }
  }
}
