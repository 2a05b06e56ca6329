package org.troupe.deployment.runs;

/**
 * Opens the page that shows a run, within the JVM of its program. The module that has the page
 * provides it, found by {@link java.util.ServiceLoader} when a program asks for a page.
 */
public interface DashboardProvider {

  /**
   * Opens the page at a free port of loopback.
   *
   * @param run the id of the run with which it begins
   * @throws IllegalStateException if that is not possible
   */
  OpenDashboard open(String run);

  /** A page that can be used until it is closed. */
  interface OpenDashboard extends AutoCloseable {

    /** Returns its address, with its tokens. */
    String address();

    @Override
    void close();
  }
}
