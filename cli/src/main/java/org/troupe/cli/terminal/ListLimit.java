package org.troupe.cli.terminal;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that lets a verb list everything, and the limit without it: about a screen. */
public final class ListLimit {

  private static final int MOST = 40;

  @Option(names = "--all", description = "The whole list of a table (default: about a screen).")
  private boolean all;

  /** Returns the entries to print. */
  public <E> List<E> shown(List<E> entries) {
    return shown(entries, MOST);
  }

  /**
   * Returns the entries to print.
   *
   * @param most how many, unless all were asked for
   */
  public <E> List<E> shown(List<E> entries, int most) {
    return all || entries.size() <= most ? entries : entries.subList(0, most);
  }

  /** Returns how many entries to ask for: {@code some}, or {@code most} if all were asked for. */
  public int most(int some, int most) {
    return all ? most : some;
  }

  /**
   * Prints the number of entries that are not shown, if there are any.
   *
   * @param what the entries, in the plural
   */
  public void printRest(List<?> entries, String what, PrintWriter out) {
    printRest(entries, MOST, what, out);
  }

  /**
   * Prints the number of entries that are not shown, if there are any.
   *
   * @param most how many are shown, unless all were asked for
   * @param what the entries, in the plural
   */
  public void printRest(List<?> entries, int most, String what, PrintWriter out) {
    var rest = entries.size() - shown(entries, most).size();
    if (rest > 0) {
      out.printf("... and %d more of %d %s; '--all' shows them%n", rest, entries.size(), what);
    }
  }
}
