/** The command {@code ./troupe}. */
module org.troupe.cli {
  requires static transitive org.jspecify;
  requires info.picocli;
  requires java.compiler; // what is a name in Java
  requires org.troupe.dashboard;
  requires org.troupe.deployment;
  requires org.troupe.links;
  requires org.troupe.mpj;
  requires org.troupe.replicas;
  requires org.troupe.satin;

  // Picocli sets private fields.
  opens org.troupe.cli to
      info.picocli;
}
