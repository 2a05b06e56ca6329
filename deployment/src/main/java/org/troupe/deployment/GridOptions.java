package org.troupe.deployment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.deployment.model.OutputLine;

/**
 * How a grid is deployed, beyond what its descriptor says. Immutable.
 *
 * @param variables values for the descriptor's variables, by name
 * @param transport the name of the transport between nodes
 * @param output receives every line that nodes print, in the order of each stream, from several
 *     threads
 * @param silence how long a node may be silent before it is declared dead
 * @param jvmOptions the program's options for the JVMs of all nodes; the descriptor's options
 *     follow and so win, and if they choose a garbage collector, the program's collector and heap
 *     sizes are omitted
 * @param stores have objects of earlier runs, which go on in the grid
 * @param savePoints the names of save points from which the logged objects of stores go on
 * @param hasDashboard whether the program itself serves a page that shows the run
 */
public record GridOptions(
    Map<String, String> variables,
    String transport,
    Consumer<OutputLine> output,
    Duration silence,
    List<String> jvmOptions,
    List<Store> stores,
    Map<Store, String> savePoints,
    boolean hasDashboard) {

  private static final String DASHBOARD = "troupe.dashboard";

  /** Checks and copies the components. */
  public GridOptions {
    variables = Map.copyOf(variables);
    Objects.requireNonNull(transport, "transport");
    Objects.requireNonNull(output, "output");
    jvmOptions = List.copyOf(jvmOptions);
    stores = List.copyOf(stores);
    savePoints = Map.copyOf(savePoints);
    if (Objects.requireNonNull(silence, "silence").compareTo(Duration.ofMillis(100)) < 0) {
      throw new IllegalArgumentException(
          "a silence of " + silence + " is too short for any network; allow at least 100 ms");
    }
  }

  /**
   * Returns the default options: no variables, the transport named by the system property {@code
   * troupe.transport} or else {@code ibis}, output to this program's output with the node's name in
   * front, 10 s of silence, no JVM options, no page unless the system property {@code
   * troupe.dashboard} is {@code true}.
   */
  public static GridOptions standard() {
    return new GridOptions(
        Map.of(),
        System.getProperty("troupe.transport", "ibis"),
        OutputLine::print,
        GridMember.Settings.USUAL_SILENCE,
        List.of(),
        List.of(),
        Map.of(),
        Boolean.getBoolean(DASHBOARD));
  }

  /** Returns a copy with other values for the descriptor's variables. */
  public GridOptions withVariables(Map<String, String> others) {
    return new GridOptions(
        others, transport, output, silence, jvmOptions, stores, savePoints, hasDashboard);
  }

  /** Returns a copy with another transport. */
  public GridOptions withTransport(String name) {
    return new GridOptions(
        variables, name, output, silence, jvmOptions, stores, savePoints, hasDashboard);
  }

  /** Returns a copy with another consumer of the nodes' output. */
  public GridOptions withOutput(Consumer<OutputLine> consumer) {
    return new GridOptions(
        variables, transport, consumer, silence, jvmOptions, stores, savePoints, hasDashboard);
  }

  /** Returns a copy with another limit on the silence of a node. */
  public GridOptions withSilence(Duration longest) {
    return new GridOptions(
        variables, transport, output, longest, jvmOptions, stores, savePoints, hasDashboard);
  }

  /** Returns a copy with other options for the JVMs of all nodes. */
  public GridOptions withJvmOptions(List<String> others) {
    return new GridOptions(
        variables, transport, output, silence, others, stores, savePoints, hasDashboard);
  }

  /**
   * Returns a copy for a grid whose program serves a page that shows the run, on threads of its
   * own; {@link Grid#dashboard} has its address. A line of the {@code output} has it, too, if this
   * program's output goes to a terminal; else the line names a file of this user that has it. The
   * module {@code troupe-dashboard} must be on the class path or module path.
   *
   * <p>{@code ./troupe dashboard} shows the same page from a process of its own.
   */
  public GridOptions withDashboard() {
    return new GridOptions(
        variables, transport, output, silence, jvmOptions, stores, savePoints, true);
  }

  /**
   * Returns a copy for a grid that goes on with the objects that a store has from earlier runs; see
   * {@link Grid#resume}.
   */
  public GridOptions resuming(Store store) {
    var all = new ArrayList<>(stores);
    all.add(store);
    return new GridOptions(
        variables, transport, output, silence, jvmOptions, all, savePoints, hasDashboard);
  }

  /**
   * Returns a copy for a grid that goes on with the logged objects of a store as they were at a
   * {@linkplain Grid#save save point}: with {@link org.troupe.activeobjects.Keep#calls}. All
   * effects on these objects since then are undone, and objects that were created later are removed
   * from the store; the save point stays. Objects that are kept without a log are as their last
   * images have them.
   *
   * @param savePoint the name that was given to {@link Grid#save}
   */
  public GridOptions resuming(Store store, String savePoint) {
    var all = new HashMap<>(savePoints);
    all.put(store, savePoint);
    var with = resuming(store);
    return new GridOptions(
        variables, transport, output, silence, jvmOptions, with.stores(), all, hasDashboard);
  }
}
