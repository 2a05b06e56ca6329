/** Maxwell's equations in the time domain on tetrahedra, solved by active objects. */
@SuppressWarnings("module") // the benchmarks, to which packages are exported, are above this one
module org.troupe.em3d {
  requires static transitive org.jspecify;
  requires info.picocli;
  requires java.desktop;
  requires java.management;
  requires static jdk.incubator.vector; // the kernel does without, but slower
  requires org.troupe.deployment;
  requires org.troupe.groups;

  // display and views: the stubs of subclasses of SubDomainSolver name their types.
  exports org.troupe.em3d.display to
      org.troupe.benchmarks;
  exports org.troupe.em3d.kernel to
      org.troupe.benchmarks;
  exports org.troupe.em3d.maxwell to
      org.troupe.benchmarks;
  exports org.troupe.em3d.mesh to
      org.troupe.benchmarks;
  exports org.troupe.em3d.physics to
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

  // Options are filled into private fields.
  opens org.troupe.em3d.cli to
      info.picocli;

  // Sub-domains and their helpers are active objects, whose arguments travel.
  opens org.troupe.em3d.display to
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.em3d.run to
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.em3d.state to
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.em3d.maxwell to
      org.troupe.serialization;
  opens org.troupe.em3d.mesh to
      org.troupe.serialization;
  opens org.troupe.em3d.physics to
      org.troupe.serialization;
  opens org.troupe.em3d.problem to
      org.troupe.serialization;
  opens org.troupe.em3d.views to
      org.troupe.serialization;
}
