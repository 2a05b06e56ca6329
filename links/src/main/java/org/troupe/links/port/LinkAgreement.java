package org.troupe.links.port;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import org.troupe.links.Driver;
import org.troupe.links.IoFailures;
import org.troupe.links.Link;
import org.troupe.links.connect.PendingHandshakes;
import org.troupe.links.driver.LinkFactory;
import org.troupe.links.handshake.DriverNegotiation;
import org.troupe.links.handshake.DriverPreferences;
import org.troupe.links.handshake.Handshake;

/**
 * The accepting side of the negotiation that follows a handshake: agrees with the caller on a
 * driver and creates the link or socket.
 */
final class LinkAgreement {

  private final DriverNegotiation negotiation;
  private final DriverNegotiation.NetworkLocation location;
  private final DriverPreferences drivers;
  private final LinkFactory links;

  LinkAgreement(
      DriverNegotiation negotiation,
      DriverNegotiation.NetworkLocation location,
      DriverPreferences drivers,
      LinkFactory links) {
    this.negotiation = negotiation;
    this.location = location;
    this.drivers = drivers;
    this.links = links;
  }

  /** Creates a link from a connection whose handshake has succeeded. */
  Link link(
      Socket socket, PendingHandshakes.Peer peer, boolean isDirect, Handshake.Agreement agreed)
      throws IOException {
    return agree(socket, peer, isDirect, agreed, DriverNegotiation.Kind.LINK, links::acceptLink);
  }

  /** Creates a socket from a connection whose handshake has succeeded. */
  Socket socket(
      Socket socket, PendingHandshakes.Peer peer, boolean isDirect, Handshake.Agreement agreed)
      throws IOException {
    return agree(
        socket, peer, isDirect, agreed, DriverNegotiation.Kind.SOCKET, links::acceptSocket);
  }

  /** Creates a connection over the first common driver that works. */
  private interface Accepting<C> {
    C accept(Socket socket, byte[] session, List<Driver> common) throws IOException;
  }

  private <C extends Closeable> C agree(
      Socket socket,
      PendingHandshakes.Peer peer,
      boolean isDirect,
      Handshake.Agreement agreed,
      DriverNegotiation.Kind kind,
      Accepting<C> accepting)
      throws IOException {
    C connection = null;
    try {
      byte[] session = agreed.session();
      var offer = negotiation.readOffer(socket, session, location);
      if (offer.kind() != kind) {
        negotiation.refuseKind(socket, session);
        throw new IOException(
            "the peer requested a " + offer.kind() + " of service '" + agreed.service() + "'");
      }
      boolean mayBePlain =
          isDirect
              && DriverPreferences.mayBePlain(
                  socket.getInetAddress(), offer.sameStack(), offer.sameTrusted());
      List<Driver> ours =
          kind == DriverNegotiation.Kind.LINK
              ? drivers.forLink(mayBePlain)
              : drivers.forSocket(mayBePlain);
      List<Driver> common = DriverPreferences.common(offer.drivers(), ours, offer.sameHost());
      if (common.isEmpty()) {
        negotiation.refuse(socket, session, 0);
        throw new IOException("no driver in common: the peer offers " + offer.drivers());
      }
      connection = accepting.accept(socket, session, common);
    } finally {
      if (!peer.finish()) {
        IoFailures.closeQuietly(connection);
        connection = null;
      }
    }
    if (connection == null) {
      throw new IOException("the peer took too long to agree on a driver");
    }
    return connection;
  }
}
