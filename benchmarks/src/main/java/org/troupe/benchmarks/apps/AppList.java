package org.troupe.benchmarks.apps;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** The list of the classic programs, which their jar contains. */
final class AppList {

  private static final String RESOURCE = "META-INF/troupe/apps";

  private static final Pattern LINE =
      Pattern.compile("\\s*(?<name>[\\w.-]+)\\s*=\\s*(?<main>org\\.troupe\\.classics\\.[\\w.]+).*");

  /**
   * A program.
   *
   * @param name its name for {@code ./troupe run}
   * @param main its main class
   */
  record App(String name, String main) {}

  private AppList() {}

  static List<App> read() throws IOException {
    List<App> apps = new ArrayList<>();
    for (var list : Collections.list(AppList.class.getClassLoader().getResources(RESOURCE))) {
      try (var lines =
          new BufferedReader(new InputStreamReader(list.openStream(), StandardCharsets.UTF_8))) {
        lines.lines().forEach(line -> add(line, apps));
      }
    }
    return apps;
  }

  private static void add(String line, List<App> apps) {
    var matcher = LINE.matcher(line);
    if (matcher.matches()) {
      apps.add(new App(matcher.group("name"), matcher.group("main")));
    }
  }
}
