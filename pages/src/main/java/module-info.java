/** Pages for browsers of this machine. */
@SuppressWarnings("module") // the modules that use it are above this one
module org.troupe.pages {
  requires static transitive org.jspecify;
  requires jdk.httpserver;

  exports org.troupe.pages to
      org.troupe.classics,
      org.troupe.cli,
      org.troupe.dashboard,
      org.troupe.em3d;
}
