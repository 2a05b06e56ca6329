/** Message passing by ranks and tags, over active objects. */
@SuppressWarnings("module") // the modules that packages are exported to are above this one
module org.troupe.mpj {
  requires static transitive org.jspecify;
  requires transitive org.troupe.activeobjects;
  requires org.troupe.groups;

  exports ibis.mpj;
  exports mpi;
  exports org.troupe.mpj.launch to
      org.troupe.benchmarks,
      org.troupe.cli,
      org.troupe.kernels;

  // Ranks are active objects, and the objects that attach them to each other travel.
  opens org.troupe.mpj.launch to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.mpj.matching to
      org.troupe.serialization;
}
