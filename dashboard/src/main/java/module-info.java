/** The page that shows the runs of a user. */
module org.troupe.dashboard {
  requires static transitive org.jspecify;
  requires org.troupe.deployment;
  requires transitive org.troupe.pages;
  requires tools.jackson.databind;

  exports org.troupe.dashboard;
}
