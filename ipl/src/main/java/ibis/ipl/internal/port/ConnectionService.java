package ibis.ipl.internal.port;

import ibis.ipl.Ibis;
import ibis.ipl.IbisIdentifier;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.CancellationException;
import org.troupe.links.Link;
import org.troupe.links.port.Port;

/** Serves the requests of other instances to connect to ports and to control connections. */
final class ConnectionService {

  private static final System.Logger LOG =
      System.getLogger(ConnectionService.class.getPackageName());

  /** How long a request for an absent port is held before its sender must repeat it. */
  private static final long HOLD_MILLIS = 100;

  private final Ibis self;
  private final Port links;
  private final PortThreads threads;
  private final PortDirectory<LinkReceivePort> receivePorts;
  private final ConnectionNumbers<InboundConnection> inbounds;
  private final ConnectionNumbers<LinkSendPort.Sender> outbounds;

  ConnectionService(
      Ibis self,
      Port links,
      PortThreads threads,
      PortDirectory<LinkReceivePort> receivePorts,
      ConnectionNumbers<InboundConnection> inbounds,
      ConnectionNumbers<LinkSendPort.Sender> outbounds) {
    this.self = self;
    this.links = links;
    this.threads = threads;
    this.receivePorts = receivePorts;
    this.inbounds = inbounds;
    this.outbounds = outbounds;
  }

  /** Starts accepting links. */
  void open() {
    links.serve(
        PortProtocol.CONNECTIONS, link -> threads.execute(() -> serveConnectionRequests(link)));
    links.serve(PortProtocol.CONTROL, link -> threads.execute(() -> serveControl(link)));
  }

  /** Answers the requests on a new link until one is accepted. */
  private void serveConnectionRequests(Link link) {
    boolean accepted = false;
    try {
      while (!accepted) {
        PortProtocol.Request request = PortProtocol.Request.read(link);
        PortProtocol.Reply reply = decide(request, link);
        if (reply.answer() != PortProtocol.Answer.ACCEPTED) {
          reply.write(link);
          continue;
        }
        accepted = true;
        InboundConnection inbound = inbounds.get(reply.connection());
        if (inbound == null) { // the port was closed or the sender has gone meanwhile
          link.close();
          return;
        }
        try {
          reply.write(link);
        } catch (IOException e) {
          inbound.port().cut(inbound, e);
          return;
        }
        inbound.port().begin(inbound);
      }
    } catch (IOException e) {
      LOG.log(
          Level.DEBUG,
          "a sender abandoned its request to {0}: {1}",
          links.address(),
          e.getMessage());
    } catch (CancellationException _) {
      LOG.log(Level.DEBUG, "{0} rejected a sender, as it could not join its pool", links.address());
    } finally {
      if (!accepted) {
        link.close();
      }
    }
  }

  private PortProtocol.Reply decide(PortProtocol.Request request, Link link) {
    IbisIdentifier me = self.identifier();
    if (!me.equals(request.target())) {
      return new PortProtocol.Reply(PortProtocol.Answer.NOT_ME, me.toString(), 0);
    }
    PortProtocol.Reply reply = decideOnce(request, link);
    if (reply.answer() != PortProtocol.Answer.NOT_NOW) {
      return reply;
    }
    receivePorts.awaitChange(HOLD_MILLIS);
    return decideOnce(request, link);
  }

  private PortProtocol.Reply decideOnce(PortProtocol.Request request, Link link) {
    LinkReceivePort port = receivePorts.get(request.port());
    return port == null ? PortProtocol.Reply.NOT_NOW : port.decide(request, link);
  }

  /** Serves the control requests on a link until the peer closes it. */
  private void serveControl(Link link) {
    try (link) {
      while (true) {
        PortProtocol.Control request = PortProtocol.Control.read(link);
        switch (request.matter()) {
          case DISCONNECT -> {
            InboundConnection inbound = inbounds.get(request.connection());
            if (inbound != null) {
              inbound.port().disconnected(inbound);
            }
          }
          case NUDGE -> {
            LinkSendPort.Sender sender = outbounds.get(request.connection());
            if (sender != null) {
              threads.execute(() -> sender.port().nudge(sender.outbound()));
            }
          }
          case BROKEN -> {
            LinkSendPort.Sender sender = outbounds.get(request.connection());
            if (sender != null) {
              sender.port().broken(sender.outbound(), request.text());
            }
          }
        }
        request.write(link); // confirms
      }
    } catch (IOException e) {
      LOG.log(
          Level.DEBUG, "a control connection to {0} ended: {1}", links.address(), e.getMessage());
    }
  }
}
