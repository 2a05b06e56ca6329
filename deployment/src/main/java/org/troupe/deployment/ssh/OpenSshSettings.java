package org.troupe.deployment.ssh;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.troupe.descriptors.Login.HostKeys;

/** The settings of a login, as {@code ssh -G} prints them: words after a keyword. Immutable. */
record OpenSshSettings(Map<String, List<String>> values) {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int HEARTBEAT_SECONDS = 10;
  private static final List<String> ACCEPTING = List.of("accept-new", "false", "no", "off");

  OpenSshSettings {
    values = Map.copyOf(values);
  }

  static OpenSshSettings read(String printed) {
    var values = new LinkedHashMap<String, List<String>>();
    for (var line : printed.lines().toList()) {
      var space = line.indexOf(' ');
      if (space > 0) {
        values
            .computeIfAbsent(line.substring(0, space), keyword -> new ArrayList<>())
            .add(line.substring(space + 1).strip());
      }
    }
    values.replaceAll((keyword, lines) -> List.copyOf(lines));
    return new OpenSshSettings(values);
  }

  /**
   * Returns the words of each keyword that is set, as {@link SshConfig} reads them; of the keys
   * those that exist, since ssh lists all usual ones.
   */
  Map<String, List<String>> words() {
    var words = new LinkedHashMap<String, List<String>>();
    values.forEach(
        (keyword, lines) -> {
          var read =
              lines.stream()
                  .flatMap(
                      line ->
                          keyword.endsWith("knownhostsfile")
                              ? Stream.of(line.split(" "))
                              : Stream.of(line))
                  .filter(word -> !word.equals("none"))
                  .filter(
                      word ->
                          !keyword.equals("identityfile")
                              || Files.exists(Path.of(SshConfig.home(word))))
                  .toList();
          if (!read.isEmpty()) {
            words.put(keyword, read);
          }
        });
    return words;
  }

  /** Returns a value that is set, and not to {@code none}. */
  Optional<String> value(String keyword) {
    return all(keyword).stream().findFirst().filter(value -> !value.equals("none"));
  }

  List<String> all(String keyword) {
    return values.getOrDefault(keyword, List.of());
  }

  String hostName() {
    return value("hostname").orElse("");
  }

  int port() {
    return value("port").map(Integer::parseInt).orElse(SshHost.SSH_PORT);
  }

  String user() {
    return value("user").orElse("");
  }

  /** Returns {@code user@host}, with the port unless it is 22. */
  String target() {
    return user() + "@" + hostName() + (port() == SshHost.SSH_PORT ? "" : ":" + port());
  }

  Duration timeout() {
    return value("connecttimeout")
        .filter(seconds -> seconds.matches("[1-9]\\d{0,5}"))
        .map(Integer::parseInt)
        .map(Duration::ofSeconds)
        .orElse(TIMEOUT);
  }

  /** Returns the seconds between heartbeats; a connection that is silent for three is broken. */
  int heartbeatSeconds() {
    return value("serveraliveinterval")
        .filter(seconds -> seconds.matches("[1-9]\\d{0,5}"))
        .map(Integer::parseInt)
        .orElse(HEARTBEAT_SECONDS);
  }

  boolean isWithoutPrompts() {
    return value("batchmode").filter("yes"::equals).isPresent();
  }

  /** Returns whether the keys of new hosts are accepted; changed ones never are. */
  boolean acceptsNewHosts(HostKeys policy) {
    return policy == HostKeys.ACCEPT_NEW
        || value("stricthostkeychecking").filter(ACCEPTING::contains).isPresent();
  }

  /** Returns the file to which the keys of new hosts are added. */
  String knownHosts() {
    return value("userknownhostsfile").map(files -> files.split(" ")[0]).orElse("no file");
  }

  /** Returns the user's certificates that exist: those of the configuration, and of its keys. */
  List<Path> certificates() {
    var files = new ArrayList<String>(all("certificatefile"));
    all("identityfile").forEach(key -> files.add(key + "-cert.pub"));
    return files.stream()
        .filter(file -> !file.equals("none"))
        .map(SshConfig::home)
        .map(Path::of)
        .filter(Files::isReadable)
        .distinct()
        .toList();
  }
}
