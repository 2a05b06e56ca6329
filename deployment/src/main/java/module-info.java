/** From a descriptor to running nodes. */
@SuppressWarnings("module") // the modules that files are written for are above this one
module org.troupe.deployment {
  requires static transitive org.jspecify;
  requires transitive org.troupe.activeobjects;
  requires transitive org.troupe.descriptors;
  requires org.troupe.links;
  requires tools.jackson.databind; // reports to other processes
  requires org.apache.sshd.osgi;
  requires static jdk.jfr; // reads recordings, where the recorder is
  requires static java.logging; // whose levels change, where it is
  requires jdk.management; // heap dumps
  requires org.slf4j; // MINA's, whose jar cannot say so

  uses org.troupe.deployment.runs.DashboardProvider;

  exports org.troupe.deployment;
  exports org.troupe.deployment.model;
  exports org.troupe.deployment.runs to
      org.troupe.benchmarks,
      org.troupe.classics,
      org.troupe.cli,
      org.troupe.dashboard,
      org.troupe.em3d,
      org.troupe.junit;
  exports org.troupe.deployment.site to
      org.troupe.cli;
  exports org.troupe.deployment.trace to
      org.troupe.cli,
      org.troupe.dashboard;
  exports org.troupe.deployment.watch to
      org.troupe.cli,
      org.troupe.dashboard;
  exports org.troupe.deployment.ssh to
      org.troupe.benchmarks; // whose simulated hosts use MINA, too
  exports org.troupe.deployment.files to
      org.troupe.benchmarks,
      org.troupe.classics,
      org.troupe.cli,
      org.troupe.dashboard,
      org.troupe.em3d;

  // Active objects on nodes: of the training run, the latency probe, and the branches.
  opens org.troupe.deployment to
      org.troupe.activeobjects,
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.deployment.node to
      org.troupe.activeobjects,
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.deployment.tree to
      org.troupe.activeobjects,
      org.troupe.stubs,
      org.troupe.serialization;

  // The records that the control socket writes as JSON.
  opens org.troupe.deployment.runs to
      tools.jackson.databind;
  opens org.troupe.deployment.trace to
      tools.jackson.databind;
  opens org.troupe.deployment.model to
      tools.jackson.databind;
  opens org.troupe.deployment.watch to
      tools.jackson.databind;

  // The records of sites.
  opens org.troupe.deployment.site to
      tools.jackson.databind;
}
