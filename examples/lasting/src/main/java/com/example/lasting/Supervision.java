package com.example.lasting;

import java.nio.file.Path;
import java.time.Duration;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.deployment.Grid;

/**
 * A node is killed: one of its objects goes on elsewhere, another is lost, and a third ends because it is linked to the lost one.
 *
 * <p>Arguments: a descriptor, or nothing for two JVMs on this machine.
 */
public final class Supervision {

  private static final int EXIT_CODE = 3;

  private Supervision() {}

  /** Answers from what its constructor has read, so it can be made anew at any time. */
  public static class Index {
    private final String book;

    public Index(String book) {
      this.book = book;
    }

    public String place() {
      return book + " on " + ActiveObjects.node().name();
    }
  }

  /** Writes what a {@link Reader} reads, or ends its whole JVM, as a crash would. */
  public static class Writer {
    public void crash() {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  /** Has nothing to do without its {@link Writer}. */
  public static class Reader {}

  public static void main(String[] arguments) throws Exception {
    try (Grid grid = arguments.length > 0 ? Grid.deploy(Path.of(arguments[0])) : Grid.local(2)) {
      Nodes nodes = grid.nodes().await(Nodes.atLeast(2), Duration.ofMinutes(5));
      Node safe = nodes.get(0);
      Node doomed = nodes.get(1);
      Restart policy = Restart.elsewhere().retrying(); // a call may be served twice
      Options restarted = Options.STANDARD.withRestart(policy);
      Index index = ActiveObjects.on(doomed).with(restarted).create(Index.class, "Moby-Dick");
      Writer writer = ActiveObjects.on(doomed).create(Writer.class);
      Reader reader = ActiveObjects.on(safe).create(Reader.class);
      ActiveObjects.ref(reader).linkTo(ActiveObjects.ref(writer)).join();
      System.out.println("the index: " + index.place());

      writer.crash();

      End end = ActiveObjects.ref(writer).end().join(); // has the reason, for every caller
      System.out.println("the writer: " + end.how() + ", exit code " + end.exitReport().orElseThrow().exitCode());
      System.out.println("the reader: " + ActiveObjects.ref(reader).end().join().how());
      System.out.println("the index: " + index.place()); // waits until it is made anew
    }
  }
}
