package org.troupe.classics.webserver;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.Reused;

/** Has some of the pages. */
class PageServer {

  private final Map<String, WebPage> pages; // by path

  public PageServer(List<WebPage> pages) {
    this.pages = pages.stream().collect(Collectors.toMap(WebPage::path, Function.identity()));
  }

  /** Returns a page, or null if there is none. */
  @Acyclic
  WebPage page(String path) {
    return pages.get(path);
  }

  /** The same for who is done with a page before asking for the next one: that is read into it. */
  @Acyclic
  @Reused
  WebPage glance(String path) {
    return pages.get(path);
  }
}
