/** The page that shows the runs of a user. */
@SuppressWarnings("module") // the command line is above this module
module org.troupe.dashboard {
  requires static transitive org.jspecify;
  requires org.troupe.deployment;
  requires org.troupe.links;
  requires transitive org.troupe.pages;
  requires tools.jackson.databind;

  exports org.troupe.dashboard to
      org.troupe.cli;

  provides org.troupe.deployment.runs.DashboardProvider with
      org.troupe.dashboard.LauncherDashboard;

  // Its records become JSON.
  opens org.troupe.dashboard to
      tools.jackson.databind;
}
