/** Turns object graphs into bytes and back with generated codecs; knows nothing of calls. */
module org.troupe.serialization {
  // The platform's own door for serialization libraries: instances without constructors, java.io
  // hooks.
  requires jdk.unsupported;
  requires static transitive org.jspecify;

  exports org.troupe.serialization;
  exports org.troupe.serialization.graph;
}
