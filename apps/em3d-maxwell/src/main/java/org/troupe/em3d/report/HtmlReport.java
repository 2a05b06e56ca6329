package org.troupe.em3d.report;

import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** A report as one self-contained HTML page with embedded pictures. */
public final class HtmlReport {

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>em3d: %s</title>
      <style>
        body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; color: #222; background: #fff; }
        th, td { padding: .1em 1em .1em 0; text-align: left; vertical-align: top; white-space: pre-wrap; }
        figure { display: inline-block; margin: 1em 1em 0 0; }
        figcaption { color: #555; }
      </style>
      </head>
      <body>
      <h1>%s</h1>
      <table>
      """;

  private final RunReport report;
  private final Map<String, byte[]> pictures = new LinkedHashMap<>(); // PNG by title

  public HtmlReport(RunReport report) {
    this.report = report;
  }

  /** Appends a picture. */
  public void add(String title, byte[] png) {
    pictures.put(title, png);
  }

  @Override
  public String toString() {
    var mesh = fileName(report.mesh());
    var heading =
        escaped(report.problem().isEmpty() ? mesh : fileName(report.problem()) + " (" + mesh + ")");
    var page = new StringBuilder(HEAD.formatted(heading, heading));
    report
        .rows()
        .forEach(
            (name, value) ->
                page.append(
                    "<tr><th>%s</th><td>%s</td></tr>\n".formatted(escaped(name), escaped(value))));
    page.append("</table>\n");
    pictures.forEach(
        (title, png) ->
            page.append(
                "<figure><img alt=\"%s\" src=\"data:image/png;base64,%s\"><figcaption>%s</figcaption></figure>\n"
                    .formatted(
                        escaped(title), Base64.getEncoder().encodeToString(png), escaped(title))));
    return page.append("</body>\n</html>\n").toString();
  }

  private static String fileName(String path) {
    return Path.of(path).getFileName().toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
