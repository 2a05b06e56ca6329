package org.troupe.pages;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file that a browser gets without a token, so it must not contain secrets. Its bytes are not
 * copied.
 *
 * @param type its media type, such as {@code text/html; charset=utf-8}
 */
public record PageFile(String type, byte[] bytes) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)*");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "mjs", "text/javascript; charset=utf-8",
          "json", "application/json",
          "svg", "image/svg+xml",
          "png", "image/png",
          "woff2", "font/woff2",
          "txt", "text/plain; charset=utf-8");

  private static final String INDEX = "index.html";

  /**
   * Returns the files that a folder of resources has, by their paths; the empty path is {@code
   * index.html}. The suffix of a file names its type, and files with other suffixes are not served.
   *
   * @param resources opens a resource of the folder, or returns {@code null}
   */
  public static Function<String, @Nullable PageFile> ofResources(
      Function<String, @Nullable InputStream> resources) {
    return path -> {
      var name = path.isEmpty() ? INDEX : path;
      var type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
      return type == null || !NAME.matcher(name).matches() ? null : read(resources, name, type);
    };
  }

  private static @Nullable PageFile read(
      Function<String, @Nullable InputStream> resources, String name, String type) {
    try (var in = resources.apply(name)) {
      return in == null ? null : new PageFile(type, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
