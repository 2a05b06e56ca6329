package org.troupe.deployment.runs;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.troupe.deployment.process.NodeProcess;
import org.troupe.deployment.process.OutputTail;

/** Writes the output of nodes to clients of the control socket. Thread-safe. */
final class OutputFollowers {

  /** How long the end of a program waits for its clients, which may be slow. */
  private static final Duration LONGEST_END = Duration.ofSeconds(1);

  private final ControlledGrid grid;
  private final NamedNodes named;
  private final String program;
  private final Set<Follower> followers = ConcurrentHashMap.newKeySet();

  /** A client that follows the output of a node, or of all with the empty name. */
  private record Follower(String name, FollowedOutput output) {

    void add(NodeProcess node) {
      if (name.isEmpty() || node.name().equals(name)) {
        output.follow(node);
      }
    }
  }

  /**
   * Creates it.
   *
   * @param program the name of the program as a member
   */
  OutputFollowers(ControlledGrid grid, NamedNodes named, String program) {
    this.grid = grid;
    this.named = named;
    this.program = program;
  }

  /** Lets the clients that follow all nodes follow one that has joined. */
  void joined(NodeProcess node) {
    followers.forEach(each -> each.add(node));
  }

  /** Lets the answers end when the nodes have ended, since the grid is being closed. */
  void gridEnds() {
    followers.forEach(each -> each.output().gridEnds());
  }

  /** Waits until all clients have the last lines of the nodes, which have ended. */
  synchronized void awaitEnd() {
    var end = System.nanoTime() + LONGEST_END.toNanos();
    try {
      for (var left = LONGEST_END.toNanos();
          left > 0 && !followers.isEmpty();
          left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Writes the last lines of a node, or of all with the empty name.
   *
   * @param follow whether to write further ones, also of nodes that join, until the grid ends
   * @param form of a line of a node
   * @throws RefusedRequestException if there is no such node
   */
  void write(
      String name, boolean follow, Writer out, BiFunction<String, OutputTail.Line, String> form)
      throws IOException {
    var nodes = named.processes(name);
    out.write(ControlServer.OK + "\n");
    var output = new FollowedOutput(form);
    var follower = new Follower(name, output);
    nodes.forEach(follower::add);
    if (follow) {
      followers.add(follower);
      named.processes(name).forEach(follower::add); // of those that have joined meanwhile
    }
    if (follow && grid.isEnding()) {
      output.gridEnds();
    }
    try {
      do {
        write(output, out, form);
      } while (follow && output.await());
    } catch (InterruptedException e) {
      Thread.currentThread()
          .interrupt(); // only this class could interrupt the thread, and it does not
    } finally {
      followers.remove(follower);
      output.forget();
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** Writes the lines that have come. */
  private void write(
      FollowedOutput output, Writer out, BiFunction<String, OutputTail.Line, String> form)
      throws IOException {
    for (var line = output.poll(); line != null; line = output.poll()) {
      out.write(line + "\n");
    }
    var lost = output.takeLeftOut();
    if (lost > 0) {
      var text = lost + " lines were left out, since their reader was too slow";
      var note = new OutputTail.Line(System.currentTimeMillis(), true, text);
      out.write(form.apply(program, note) + "\n");
    }
    out.flush();
  }
}
