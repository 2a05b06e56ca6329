/** Tests of programs on a grid. */
module org.troupe.junit {
  requires static transitive org.jspecify;
  requires transitive org.junit.jupiter.api;
  requires transitive org.troupe.activeobjects;
  requires transitive org.troupe.deployment;

  exports org.troupe.junit;

  // The extension is found by an annotation; its helpers on nodes are active objects.
  opens org.troupe.junit to
      org.junit.platform.commons,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
}
