package org.troupe.classics.webserver;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.troupe.groups.Group;

/** Knows who has which page, and shows them all to browsers. */
class PageDirectory {

  private final Group<PageServer> servers;
  private final List<WebPage> expected;
  private final List<PageFront> fronts = new ArrayList<>();

  /**
   * Creates one.
   *
   * @param servers a group of them, each of which has the pages whose keys, modulo their number,
   *     are its rank
   * @param count of the pages
   * @param bytes of each
   */
  public PageDirectory(PageServer servers, int count, int bytes) {
    this.servers = Group.of(servers);
    this.expected = WebPage.some(count, bytes);
  }

  private PageServer serverOf(String path) {
    return servers.get(Math.floorMod(WebPage.key(path), servers.size()));
  }

  /** Gets pages one after the other, and returns how many were wrong. */
  int fetch(int times) {
    var wrong = 0;
    var random = new SplittableRandom(times);
    for (var i = 0; i < times; i++) {
      var page = expected.get(random.nextInt(expected.size()));
      if (!page.isSameAs(serverOf(page.path()).glance(page.path()))) {
        wrong++;
      }
    }
    return wrong;
  }

  /** Opens a front for what the page servers have, and returns its port. */
  int open(int port) {
    return open(new PageFront(port, path -> serverOf(path).page(path)));
  }

  /** Opens a front with the same pages that needs no page server, and returns its port. */
  int openPlain() {
    Map<String, WebPage> pages =
        expected.stream().collect(Collectors.toMap(WebPage::path, Function.identity()));
    return open(new PageFront(0, pages::get));
  }

  private int open(PageFront front) {
    fronts.add(front);
    return front.port();
  }

  /** Closes all fronts; a call returns when they are closed. */
  int close() {
    var closed = fronts.size();
    fronts.forEach(PageFront::close);
    fronts.clear();
    return closed;
  }
}
