/** The command {@code ./troupe}. */
module org.troupe.cli {
  requires static transitive org.jspecify;
  requires info.picocli;
  requires org.troupe.deployment;

  // Options are filled into fields that nobody else should see.
  opens org.troupe.cli to
      info.picocli;
}
