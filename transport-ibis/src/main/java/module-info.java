/** The Ibis Portability Layer, usable alone, and frames of active objects over it. */
module org.troupe.transport.ibis {
  requires transitive org.troupe.activeobjects;
  requires org.troupe.links;
  requires org.troupe.serialization;
}
