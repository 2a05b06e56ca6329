package ibis.ipl;

import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A member in a JVM of its own: tells its name, does what it reads, leaves at the end of input.
 *
 * <p>With the argument 'gossip', of a pool without a centre.
 */
public final class MemberProgram {

  private MemberProgram() {}

  public static void main(String[] arguments) throws Exception {
    var events = new RecordedEvents();
    IbisCapabilities capabilities =
        List.of(arguments).contains("gossip") ? GossipTest.CAPABILITIES : TestPool.ALL;
    Ibis member = IbisFactory.createIbis(capabilities, events);
    member.registry().enableEvents();
    System.out.println("joined " + member.identifier().name());
    for (String line = IO.readln(); line != null; line = IO.readln()) {
      String[] words = line.split(" ", 2);
      switch (words[0]) {
        case "elect" -> member.registry().elect(words[1]);
        case "await" -> events.await(words[1]);
        case "keep" -> keep(member.identifier(), Path.of(words[1]));
        case "terminated" -> member.registry().waitUntilTerminated();
        default -> throw new IllegalArgumentException(line);
      }
      System.out.println("done " + line);
    }
    member.end();
  }

  private static void keep(IbisIdentifier identifier, Path file) throws Exception {
    try (var out = new ObjectOutputStream(Files.newOutputStream(file))) {
      out.writeObject(identifier);
    }
  }
}
