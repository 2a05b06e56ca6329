package org.troupe.classics.alltoall;

import org.troupe.classics.ExchangeMember;
import org.troupe.classics.ExchangeProgram;
import org.troupe.classics.ProgramNodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * All-to-all exchange: each node sends a different array of doubles to each other node.
 *
 * <p>From the message-passing benchmarks of the Java Grande Forum, section 1, with the two
 * algorithms of MPJava's measurements (W. Pugh and J. Spacco, MPJava: high-performance message
 * passing in Java using java.nio, LCPC 2003).
 */
@Command(
    name = "alltoall",
    description =
        "Sends an array of doubles from each node to each other node (Java Grande, MPJava).")
public final class AllToAll extends ExchangeProgram {

  /** The algorithms; the constants are option values. */
  enum Algorithm {
    concurrent,
    prefix
  }

  @Option(
      names = "--algorithm",
      paramLabel = "concurrent|prefix",
      description =
          "all messages at once, or fewer and larger ones in a logarithmic number of steps"
              + " (default: ${DEFAULT-VALUE})")
  private Algorithm algorithm = Algorithm.concurrent;

  public static void main(String[] arguments) {
    main(new AllToAll(), arguments);
  }

  @Override
  protected int fewestNodes() {
    return 2;
  }

  @Override
  protected Group<? extends ExchangeMember> members(ProgramNodes nodes) {
    var group = Groups.on(nodes.nodes());
    return switch (algorithm) {
      case concurrent -> Group.of(group.spmd(ConcurrentExchange.class));
      case prefix -> Group.of(group.spmd(PrefixExchange.class));
    };
  }

  @Override
  protected long doublesSent(int doubles, int nodes) {
    return (long) doubles * (nodes - 1);
  }

  @Override
  public String problem() {
    return super.problem() + ", " + algorithm;
  }

  @Override
  protected String unit() {
    return "exchange";
  }
}
