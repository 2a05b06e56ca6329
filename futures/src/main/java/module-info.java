/** Results that are not here yet, transparent and explicit. */
module org.troupe.futures {
  requires transitive org.troupe.stubs;

  exports org.troupe.futures;
}
