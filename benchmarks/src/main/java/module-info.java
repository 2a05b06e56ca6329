/** Everything measured against its limit and its peers, in one run. */
module org.troupe.benchmarks {
  requires java.rmi;
  requires org.troupe.deployment;
  requires org.troupe.em3d;
}
