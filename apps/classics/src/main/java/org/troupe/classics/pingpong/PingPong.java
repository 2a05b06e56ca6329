package org.troupe.classics.pingpong;

import org.troupe.classics.ExchangeMember;
import org.troupe.classics.ExchangeProgram;
import org.troupe.classics.ProgramNodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import picocli.CommandLine.Command;

/**
 * Ping-pong: an array of doubles travels to another node and back, repeatedly.
 *
 * <p>From the message-passing benchmarks of the Java Grande Forum, section 1, with which MPJava was
 * measured (W. Pugh and J. Spacco, MPJava: high-performance message passing in Java using java.nio,
 * LCPC 2003).
 */
@Command(
    name = "pingpong",
    description = "Sends arrays of doubles to another node and back (Java Grande, MPJava).")
public final class PingPong extends ExchangeProgram {

  public static void main(String[] arguments) {
    main(new PingPong(), arguments);
  }

  @Override
  protected int fewestNodes() {
    return 2;
  }

  @Override
  protected Group<? extends ExchangeMember> members(ProgramNodes nodes) {
    return Group.of(Groups.on(nodes.nodes()).spmd(PingPongPlayer.class));
  }

  @Override
  protected long doublesSent(int doubles, int nodes) {
    return 2L * doubles;
  }

  @Override
  protected String unit() {
    return "round trip";
  }
}
