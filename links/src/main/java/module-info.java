/** One port per JVM: authenticated byte links between processes; knows nothing of calls. */
module org.troupe.links {
  requires static transitive org.jspecify;

  exports org.troupe.links;
}
