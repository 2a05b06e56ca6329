package org.troupe.deployment.trace;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the recordings of the nodes of a grid to a file as they come. Used by one thread. */
public abstract class FlightWriter implements Closeable {

  private final Map<String, String> missing = new LinkedHashMap<>();
  private FlightRecord.@Nullable Begin begin;
  private @Nullable String current; // the node whose parts come
  private int files;
  private boolean hasEnded;

  /** Creates a writer without files. */
  FlightWriter() {}

  /** Adds a record of the stream. */
  public final void add(FlightRecord written) throws IOException {
    switch (written) {
      case FlightRecord.Begin its -> begin = its;
      case FlightRecord.Progress _ -> {
        // Nothing to keep.
      }
      case FlightRecord.Node node -> {
        endFile(true);
        current = node.node();
        files++;
        begins(node);
      }
      case FlightRecord.Part part -> append(part);
      case FlightRecord.Missing its -> {
        missing.put(its.node(), its.why());
        if (its.node().equals(current)) {
          endFile(false);
        }
      }
      case FlightRecord.End _ -> {
        endFile(true);
        hasEnded = true;
      }
    }
  }

  private void endFile(boolean isWhole) throws IOException {
    var node = current;
    if (node != null) {
      current = null;
      ends(node, isWhole);
    }
  }

  /** Begins the file of a node. */
  abstract void begins(FlightRecord.Node node) throws IOException;

  abstract void append(FlightRecord.Part part) throws IOException;

  /** Ends the file of a node. */
  abstract void ends(String node, boolean isWhole) throws IOException;

  /** Completes the file; its stream remains open. */
  public void finish() throws IOException {
    endFile(false);
  }

  /** Releases what it holds. */
  @Override
  public void close() throws IOException {}

  final FlightRecord.@Nullable Begin begin() {
    return begin;
  }

  /** Returns how many nodes have a recording. */
  public final int files() {
    return files;
  }

  /** Returns whether the stream has ended in an orderly way. */
  public final boolean hasEnded() {
    return hasEnded;
  }

  /** Returns the nodes without a whole recording, each with the reason. */
  public final List<String> missing() {
    List<String> all = new ArrayList<>();
    missing.forEach((node, why) -> all.add(node + ": " + why));
    return all;
  }

  final Map<String, String> reasons() {
    return missing;
  }
}
