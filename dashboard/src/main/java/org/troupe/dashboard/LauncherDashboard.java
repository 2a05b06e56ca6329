package org.troupe.dashboard;

import java.io.IOException;
import java.util.List;
import org.troupe.deployment.runs.DashboardProvider;
import org.troupe.pages.PageOptions;

/** Opens the page within the JVM of a program, which its grid has asked for. */
public final class LauncherDashboard implements DashboardProvider {

  /*
   * The page asks the program over its control socket, as from another process, so the same bounds apply.
   */

  @Override
  public OpenDashboard open(String run) {
    Dashboard dashboard;
    try {
      dashboard = Dashboard.open(PageOptions.standard(), List.of());
    } catch (IOException e) {
      throw new IllegalStateException("the dashboard cannot be opened: " + e.getMessage(), e);
    }
    return new OpenDashboard() {

      @Override
      public String address() {
        return dashboard.address(run);
      }

      @Override
      public void close() {
        dashboard.close();
      }
    };
  }
}
