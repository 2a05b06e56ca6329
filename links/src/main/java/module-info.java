/** One port per JVM: authenticated byte links between processes; knows nothing of calls. */
module org.troupe.links {
  exports org.troupe.links;
}
