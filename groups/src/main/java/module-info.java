/** Typed groups: ordered sets of active objects, on which one call is a collective operation. */
module org.troupe.groups {
  requires transitive org.troupe.activeobjects;

  exports org.troupe.groups;

  // What members send each other are records of ours.
  opens org.troupe.groups to
      org.troupe.stubs,
      org.troupe.serialization;
}
