/** Active objects: bodies, request queues, references, nodes and the one table of calls. */
module org.troupe.activeobjects {
  requires transitive org.troupe.futures;
  requires transitive org.troupe.serialization; // its annotations are for users
  requires transitive org.troupe.stubs;
  requires jdk.management; // the traces of virtual threads

  exports org.troupe.activeobjects;
  exports org.troupe.activeobjects.spi;

  // The node's own service is an active object, and what it is told are records.
  opens org.troupe.activeobjects.internal to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.activeobjects to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.activeobjects.spi to
      org.troupe.serialization;

  uses org.troupe.activeobjects.spi.Composite.Maker;
  uses org.troupe.activeobjects.spi.Transport;
}
