/** Satin: divide and conquer by spawn and sync, woven into ordinary classes. */
@SuppressWarnings("module") // the module that the weaver is exported to is above this one
module org.troupe.satin {
  requires static transitive org.jspecify;
  requires transitive org.troupe.tasks; // generated jobs extend its jobs

  exports ibis.satin;
  exports ibis.satin.impl;

  // Active objects of the nodes, and messages between them.
  opens ibis.satin.replica to
      org.troupe.serialization,
      org.troupe.stubs;

  exports ibis.satin.weave to
      org.troupe.cli;
}
