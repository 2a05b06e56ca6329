package org.troupe.deployment.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.json.JsonMapper;

/** A zip of the recordings of all nodes, with an index. Used by one thread. */
public final class FlightArchive extends FlightWriter {

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
  private final Map<String, Map<String, Object>> rows = new LinkedHashMap<>();
  private long bytes; // of the node whose parts come

  /** Creates an archive that is written to a stream. */
  public FlightArchive(OutputStream out) {
    zip = new ZipOutputStream(out);
  }

  @Override
  void begins(FlightRecord.Node node) throws IOException {
    var name = entryName(node.node());
    var row = row(node.node());
    row.put("file", name);
    row.put("element", node.element());
    row.put("host", node.host());
    row.put("pid", node.pid());
    row.put("clockAheadNanos", node.clockAheadNanos());
    row.put("clockErrorNanos", node.clockErrorNanos());
    bytes = 0;
    zip.putNextEntry(new ZipEntry(name));
  }

  @Override
  void append(FlightRecord.Part part) throws IOException {
    zip.write(part.data());
    bytes += part.data().length;
  }

  @Override
  void ends(String node, boolean isWhole) throws IOException {
    row(node).put("bytes", bytes);
    row(node).put("isWhole", isWhole);
    zip.closeEntry();
  }

  private Map<String, Object> row(String node) {
    return rows.computeIfAbsent(node, _ -> new LinkedHashMap<>(Map.of("node", node)));
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

  @Override
  public void finish() throws IOException {
    super.finish();
    reasons().forEach((node, why) -> row(node).put("missing", why));
    Map<String, Object> index = new LinkedHashMap<>();
    index.put("version", VERSION);
    var began = begin();
    if (began != null) {
      index.put("id", began.id());
      index.put("run", began.run());
      index.put("program", began.program());
      index.put("timeMillis", began.timeMillis());
      index.put("seconds", began.seconds());
    }
    index.put("isWhole", hasEnded() && reasons().isEmpty());
    index.put("nodes", List.copyOf(rows.values()));
    zip.putNextEntry(new ZipEntry(INDEX));
    zip.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(index));
    zip.closeEntry();
    zip.finish();
  }
}
