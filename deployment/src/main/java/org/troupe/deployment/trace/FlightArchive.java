package org.troupe.deployment.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A zip of the recordings of all nodes, with an index. Used by one thread. */
public final class FlightArchive {

  /*
   * The files come one after the other, so each goes into the archive as it comes. The index is the last entry, because only then
   * is known which files are whole. It states by how much the clock of each node is ahead, since the times of a recording are
   * those of the clock of its own machine.
   */
  private static final String INDEX = "index.json";

  private static final int VERSION = 1;

  private static final JsonMapper JSON = new JsonMapper();

  private final ZipOutputStream zip;
  private final Set<String> names = new HashSet<>(Set.of(INDEX));
  private final Map<String, Map<String, Object>> nodes = new LinkedHashMap<>();
  private FlightRecord.@Nullable Begin begin;
  private int files;
  private boolean hasEnded;
  private boolean isInEntry;

  /** Creates an archive that is written to a stream. */
  public FlightArchive(OutputStream out) {
    zip = new ZipOutputStream(out);
  }

  /** Adds a record of the stream. */
  public void add(FlightRecord written) throws IOException {
    switch (written) {
      case FlightRecord.Begin its -> begin = its;
      case FlightRecord.Progress _ -> {
        // Nothing to keep.
      }
      case FlightRecord.Node node -> {
        closeEntry();
        var name = entryName(node.node());
        var row = row(node.node());
        row.put("file", name);
        row.put("element", node.element());
        row.put("host", node.host());
        row.put("pid", node.pid());
        row.put("clockAheadNanos", node.clockAheadNanos());
        row.put("clockErrorNanos", node.clockErrorNanos());
        row.put("bytes", 0L);
        zip.putNextEntry(new ZipEntry(name));
        isInEntry = true;
        files++;
      }
      case FlightRecord.Part part -> {
        zip.write(part.data());
        row(part.node()).merge("bytes", (long) part.data().length, (a, b) -> (Long) a + (Long) b);
      }
      case FlightRecord.Missing missing -> row(missing.node()).put("missing", missing.why());
      case FlightRecord.End _ -> hasEnded = true;
    }
  }

  private Map<String, Object> row(String node) {
    return nodes.computeIfAbsent(node, _ -> new LinkedHashMap<>(Map.of("node", node)));
  }

  /** Returns the name of a file: that of the node, as far as every system takes it. */
  private String entryName(String node) {
    var safe = node.replaceAll("[^A-Za-z0-9._-]", "_");
    var name = safe + ".jfr";
    for (var i = 2; !names.add(name); i++) {
      name = safe + "-" + i + ".jfr";
    }
    return name;
  }

  private void closeEntry() throws IOException {
    if (isInEntry) {
      zip.closeEntry();
      isInEntry = false;
    }
  }

  /** Completes the archive; the stream remains open. */
  public void finish() throws IOException {
    closeEntry();
    Map<String, Object> index = new LinkedHashMap<>();
    index.put("version", VERSION);
    var began = begin;
    if (began != null) {
      index.put("id", began.id());
      index.put("run", began.run());
      index.put("program", began.program());
      index.put("timeMillis", began.timeMillis());
      index.put("seconds", began.seconds());
    }
    index.put("isWhole", hasEnded && missing().isEmpty());
    index.put("nodes", List.copyOf(nodes.values()));
    zip.putNextEntry(new ZipEntry(INDEX));
    zip.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(index));
    zip.closeEntry();
    zip.finish();
  }

  /** Returns how many files there are. */
  public int files() {
    return files;
  }

  /** Returns whether the stream has ended in an orderly way. */
  public boolean hasEnded() {
    return hasEnded;
  }

  /** Returns the nodes without a whole file, each with the reason. */
  public List<String> missing() {
    List<String> missing = new ArrayList<>();
    nodes.forEach(
        (node, row) -> {
          if (row.containsKey("missing")) {
            missing.add(node + ": " + row.get("missing"));
          }
        });
    return missing;
  }
}
