import ibis.ipl.IbisStarter;
import ibis.ipl.internal.Starter;

/** The Ibis Portability Layer, usable alone, and frames of active objects over it. */
module org.troupe.transport.ibis {
  requires transitive org.troupe.activeobjects;
  requires org.troupe.links;
  requires org.troupe.serialization;

  exports ibis.ipl;
  exports ibis.ipl.registry;
  exports ibis.util;

  uses IbisStarter;

  provides IbisStarter with
      Starter;
}
