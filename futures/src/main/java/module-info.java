/** Results that are not here yet, transparent and explicit. */
module org.troupe.futures {
  requires static transitive org.jspecify;
  requires transitive org.troupe.stubs;

  exports org.troupe.futures;
}
