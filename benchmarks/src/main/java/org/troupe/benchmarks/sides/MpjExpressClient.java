package org.troupe.benchmarks.sides;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.harness.ServerProcess;
import org.troupe.benchmarks.harness.TurnProtocol;

/**
 * Starts operations at ranks of MPJ Express in other JVMs; takes the place of its launcher, which
 * would need daemons.
 */
final class MpjExpressClient implements TurnProtocol.Loads {

  private static final int RANKS = 2;
  private static final int SWITCH_LIMIT = 128 << 10; // as its launcher sets it

  private final List<ServerProcess> ranks;

  private MpjExpressClient(List<ServerProcess> ranks) {
    this.ranks = ranks;
  }

  static void main(String[] arguments) throws Exception {
    List<ServerProcess> ranks = new ArrayList<>();
    var loopback = InetAddress.getLoopbackAddress();
    try (var exchange = new ServerSocket(0, RANKS, loopback)) {
      var settings =
          "#Number of Processes;%d;#Protocol Switch Limit;%d;#Server Name;%s;#Server Port;%d"
              .formatted(RANKS, SWITCH_LIMIT, loopback.getHostAddress(), exchange.getLocalPort());
      for (var rank = 0; rank < RANKS; rank++) {
        ranks.add(ServerProcess.start(MpjExpressRank.class, rank, settings, "niodev"));
      }
      exchangePorts(exchange);
    }
    for (var rank : ranks) {
      MpjExpressRank.answer(rank);
    }
    TurnProtocol.serve(new MpjExpressClient(ranks), Integer.parseInt(arguments[0]));
  }

  /** Tells each rank the ports of all. */
  private static void exchangePorts(ServerSocket exchange) throws IOException {
    List<Socket> sockets = new ArrayList<>();
    var all = new StringBuilder("#Peer Information");
    try {
      for (var rank = 0; rank < RANKS; rank++) {
        var socket = exchange.accept();
        sockets.add(socket);
        var in = new DataInputStream(socket.getInputStream());
        in.readUTF(); // a greeting
        var writePort = in.readInt();
        var readPort = in.readInt();
        var host = socket.getInetAddress().getHostAddress();
        all.append(";%s@%d@%d@%d@0".formatted(host, readPort, writePort, in.readInt()));
      }
      for (var socket : sockets) {
        new DataOutputStream(socket.getOutputStream()).writeUTF(all.toString());
      }
    } finally {
      for (var socket : sockets) {
        socket.close();
      }
    }
  }

  @Override
  public TurnProtocol.Measure measure(String name) {
    return RankClient.microsEach(
        times -> {
          for (var rank : ranks) {
            rank.send(name + " " + times);
          }
          var nanos = 0L;
          for (var rank : ranks) {
            nanos = Math.max(nanos, Long.parseLong(MpjExpressRank.answer(rank)));
          }
          return nanos;
        });
  }
}
