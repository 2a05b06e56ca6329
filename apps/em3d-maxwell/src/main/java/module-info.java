/** Maxwell's equations in the time domain on tetrahedra, solved by active objects. */
module org.troupe.em3d {
  requires info.picocli;
  requires java.desktop;
  requires java.management;
  requires jdk.httpserver;
  requires static jdk.incubator.vector; // the kernel does without, but slower
  requires org.troupe.deployment;
  requires org.troupe.groups;

  exports org.troupe.em3d;
  exports org.troupe.em3d.maxwell;
  exports org.troupe.em3d.mesh;

  // Sub-domains are active objects, and what they are made of travels.
  opens org.troupe.em3d to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.em3d.maxwell to
      org.troupe.serialization;
  opens org.troupe.em3d.mesh to
      org.troupe.serialization;
  opens org.troupe.em3d.views to
      org.troupe.serialization;
}
