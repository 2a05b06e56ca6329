package org.troupe.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.links.OwnerOnly;

/** A report: the page with all its files and the recording of a run, as one file of HTML. */
public final class ReportFile {

  /*
   * Design: one file
   *
   * Modules of JavaScript cannot be loaded by relative names from a file, so each becomes a data URL that an import map names.
   * The relative names in the modules are replaced by these names; the page's modules write them as literals. The recording is an
   * element that browsers do not run; '<' is escaped in its JSON, so that no text of a program can end it. The file's own policy
   * forbids all connections.
   */
  private static final String NDJSON = "application/x-ndjson";
  private static final String OPEN = "<script type=\"" + NDJSON + "\" id=\"recording\">";
  private static final String CLOSE = "</script>";
  private static final String POLICY =
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src"
          + " 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none';"
          + " form-action 'none'\">";
  // It shows command lines, settings and output, which other users of the machine do not see else.
  private static final FileAttribute<?>[] ATTRIBUTES = OwnerOnly.file();

  private static final String NAME = "page/"; // in front of a module's path

  private static final Pattern IMPORT =
      Pattern.compile("(\\bfrom\\s*|\\bimport\\s*\\(?\\s*)(['\"])(\\.{1,2}/[^'\"]+)\\2");
  private static final Pattern SCRIPT =
      Pattern.compile("<script\\s[^>]*\\bsrc=\"([^\"]+)\"[^>]*>\\s*</script>");
  private static final Pattern LINK = Pattern.compile("<link\\s[^>]*\\bhref=\"([^\"]+)\"[^>]*>");
  private static final Pattern POLICY_OF_PAGE =
      Pattern.compile("<meta\\s[^>]*Content-Security-Policy[^>]*>");

  private final Function<String, @Nullable InputStream> files; // of the page

  ReportFile(Function<String, @Nullable InputStream> files) {
    this.files = files;
  }

  /**
   * Writes a report, which only this user can read unless the file was there with other
   * permissions; a failure leaves an existing file as it was.
   *
   * @param recording the lines of the recording, at most some 18 MB
   * @throws IOException whose message names the file and the reason
   */
  public static void write(Path file, List<String> recording) throws IOException {
    var html = new ReportFile(Dashboard::resource).html(recording);
    var parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    var bytes = ByteBuffer.wrap(html.getBytes(StandardCharsets.UTF_8));
    AtomicFile.Content content =
        channel -> {
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
        };
    if (Files.exists(file)) {
      AtomicFile.write(file, content);
    } else {
      AtomicFile.write(file, content, ATTRIBUTES);
    }
  }

  /**
   * Prints a report.
   *
   * @param recording the lines of the recording, at most some 18 MB
   */
  public static void write(OutputStream out, List<String> recording) throws IOException {
    out.write(new ReportFile(Dashboard::resource).html(recording).getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  String html(List<String> recording) {
    var html = POLICY_OF_PAGE.matcher(text("index.html")).replaceAll("");
    html = LINK.matcher(html).replaceAll(found -> quoted(linked(found.group(), found.group(1))));
    html = SCRIPT.matcher(html).replaceAll(found -> quoted(scripts(found.group(1))));
    var data = recording.stream().map(ReportFile::escaped).collect(Collectors.joining("\n"));
    html = html.replaceFirst("(?i)<head>", quoted("<head>\n" + POLICY));
    return html.replaceFirst(
        "(?i)<body([^>]*)>", "<body$1>\n" + quoted(OPEN + "\n" + data + "\n" + CLOSE));
  }

  private static String quoted(String replacement) {
    return Matcher.quoteReplacement(replacement);
  }

  private static String escaped(String json) {
    return json.replace("<", "\\u003c");
  }

  /** Returns whether a text is a report. */
  static boolean isReport(String text) {
    return text.contains(OPEN);
  }

  /** Returns the lines of the recording in a report. */
  static String recording(String html) {
    var begin = html.indexOf(OPEN) + OPEN.length();
    var end = html.indexOf(CLOSE, begin);
    return html.substring(begin, end < 0 ? html.length() : end);
  }

  private String linked(String element, String path) {
    if (path.startsWith("data:")) {
      return element;
    }
    if (path.endsWith(".css")) {
      return "<style>\n" + text(path) + "</style>";
    }
    var type = path.endsWith(".svg") ? "image/svg+xml" : "application/octet-stream";
    return element.replace("\"" + path + "\"", "\"" + data(type, text(path)) + "\"");
  }

  /** Returns the elements for a module and all that it imports. */
  private String scripts(String main) {
    Map<String, String> modules = new LinkedHashMap<>();
    var open = new ArrayDeque<>(List.of(resolved("", main)));
    for (var path = open.poll(); path != null; path = open.poll()) {
      if (modules.containsKey(path)) {
        continue;
      }
      var importing = path;
      var text =
          IMPORT
              .matcher(text(path))
              .replaceAll(
                  found -> {
                    var imported = resolved(importing, found.group(3));
                    open.add(imported);
                    return quoted(found.group(1) + "'" + NAME + imported + "'");
                  });
      modules.put(path, data("text/javascript", text));
    }
    var map =
        modules.entrySet().stream()
            .map(each -> "\"" + NAME + each.getKey() + "\":\"" + each.getValue() + "\"")
            .collect(Collectors.joining(",\n", "{\"imports\":{\n", "\n}}"));
    return "<script type=\"importmap\">%s</script>\n<script type=\"module\">import '%s%s';</script>"
        .formatted(map, NAME, resolved("", main));
  }

  private static String resolved(String from, String path) {
    var folder = Path.of("/" + from.substring(0, from.lastIndexOf('/') + 1));
    return folder.resolve(path).normalize().toString().substring(1);
  }

  private static String data(String type, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    return "data:" + type + ";base64," + Base64.getEncoder().encodeToString(bytes);
  }

  private String text(String path) {
    try (var in = files.apply(path)) {
      if (in == null) {
        throw new IllegalStateException("the page has no file '" + path + "'");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
