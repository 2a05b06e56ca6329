package org.troupe.deployment.node;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.troupe.links.port.PortForwarder;

/**
 * The main class of a process on a front end: nodes behind it reach the launcher through this and
 * the ssh connection.
 */
public final class ForwarderMain {

  /** Each node takes a few: for the coordinator, as its relay, and for peers beyond. */
  private static final int MOST_CONNECTIONS = 4096;

  /** What its line begins with: a JVM has warnings of its own for that stream. */
  public static final String LISTENING = "troupe-forwarder ";

  private ForwarderMain() {}

  /**
   * Prints one line, {@link #LISTENING} and where: addresses and numbers, with spaces between. Runs
   * until its input ends, as it does with the connection.
   *
   * @param arguments the port of the loopback address that leads to the launcher, and the networks
   *     to listen on
   */
  public static void main(String[] arguments) throws IOException {
    var words = List.of(arguments);
    var port = Integer.parseInt(words.getFirst());
    var launcher = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    try (var forwarder =
        PortForwarder.open(launcher, words.subList(1, words.size()), MOST_CONNECTIONS)) {
      var line = new StringBuilder(LISTENING);
      for (var each : forwarder.addresses()) {
        line.append(address(each)).append(' ').append(each.getPort()).append(' ');
      }
      System.out.println(line.toString().strip());
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }

  /** Without the scope, which means nothing elsewhere. */
  private static String address(InetSocketAddress where) {
    var text = where.getAddress().getHostAddress();
    var scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }
}
