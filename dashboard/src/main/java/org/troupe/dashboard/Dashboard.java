package org.troupe.dashboard;

import org.troupe.pages.PageFile;
import org.troupe.pages.PageOptions;
import org.troupe.pages.PageServer;
import org.troupe.pages.PageSite;

/** The page that shows the runs of this user on this machine, and its server. Thread-safe. */
public final class Dashboard implements AutoCloseable {

  private static final String FOLDER = "page/";

  private final PageServer server;

  private Dashboard(PageOptions options) {
    var files = PageFile.ofResources(name -> Dashboard.class.getResourceAsStream(FOLDER + name));
    server = PageServer.open(options, PageSite.of(files));
  }

  /**
   * Opens the page.
   *
   * @throws IllegalStateException if the port is in use
   */
  public static Dashboard open(PageOptions options) {
    return new Dashboard(options);
  }

  /** Returns the address for the user, with the tokens. */
  public String address() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
  }
}
