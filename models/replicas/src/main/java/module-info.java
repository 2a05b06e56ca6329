/** Replicated objects: a replica on each node, local reads, and writes in one total order. */
module org.troupe.replicas {
  requires static transitive org.jspecify;
  requires transitive org.troupe.activeobjects;

  exports org.troupe.replicas;

  // The member on each node is an active object, and its messages are records.
  opens org.troupe.replicas to
      org.troupe.stubs,
      org.troupe.serialization;

  provides org.troupe.activeobjects.collective.CompositeStub.Maker with
      org.troupe.replicas.ReplicaStubMaker;
}
