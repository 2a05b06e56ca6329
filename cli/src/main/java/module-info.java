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
  opens org.troupe.cli.command to
      info.picocli;
  opens org.troupe.cli.descriptor to
      info.picocli;
  opens org.troupe.cli.launch to
      info.picocli;
  opens org.troupe.cli.observe to
      info.picocli;
  opens org.troupe.cli.program to
      info.picocli;
  opens org.troupe.cli.project to
      info.picocli;
  opens org.troupe.cli.site to
      info.picocli;
  opens org.troupe.cli.terminal to
      info.picocli;
}
