/** Typed groups: ordered sets of active objects, on which one call is a collective operation. */
module org.troupe.groups {
  requires transitive org.troupe.activeobjects;

  exports org.troupe.groups;

  // What goes along with a call to its members.
  opens org.troupe.groups to
      org.troupe.stubs,
      org.troupe.serialization;

  provides org.troupe.activeobjects.spi.Composite.Maker with
      org.troupe.groups.internal.GroupMaker;
}
