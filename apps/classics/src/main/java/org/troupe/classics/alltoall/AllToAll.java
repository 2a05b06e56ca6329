package org.troupe.classics.alltoall;

import org.troupe.classics.ExchangeMember;
import org.troupe.classics.ExchangeProgram;
import org.troupe.classics.ProgramNodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Each node has an array of doubles for each of the others, and they exchange them.
 *
 * <p>From the message-passing benchmarks of the Java Grande Forum, section 1, by the two algorithms
 * with which MPJava was measured (W. Pugh and J. Spacco, MPJava: high-performance message passing
 * in Java using java.nio, LCPC 2003).
 */
@Command(
    name = "alltoall",
    description = "Sends arrays of doubles from each node to each (Java Grande, MPJava).")
public final class AllToAll extends ExchangeProgram {

  /** As users write them. */
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
  protected Group<? extends ExchangeMember> members(ProgramNodes crew) {
    var group = Groups.on(crew.nodes());
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
