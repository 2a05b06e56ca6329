/**
 * Authenticated byte links between processes, behind one listening port per JVM. Knows nothing of
 * calls. For the modules of this project only: transports, the IPL, deployment and benchmarks.
 */
@SuppressWarnings("module") // the modules that packages are exported to are above this one
module org.troupe.links {
  requires static transitive org.jspecify;

  exports org.troupe.links to
      org.troupe.benchmarks,
      org.troupe.cli,
      org.troupe.dashboard,
      org.troupe.deployment,
      org.troupe.ipl,
      org.troupe.transport.ibis,
      org.troupe.transport.rmi;
  exports org.troupe.links.port to
      org.troupe.benchmarks,
      org.troupe.deployment,
      org.troupe.ipl,
      org.troupe.transport.ibis,
      org.troupe.transport.rmi;
}
