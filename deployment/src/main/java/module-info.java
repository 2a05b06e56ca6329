/** From a descriptor to running nodes. */
module org.troupe.deployment {
  requires transitive org.troupe.activeobjects;
  requires transitive org.troupe.descriptors;
  requires drmaa.common;
  requires org.troupe.links;
  requires tools.jackson.databind; // what other processes are told

  exports org.troupe.deployment;

  opens org.troupe.deployment to
      tools.jackson.databind;
}
