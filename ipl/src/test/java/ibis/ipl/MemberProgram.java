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

  static final PortType TYPE =
      new PortType(
          PortType.CONNECTION_MANY_TO_ONE,
          PortType.CONNECTION_UPCALLS,
          PortType.SERIALIZATION_DATA,
          PortType.COMMUNICATION_RELIABLE,
          PortType.COMMUNICATION_FIFO,
          PortType.RECEIVE_EXPLICIT);

  private MemberProgram() {}

  public static void main(String[] arguments) throws Exception {
    var events = new RecordedEvents();
    IbisCapabilities capabilities =
        List.of(arguments).contains("gossip") ? GossipTest.CAPABILITIES : TestPool.ALL;
    Ibis member = IbisFactory.createIbis(capabilities, events, TYPE);
    member.registry().enableEvents();
    System.out.println("joined " + member.identifier().name());
    ReceivePort in = null;
    for (String line = IO.readln(); line != null; line = IO.readln()) {
      String[] words = line.split(" ", 2);
      switch (words[0]) {
        case "elect" -> member.registry().elect(words[1]);
        case "await" -> events.await(words[1]);
        case "keep" -> keep(member.identifier(), Path.of(words[1]));
        case "offer" -> {
          in = member.createReceivePort(TYPE, "in");
          in.enableConnections();
          keep(in.identifier(), Path.of(words[1]));
        }
        case "receive" -> {
          ReadMessage message = in.receive();
          System.out.println("got " + message.readInt());
          message.finish();
        }
        case "terminated" -> member.registry().waitUntilTerminated();
        default -> throw new IllegalArgumentException(line);
      }
      System.out.println("done " + line);
    }
    member.end();
  }

  private static void keep(Object identifier, Path file) throws Exception {
    try (var out = new ObjectOutputStream(Files.newOutputStream(file))) {
      out.writeObject(identifier);
    }
  }
}
