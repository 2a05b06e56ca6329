package org.troupe.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that lets a verb list everything, and the limit without it: about a screen. */
final class ListLimit {

  private static final int MOST = 40;

  @Option(
      names = "--all",
      description = "The whole list of a table (default: the first 40 entries).")
  private boolean all;

  /** Returns the entries to print. */
  <E> List<E> shown(List<E> entries) {
    return all || entries.size() <= MOST ? entries : entries.subList(0, MOST);
  }

  /**
   * Prints the number of entries that are not shown, if there are any.
   *
   * @param what the entries, in the plural
   */
  void printRest(List<?> entries, String what, PrintWriter out) {
    var rest = entries.size() - shown(entries).size();
    if (rest > 0) {
      out.printf("... and %d more of %d %s; '--all' shows them%n", rest, entries.size(), what);
    }
  }
}
