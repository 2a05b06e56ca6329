/** Typed groups: ordered sets of active objects, on which one call is a collective operation. */
@SuppressWarnings("module") // the module that a package is exported to is above this one
module org.troupe.groups {
  requires static transitive org.jspecify;
  requires transitive org.troupe.activeobjects;

  exports org.troupe.groups;
  exports org.troupe.groups.board to
      org.troupe.mpj;
  exports org.troupe.groups.spmd;

  // Data that goes along with a call to its members.
  opens org.troupe.groups to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.groups.checkpoint to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.groups.spmd to
      org.troupe.stubs,
      org.troupe.serialization;

  uses org.troupe.groups.internal.SpmdEnrolment;

  provides org.troupe.activeobjects.collective.CompositeStub.Maker with
      org.troupe.groups.provider.GroupStubMaker;
  provides org.troupe.groups.internal.SpmdEnrolment with
      org.troupe.groups.spmd.CommunicatorFactory;
}
