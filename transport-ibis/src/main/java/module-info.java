import ibis.ipl.IbisStarter;
import ibis.ipl.internal.Starter;
import org.troupe.activeobjects.spi.Transport;
import org.troupe.transport.ibis.IbisTransport;

/** The Ibis Portability Layer, usable alone, and frames of active objects over it. */
module org.troupe.transport.ibis {
  requires java.compiler;
  requires transitive org.troupe.activeobjects;
  requires org.troupe.links;
  requires org.troupe.serialization;

  exports ibis.compile;
  exports ibis.io;
  exports ibis.ipl;
  exports ibis.ipl.impl;
  exports ibis.ipl.registry;
  exports ibis.ipl.server;
  exports ibis.ipl.util.messagecombining;
  exports ibis.util;
  exports org.troupe.transport.ibis;

  uses IbisStarter;

  provides IbisStarter with
      Starter;
  provides Transport with
      IbisTransport;
}
