package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the files of the page contain, and how large they are. */
class PageFilesTest {

  /** A file that index.html names. */
  private static final Pattern NAMED = Pattern.compile("(?:src|href)=\"([^\"#]+\\.\\w+)\"");

  /** A file that a module imports before it runs. */
  private static final Pattern IMPORTED =
      Pattern.compile("^(?:import|export)\\b[^;(]*?'(\\.{1,2}/[^']+)'", Pattern.MULTILINE);

  private static final Path PAGE =
      Path.of("target", "classes", "org", "troupe", "dashboard", "page");

  @ParameterizedTest
  @CsvSource({
    "uPlot.esm.js, 86764b8fd3b92ac2deaaaab6cb1e3568251cea4e779aac3b3a5c8ed1c7dd1fc0",
    "uPlot.min.css, df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
    "LICENSE, 8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
  })
  void haveUPlotAsItWasReleased(String file, String hash) throws Exception {
    try (var in = Dashboard.class.getResourceAsStream("page/vendor/" + file)) {
      var sum = MessageDigest.getInstance("SHA-256").digest(in.readAllBytes());
      assertThat(HexFormat.of().formatHex(sum)).isEqualTo(hash);
    }
  }

  @Test
  void areLessThanThreeHundredKilobytesBeforeTheFirstPicture() throws Exception {
    var first = firstLoad();
    var sum = 0L;
    for (var file : first) {
      sum += Files.size(file);
    }

    assertThat(first).contains(PAGE.resolve("style.css"), PAGE.resolve("views/now.js"));
    assertThat(first).doesNotContain(PAGE.resolve("views/map.js"), PAGE.resolve("views/calls.js"));
    assertThat(sum).isBetween(100_000L, 300_000L);
  }

  /** Returns the files that a browser needs before it draws the first picture. */
  private static Set<Path> firstLoad() throws IOException {
    Set<Path> files = new HashSet<>(Set.of(PAGE.resolve("index.html")));
    var open = new ArrayDeque<Path>();
    NAMED.matcher(text("index.html")).results().forEach(it -> open.add(PAGE.resolve(it.group(1))));
    for (var file = open.poll(); file != null; file = open.poll()) {
      var folder = file.getParent();
      if (files.add(file) && file.toString().endsWith(".js")) {
        IMPORTED
            .matcher(Files.readString(file))
            .results()
            .forEach(it -> open.add(folder.resolve(it.group(1)).normalize()));
      }
    }
    return files;
  }

  @Test
  void haveNoAddressOfAnotherMachineAndNoScriptOrStyleInTheText() throws Exception {
    assertThat(text("index.html"))
        .doesNotContain("http:", "https:", "style=", "onclick")
        .contains("<script type=\"module\" src=\"main.js\"></script>");
    assertThat(text("main.js") + text("dom.js") + text("table.js"))
        .doesNotContain("innerHTML", "insertAdjacentHTML", "document.write", "eval(");
  }

  /** Where texts of a run are made harmless. */
  @Test
  void insertTextsInOneFileOnly() throws Exception {
    try (var files = Files.walk(PAGE)) {
      for (var file : files.filter(each -> each.toString().endsWith(".js")).toList()) {
        if (!file.endsWith("dom.js") && !file.toString().contains("vendor")) {
          assertThat(file)
              .content()
              .doesNotContainPattern("fillText|textContent = |(?<!document|this)\\.title = ")
              .doesNotContainPattern("\\.setAttribute\\('(title|aria-label)|innerHTML");
        }
      }
    }
  }

  private static String text(String name) throws IOException {
    return Files.readString(PAGE.resolve(name), StandardCharsets.UTF_8);
  }
}
