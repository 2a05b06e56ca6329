package org.troupe.classics.webserver;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.Reused;

/** A server of some of the pages. */
class PageServer {

  private final Map<String, WebPage> pages; // by path

  public PageServer(List<WebPage> pages) {
    this.pages = pages.stream().collect(Collectors.toMap(WebPage::path, Function.identity()));
  }

  /** Returns a page, or null if there is none of this path. */
  @Acyclic
  @Nullable WebPage page(String path) {
    return pages.get(path);
  }

  /**
   * Returns a page, or null if there is none of this path. The result is valid until the caller's
   * next call, which decodes its page into the same object.
   */
  @Acyclic
  @Reused
  @Nullable WebPage reusedPage(String path) {
    return pages.get(path);
  }
}
