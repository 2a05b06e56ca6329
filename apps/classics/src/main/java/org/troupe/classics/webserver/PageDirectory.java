package org.troupe.classics.webserver;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.troupe.groups.Group;

/** The master: finds the server of each page, and serves all pages to browsers. */
class PageDirectory {

  private final Group<PageServer> servers;
  private final List<WebPage> expected;
  private final List<PageFront> fronts = new ArrayList<>();

  /**
   * Creates a directory.
   *
   * @param servers a group of page servers; a server has the pages whose keys equal its rank modulo
   *     the size of the group
   * @param count the number of pages
   * @param bytes the size of each page
   */
  public PageDirectory(PageServer servers, int count, int bytes) {
    this.servers = Group.of(servers);
    this.expected = WebPage.generate(count, bytes);
  }

  private PageServer serverOf(String path) {
    return servers.get(Math.floorMod(WebPage.key(path), servers.size()));
  }

  /** Gets pages one after the other, and returns the number of wrong ones. */
  int fetch(int times) {
    var wrong = 0;
    var random = new SplittableRandom(times);
    for (var i = 0; i < times; i++) {
      var page = expected.get(random.nextInt(expected.size()));
      if (!page.hasSameContent(serverOf(page.path()).reusedPage(page.path()))) {
        wrong++;
      }
    }
    return wrong;
  }

  /** Opens an HTTP server for the pages of the page servers, and returns its port. */
  int open(int port) {
    return open(new PageFront(port, path -> serverOf(path).page(path)));
  }

  /** Opens an HTTP server with all pages in its own memory, and returns its port. */
  int openPlain() {
    Map<String, WebPage> pages =
        expected.stream().collect(Collectors.toMap(WebPage::path, Function.identity()));
    return open(new PageFront(0, pages::get));
  }

  private int open(PageFront front) {
    fronts.add(front);
    return front.port();
  }

  /** Closes all HTTP servers; returns when they are closed. */
  int close() {
    var closed = fronts.size();
    fronts.forEach(PageFront::close);
    fronts.clear();
    return closed;
  }
}
