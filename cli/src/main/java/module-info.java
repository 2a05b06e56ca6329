/** The command {@code ./troupe}. */
module org.troupe.cli {
  requires info.picocli;
  requires org.troupe.deployment;
}
