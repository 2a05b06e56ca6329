/** A browser without a window, for tests and benchmarks of pages. */
@SuppressWarnings("module") // the benchmarks are above this module
module org.troupe.browser {
  requires static transitive org.jspecify;
  requires java.net.http;

  exports org.troupe.browser to
      org.troupe.benchmarks;
}
