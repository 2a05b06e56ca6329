/** From a descriptor to running nodes. */
@SuppressWarnings("module") // the modules that files are written for are above this one
module org.troupe.deployment {
  requires static transitive org.jspecify;
  requires transitive org.troupe.activeobjects;
  requires transitive org.troupe.descriptors;
  requires drmaa.common;
  requires org.troupe.links;
  requires tools.jackson.databind; // what other processes are told
  requires org.apache.sshd.osgi;
  requires org.slf4j; // MINA's, whose jar cannot say so

  exports org.troupe.deployment;
  exports org.troupe.deployment.runs to
      org.troupe.benchmarks,
      org.troupe.classics,
      org.troupe.cli,
      org.troupe.em3d;
  exports org.troupe.deployment.files to
      org.troupe.benchmarks,
      org.troupe.classics,
      org.troupe.cli,
      org.troupe.em3d;

  // A branch is an active object, and is told records.
  opens org.troupe.deployment to
      tools.jackson.databind,
      org.troupe.activeobjects,
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.deployment.batch to
      tools.jackson.databind,
      org.troupe.activeobjects,
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.deployment.process to
      tools.jackson.databind,
      org.troupe.activeobjects,
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.deployment.runs to
      tools.jackson.databind,
      org.troupe.activeobjects,
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.deployment.ssh to
      tools.jackson.databind,
      org.troupe.activeobjects,
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.deployment.staging to
      tools.jackson.databind,
      org.troupe.activeobjects,
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.deployment.tree to
      tools.jackson.databind,
      org.troupe.activeobjects,
      org.troupe.stubs,
      org.troupe.serialization;
}
