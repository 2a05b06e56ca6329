import ibis.ipl.IbisStarter;
import ibis.ipl.internal.TroupeStarter;

/** The Ibis Portability Layer: pools of processes, and ports between them. */
module org.troupe.ipl {
  requires static transitive org.jspecify;
  requires java.compiler;
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

  uses IbisStarter;

  provides IbisStarter with
      TroupeStarter;
}
