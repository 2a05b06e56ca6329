/** Active objects: bodies, request queues, references, nodes and the one table of calls. */
module org.troupe.activeobjects {
  requires transitive org.troupe.futures;
  requires org.troupe.serialization;
  requires transitive org.troupe.stubs;
}
