package org.troupe.deployment.node;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.troupe.links.port.PortForwarder;

/**
 * The main class of a forwarder: a process on a front end through which, and through whose ssh
 * connection, the nodes behind it reach the launcher.
 */
public final class ForwarderMain {

  /** A node needs several: to the coordinator, to the relay, and through it to other nodes. */
  private static final int MOST_CONNECTIONS = 4096;

  /** The beginning of its line, which distinguishes it from warnings of the JVM. */
  public static final String LISTENING = "troupe-forwarder ";

  private ForwarderMain() {}

  /**
   * Prints one line: {@link #LISTENING}, then the addresses and ports on which it listens,
   * separated by spaces. Runs until its input ends, which also ends with the connection.
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

  /** Returns an address without its scope, which is valid on this machine only. */
  private static String address(InetSocketAddress where) {
    var text = where.getAddress().getHostAddress();
    var scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }
}
