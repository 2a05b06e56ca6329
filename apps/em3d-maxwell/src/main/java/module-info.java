/** Maxwell's equations in the time domain on tetrahedra, solved by active objects. */
@SuppressWarnings("module") // the benchmarks, to which packages are exported, are above this one
module org.troupe.em3d {
  requires static transitive org.jspecify;
  requires info.picocli;
  requires java.desktop;
  requires java.management;
  requires jdk.httpserver;
  requires static jdk.incubator.vector; // the kernel does without, but slower
  requires org.troupe.deployment;
  requires org.troupe.groups;

  exports org.troupe.em3d.cli to
      org.troupe.benchmarks;
  exports org.troupe.em3d.maxwell to
      org.troupe.benchmarks;
  exports org.troupe.em3d.mesh to
      org.troupe.benchmarks;
  exports org.troupe.em3d.problem to
      org.troupe.benchmarks;
  exports org.troupe.em3d.report to
      org.troupe.benchmarks;
  exports org.troupe.em3d.run to
      org.troupe.benchmarks;
  exports org.troupe.em3d.state to
      org.troupe.benchmarks;
  exports org.troupe.em3d.views to
      org.troupe.benchmarks;

  // Sub-domains are active objects, and what they are made of travels.
  opens org.troupe.em3d.cli to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.em3d.maxwell to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.em3d.mesh to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.em3d.problem to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.em3d.report to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.em3d.run to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.em3d.state to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.em3d.views to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
}
