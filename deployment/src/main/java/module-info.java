/** From a descriptor to running nodes. */
module org.troupe.deployment {
  requires transitive org.troupe.activeobjects;
  requires transitive org.troupe.descriptors;
  requires drmaa.common;
  requires org.troupe.links;
  requires tools.jackson.databind; // what other processes are told
  requires org.apache.sshd.osgi;
  requires org.slf4j; // MINA's, whose jar cannot say so

  exports org.troupe.deployment;

  // A branch is an active object, and is told records.
  opens org.troupe.deployment to
      tools.jackson.databind,
      org.troupe.activeobjects,
      org.troupe.stubs,
      org.troupe.serialization;
}
