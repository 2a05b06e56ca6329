/** Pages for browsers of this machine. */
module org.troupe.pages {
  requires static transitive org.jspecify;
  requires jdk.httpserver;

  exports org.troupe.pages;
}
