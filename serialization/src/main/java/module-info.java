/** Encodes and decodes object graphs with generated codecs; independent of calls. */
@SuppressWarnings("module") // the modules that a package is exported to are above this one
module org.troupe.serialization {
  // The platform's own door for serialization libraries: instances without constructors, java.io
  // hooks.
  requires jdk.unsupported;
  requires static transitive org.jspecify;

  exports org.troupe.serialization;
  exports org.troupe.serialization.graph to
      org.troupe.activeobjects,
      org.troupe.benchmarks,
      org.troupe.ipl,
      org.troupe.tasks;
}
