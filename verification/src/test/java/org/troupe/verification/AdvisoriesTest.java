package org.troupe.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares the libraries of all modules with a file of known weaknesses. {@code
 * -Dtroupe.advisories=update} writes the file anew from a database, which {@code
 * -Dtroupe.advisories.source} names.
 */
class AdvisoriesTest {

  private static final Path FILE =
      Path.of("src/test/resources/org/troupe/verification/advisories.txt").toAbsolutePath();

  /** The versions from one, inclusive, to another, exclusive or "-", have a weakness. */
  record Advisory(String id, String library, String from, String to) {

    static Advisory parsed(String line) {
      String[] words = line.split(" ");
      return new Advisory(words[0], words[1], words[2], words[3]);
    }

    boolean concerns(Library used) {
      return used.name().equals(library)
          && compare(used.version(), from) >= 0
          && (to.equals("-") || compare(used.version(), to) < 0);
    }

    @Override
    public String toString() {
      return String.join(" ", id, library, from, to);
    }
  }

  /** A library by group and artifact, with its version. */
  record Library(String name, String version) {}

  /** Returns the jars of the class path that lie in a Maven repository. */
  private static List<Library> used() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(each -> each.endsWith(".jar"))
        .flatMap(each -> library(Path.of(each)).stream())
        .filter(each -> !each.name().startsWith("org.troupe:"))
        .toList();
  }

  /** Reads the coordinates from {@code .../repository/org/group/artifact/1.0/artifact-1.0.jar}. */
  private static List<Library> library(Path jar) {
    Path version = jar.getParent();
    Path artifact = version.getParent();
    Path root = artifact;
    while (root != null && !Files.exists(root.resolve("org/junit/jupiter"))) {
      root = root.getParent();
    }
    if (root == null || artifact.getParent().equals(root)) {
      return List.of();
    }
    String group =
        root.relativize(artifact.getParent()).toString().replace(File.separatorChar, '.');
    return List.of(
        new Library(group + ":" + artifact.getFileName(), version.getFileName().toString()));
  }

  private static int compare(String one, String other) {
    String[] a = one.split("[.-]");
    String[] b = other.split("[.-]");
    for (int i = 0; i < Math.max(a.length, b.length); i++) {
      int difference = Long.compare(number(a, i), number(b, i));
      if (difference != 0) {
        return difference;
      }
    }
    return 0;
  }

  private static long number(String[] parts, int index) {
    return index < parts.length && parts[index].matches("\\d{1,18}")
        ? Long.parseLong(parts[index])
        : 0;
  }

  @Test
  void noLibraryHasAKnownWeakness() throws Exception {
    if ("update".equals(System.getProperty("troupe.advisories"))) {
      update(
          FILE,
          used().stream().map(Library::name).collect(Collectors.toCollection(TreeSet::new)),
          URI.create(System.getProperty("troupe.advisories.source", "https://api.osv.dev")));
    }
    List<Library> used = used();

    assertThat(used)
        .extracting(Library::name)
        .contains("info.picocli:picocli", "org.apache.sshd:sshd-osgi", "software.amazon.awssdk:s3");
    assertThat(advisories(FILE).stream().filter(each -> used.stream().anyMatch(each::concerns)))
        .as("take a later version of the library, or another library")
        .isEmpty();
  }

  private static List<Advisory> advisories(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> !line.startsWith("#"))
        .map(Advisory::parsed)
        .toList();
  }

  /** Writes what a database knows of libraries, below the comments that the file begins with. */
  private static void update(Path file, Iterable<String> libraries, URI source)
      throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    try (Stream<String> old = Files.lines(file)) {
      old.takeWhile(line -> line.startsWith("#")).forEach(lines::add);
    }
    TreeSet<String> found = new TreeSet<>();
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String library : libraries) {
        String question =
            JsonMapper.shared()
                .writeValueAsString(
                    Map.of("package", Map.of("name", library, "ecosystem", "Maven")));
        HttpResponse<String> answer =
            client.send(
                HttpRequest.newBuilder(source.resolve("/v1/query"))
                    .POST(HttpRequest.BodyPublishers.ofString(question))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        for (JsonNode each : JsonMapper.shared().readTree(answer.body()).path("vulns")) {
          found.addAll(lines(each, library));
        }
      }
    }
    lines.addAll(found);
    Files.write(file, lines);
  }

  private static List<String> lines(JsonNode vulnerability, String library) {
    List<String> lines = new ArrayList<>();
    for (JsonNode affected : vulnerability.path("affected")) {
      if (!affected.path("package").path("name").asString("").equals(library)) {
        continue;
      }
      for (JsonNode range : affected.path("ranges")) {
        String from = "0";
        boolean isOpen = false;
        for (JsonNode event : range.path("events")) {
          if (event.has("introduced")) {
            from = event.path("introduced").asString();
            isOpen = true;
          } else if (event.has("fixed")) {
            lines.add(line(vulnerability, library, from, event.path("fixed").asString()));
            isOpen = false;
          }
        }
        if (isOpen) {
          lines.add(line(vulnerability, library, from, "-"));
        }
      }
    }
    return lines;
  }

  private static String line(JsonNode vulnerability, String library, String from, String to) {
    return new Advisory(vulnerability.path("id").asString(), library, from, to).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "0.3.0, 0, -, true",
    "2.11.0, 0, 2.12.0, true",
    "2.12.0, 0, 2.12.0, false",
    "2.9.9, 2.10.0, 2.12.0, false",
    "42.7.14, 42.7.4, 42.7.7, false",
    "42.7.6, 42.7.4, 42.7.7, true"
  })
  void comparesVersionsByTheirNumbers(String version, String from, String to, boolean isConcerned) {
    assertThat(new Advisory("X-1", "a:b", from, to).concerns(new Library("a:b", version)))
        .isEqualTo(isConcerned);
    assertThat(new Advisory("X-1", "a:c", from, to).concerns(new Library("a:b", version)))
        .isFalse();
  }

  @Test
  void theFileIsWrittenFromADatabase(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "# kept\nX-0 a:b 0 -\n");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/query",
        exchange -> {
          String question = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          String answer =
              question.contains("\"a:b\"")
                  ? """
                    {"vulns": [{"id": "X-7", "affected": [
                      {"package": {"name": "a:b"}, "ranges": [{"events": [
                        {"introduced": "1.0"}, {"fixed": "1.4"}, {"introduced": "2.0"}]}]},
                      {"package": {"name": "a:other"}, "ranges": [{"events": [
                        {"introduced": "0"}]}]}]}]}
                    """
                  : "{}";
          exchange.sendResponseHeaders(200, answer.length());
          exchange.getResponseBody().write(answer.getBytes(UTF_8));
          exchange.close();
        });
    server.start();
    try {
      update(
          file,
          List.of("a:b", "c:d"),
          URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
    } finally {
      server.stop(0);
    }

    assertThat(file).content().isEqualTo("# kept\nX-7 a:b 1.0 1.4\nX-7 a:b 2.0 -\n");
  }
}
