import org.troupe.activeobjects.transport.Transport;
import org.troupe.transport.ibis.IbisTransport;

/** Frames of active objects over links, or over another implementation of the Ibis layer. */
module org.troupe.transport.ibis {
  requires static transitive org.jspecify;
  requires transitive org.troupe.activeobjects;
  requires org.troupe.ipl;
  requires org.troupe.links;
  requires org.troupe.serialization;

  exports org.troupe.transport.ibis;

  provides Transport with
      IbisTransport;
}
