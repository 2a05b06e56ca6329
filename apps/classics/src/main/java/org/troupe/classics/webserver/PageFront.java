package org.troupe.classics.webserver;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.pages.PageException;
import org.troupe.pages.PageFile;
import org.troupe.pages.PageOptions;
import org.troupe.pages.PageServer;
import org.troupe.pages.PageSite;

/** Serves the pages of a server object to browsers of this machine. */
final class PageFront implements AutoCloseable {

  private final PageServer server;
  private final Function<String, @Nullable WebPage> pages;

  /**
   * Opens a server.
   *
   * @param port the port, or 0 for any free one
   * @param pages returns the page of a path, or null if there is none; called by several threads
   * @throws IllegalStateException if the port is in use
   */
  PageFront(int port, Function<String, @Nullable WebPage> pages) {
    this(PageOptions.standard().withPort(port), pages);
  }

  /**
   * Opens a server with a time limit.
   *
   * @param timeLimit the time limit of an exchange
   */
  PageFront(int port, Function<String, @Nullable WebPage> pages, Duration timeLimit) {
    this(PageOptions.standard().withPort(port).withTimeLimit(timeLimit), pages);
  }

  private PageFront(PageOptions options, Function<String, @Nullable WebPage> pages) {
    this.pages = pages;
    this.server = PageServer.open(options, PageSite.of(path -> file("/" + path)));
  }

  int port() {
    return server.port();
  }

  private @Nullable PageFile file(String path) {
    try {
      var page = pages.apply(path);
      return page == null ? null : new PageFile(page.type(), page.body());
    } catch (RuntimeException lost) { // for example the node of the page server
      throw new PageException(
          PageException.UNREACHABLE,
          "'%s': %s".formatted(path, lost.getMessage()),
          "ask again when the server is back");
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
