/** From a descriptor to running nodes. */
module org.troupe.deployment {
  requires transitive org.troupe.activeobjects;
  requires transitive org.troupe.descriptors;
  requires org.troupe.links;

  exports org.troupe.deployment;
}
