package org.troupe.deployment.ssh;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.troupe.descriptors.Login;

/**
 * The user's ssh configuration: {@code Host} sections and {@code Include}; the first value of each
 * keyword applies. Other keywords that select values, such as {@code Match}, are evaluated by the
 * ssh program; without one they are ignored. Immutable.
 */
public final class SshConfig {

  /** The property that names another file than the user's own, as {@code ssh -F} does. */
  public static final String FILE = "troupe.ssh.config";

  /** Keywords whose values accumulate. */
  private static final List<String> LISTS = List.of("identityfile");

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
  private static final Pattern TOKEN = Pattern.compile("%[^hrd]");
  private static final int DEEPEST_INCLUDE = 16;

  /** A line, and the hosts to which it applies. */
  private record Setting(Predicate<String> hosts, String keyword, List<String> values) {}

  private final List<Setting> settings = new ArrayList<>();
  private final Optional<Path> file; // that replaces the user's
  private boolean isSimple = true; // until the whole configuration has been read

  private SshConfig(Optional<Path> file) {
    this.file = file;
  }

  /**
   * Reads the file that the system property {@code troupe.ssh.config} names, or else the user's and
   * then the machine's.
   *
   * @throws IOException if the named file is not there, or one cannot be read
   */
  public static SshConfig read() throws IOException {
    var named = System.getProperty(FILE);
    var config = new SshConfig(Optional.ofNullable(named).map(Path::of));
    if (named != null) {
      try {
        config.add(Path.of(named), host -> true, 0);
      } catch (NoSuchFileException e) {
        throw new IOException(
            "the ssh configuration '" + named + "', named by " + FILE + ", does not exist", e);
      }
      return config;
    }
    for (var file : List.of(userFolder().resolve("config"), Path.of("/etc/ssh/ssh_config"))) {
      try {
        config.add(file, host -> true, 0);
      } catch (NoSuchFileException e) {
        // Optional files.
      }
    }
    return config;
  }

  public static SshConfig read(Path file) throws IOException {
    var config = new SshConfig(Optional.of(file));
    config.add(file, host -> true, 0);
    return config;
  }

  /** Returns the file that replaces the user's; empty if none does. */
  public Optional<Path> file() {
    return file;
  }

  static Path userFolder() {
    return Path.of(System.getProperty("user.home"), ".ssh");
  }

  /**
   * Returns the values for a login, by keyword in lower case.
   *
   * @throws IOException if the ssh program rejects the configuration
   */
  Map<String, List<String>> of(Login login) throws IOException {
    if (!isSimple) {
      var ssh = OpenSsh.find(file);
      if (ssh.isPresent()) {
        return ssh.get().settings(login).words();
      }
    }
    return of(login.host());
  }

  /** Returns the values for a host, by keyword in lower case, as far as this class reads them. */
  public Map<String, List<String>> of(String host) {
    var found = new LinkedHashMap<String, List<String>>();
    for (var setting : settings) {
      if (setting.hosts().test(host)) {
        found.merge(
            setting.keyword(),
            setting.values(),
            (before, more) ->
                LISTS.contains(setting.keyword())
                    ? Stream.concat(before.stream(), more.stream()).toList()
                    : before);
      }
    }
    return found;
  }

  private void add(Path file, Predicate<String> outer, int depth) throws IOException {
    var hosts = outer;
    for (var line : Files.readAllLines(file)) {
      var words = words(line);
      if (words.size() < 2) {
        continue;
      }
      var keyword = words.getFirst().toLowerCase(Locale.ROOT);
      var values = List.copyOf(words.subList(1, words.size()));
      switch (keyword) {
        case "host" -> hosts = outer.and(host -> matches(host, values));
        case "match" -> {
          var all = values.equals(List.of("all"));
          isSimple &= all;
          hosts = outer.and(host -> all);
        }
        case "include" -> include(file, values, hosts, depth);
        default -> {
          isSimple &=
              !keyword.startsWith("canonical") && values.stream().noneMatch(SshConfig::hasToken);
          settings.add(new Setting(hosts, keyword, values));
        }
      }
    }
  }

  /** Returns whether a value has a token or variable that only the ssh program replaces. */
  private static boolean hasToken(String value) {
    return value.contains("${") || TOKEN.matcher(value).find();
  }

  /** Splits a line into keyword and values, which '=' may separate; empty for a comment. */
  private static List<String> words(String line) {
    var text = line.strip();
    if (text.startsWith("#")) {
      return List.of();
    }
    return WORD.matcher(text.replaceFirst("^(\\w+)\\s*=\\s*", "$1 "))
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .toList();
  }

  private void include(Path from, List<String> names, Predicate<String> hosts, int depth)
      throws IOException {
    if (depth == DEEPEST_INCLUDE) {
      throw new IOException("'" + from + "' includes others more than 16 deep; is it a circle?");
    }
    for (var name : names) {
      var pattern = userFolder().resolve(home(name)); // relative paths start there, by definition
      for (var file : matching(pattern)) {
        add(file, hosts, depth + 1);
      }
    }
  }

  private static List<Path> matching(Path pattern) throws IOException {
    var folder = pattern.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      return List.of();
    }
    var found = new ArrayList<Path>();
    try (var files = Files.newDirectoryStream(folder, pattern.getFileName().toString())) {
      files.forEach(found::add);
    }
    found.sort(null);
    return found;
  }

  /** Returns whether one of the patterns matches, and no pattern that begins with '!' does. */
  static boolean matches(String host, List<String> patterns) {
    return patterns.stream().anyMatch(each -> glob(each).test(host))
        && patterns.stream()
            .filter(each -> each.startsWith("!"))
            .noneMatch(each -> glob(each.substring(1)).test(host));
  }

  private static Predicate<String> glob(String pattern) {
    var expression =
        pattern
            .chars()
            .mapToObj(
                c ->
                    switch (c) {
                      case '*' -> ".*";
                      case '?' -> ".";
                      default -> Pattern.quote(Character.toString(c));
                    })
            .collect(joining());
    return Pattern.compile(expression, Pattern.CASE_INSENSITIVE).asMatchPredicate();
  }

  /** Returns a path with the home directory in place of a leading {@code ~}. */
  static String home(String path) {
    return path.equals("~") || path.startsWith("~/")
        ? System.getProperty("user.home") + path.substring(1)
        : path;
  }
}
