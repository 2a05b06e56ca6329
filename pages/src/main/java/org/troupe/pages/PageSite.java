package org.troupe.pages;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The content that a {@link PageServer} serves. Immutable. The functions are called by several
 * threads at the same time; one that throws a {@link PageException} answers with that.
 */
public final class PageSite {

  /** What a request may do. */
  enum Right {
    LOOK,
    ACT
  }

  /** The answers to one path. */
  record Route(Right right, Function<? super PageRequest, ? extends PageAnswer> answers) {}

  private final Function<? super String, ? extends @Nullable PageFile> files;
  private final Map<String, Route> routes;

  private PageSite(
      Function<? super String, ? extends @Nullable PageFile> files, Map<String, Route> routes) {
    this.files = files;
    this.routes = Map.copyOf(routes);
  }

  /**
   * Returns a site of files, which need no token.
   *
   * @param files returns the file of a path below the prefix, or {@code null} if there is none
   */
  public static PageSite of(Function<? super String, ? extends @Nullable PageFile> files) {
    return new PageSite(files, Map.of());
  }

  /** Returns a copy that answers GET requests to a path, which need a token. */
  public PageSite looking(
      String path, Function<? super PageRequest, ? extends PageAnswer> answers) {
    return with(path, new Route(Right.LOOK, answers));
  }

  /** Returns a copy that answers POST requests to a path, which need the token for actions. */
  public PageSite acting(String path, Function<? super PageRequest, ? extends PageAnswer> answers) {
    return with(path, new Route(Right.ACT, answers));
  }

  private PageSite with(String path, Route route) {
    var all = new HashMap<>(routes);
    all.put(path, route);
    return new PageSite(files, all);
  }

  @Nullable Route route(String path) {
    return routes.get(path);
  }

  @Nullable PageFile file(String path) {
    return files.apply(path);
  }
}
