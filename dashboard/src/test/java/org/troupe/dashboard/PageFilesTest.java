package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the files of the page contain, and how large they are. */
class PageFilesTest {

  /** Files that a page loads later, or never. */
  private static final Set<String> LATER =
      Set.of(
          "uPlot.esm.js",
          "perfetto.js",
          "flame.js",
          "pairtable.js",
          "objectfacts.js",
          "threads.js",
          "LICENSE");

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
  void areLessThanThreeHundredKilobytesBeforeTheFirstChart() throws Exception {
    var sum = 0L;
    try (var files = Files.walk(PAGE)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        sum += LATER.contains(file.getFileName().toString()) ? 0 : Files.size(file);
      }
    }
    assertThat(sum).isBetween(100_000L, 300_000L);
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
