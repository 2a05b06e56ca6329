package org.troupe.descriptors;

import java.io.Serializable;
import java.util.Comparator;

/**
 * A position in a file: {@code grid.xml:14:27}. Positions in one file sort from its top to its end.
 *
 * @param file the descriptor, as the caller named it
 * @param line from 1; 0 for the file as a whole
 * @param column in characters, from 1; 0 for the file as a whole
 */
public record SourcePosition(String file, int line, int column)
    implements Comparable<SourcePosition>, Serializable {

  private static final Comparator<SourcePosition> FROM_THE_TOP =
      Comparator.comparing(SourcePosition::file)
          .thenComparingInt(SourcePosition::line)
          .thenComparingInt(SourcePosition::column);

  /** Describes this position in a message about another one. */
  public String from(SourcePosition other) {
    return line == 0 || !file.equals(other.file) ? "in " + this : "in line " + line;
  }

  @Override
  public int compareTo(SourcePosition other) {
    return FROM_THE_TOP.compare(this, other);
  }

  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line + ":" + column;
  }
}
