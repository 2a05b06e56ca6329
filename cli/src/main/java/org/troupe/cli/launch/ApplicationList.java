package org.troupe.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.troupe.cli.command.UsageError;
import org.troupe.descriptors.text.SpellingHints;

/**
 * The applications on the class path: each jar may list some in {@code META-INF/troupe/apps}, one
 * per line, as {@code name = main.class.Name # what it does}.
 */
final class ApplicationList {

  private static final String RESOURCE = "META-INF/troupe/apps";

  private static final Pattern LINE =
      Pattern.compile("(?<name>[\\w.-]+)\\s*=\\s*(?<main>[\\w.$]+)\\s*(#\\s*(?<description>.*))?");

  private final Map<String, App> byName = new TreeMap<>();

  private ApplicationList() {}

  /** An application as its jar announces it. */
  record App(String name, String mainClass, String description) {}

  /**
   * Reads the lists of all jars.
   *
   * @throws IllegalArgumentException if a line is malformed, or a name is used twice
   */
  static ApplicationList onClassPath() {
    return from(ClassLoader.getSystemClassLoader());
  }

  static ApplicationList from(ClassLoader loader) {
    ApplicationList apps = new ApplicationList();
    try {
      for (URL list : Collections.list(loader.getResources(RESOURCE))) {
        apps.read(list);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read a list of applications", e);
    }
    return apps;
  }

  /** Returns all applications, sorted by name. */
  List<App> list() {
    return List.copyOf(byName.values());
  }

  boolean has(String name) {
    return byName.containsKey(name);
  }

  /**
   * Returns the application of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  App named(String name) {
    App app = byName.get(name);
    if (app == null) {
      throw new IllegalArgumentException(
          "there is no application '"
              + name
              + "'"
              + SpellingHints.closest(name, byName.keySet())
                  .map(UsageError::hint)
                  .orElseGet(this::choice));
    }
    return app;
  }

  /** Returns the list of applications, for the end of a message. */
  String choice() {
    return byName.isEmpty()
        ? "; there is none on the class path, so name a class with --class-path and --main"
        : byName.keySet().stream()
            .map(name -> "'" + name + "'")
            .collect(joining(", ", "; choose from ", ""));
  }

  private void read(URL list) throws IOException {
    try (var lines = new BufferedReader(new InputStreamReader(list.openStream(), UTF_8))) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank() && !line.strip().startsWith("#")) {
          add(line.strip(), list + ":" + number);
        }
      }
    }
  }

  private void add(String line, String place) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          place + ": '" + line + "' is not of the form 'name = main.class.Name # what it does'");
    }
    String description = matcher.group("description");
    App app =
        new App(
            matcher.group("name"), matcher.group("main"), description == null ? "" : description);
    App other = byName.putIfAbsent(app.name(), app);
    if (other != null && !other.equals(app)) {
      throw new IllegalArgumentException(
          place
              + ": application '"
              + app.name()
              + "' is also one of class '"
              + other.mainClass()
              + "'; rename one of them");
    }
  }
}
