package org.troupe.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.runs.RunAction;
import org.troupe.pages.PageAnswer.LineSink;
import org.troupe.pages.PageException;

/** Reports as files: what is in them, and how they are read again. */
class ReportFileTest {

  private static final Map<String, String> PAGE =
      Map.of(
          "index.html",
          """
          <!DOCTYPE html><html><head>
          <link rel="icon" href="icon.svg">
          <link rel="stylesheet" href="style.css">
          </head><body class="b">
          <script type="module" src="main.js"></script>
          </body></html>
          """,
          "style.css",
          "body { color: red }",
          "icon.svg",
          "<svg/>",
          "main.js",
          "import { a } from './views/a.js';\nimport * as b from \"./b.js\";\nimport './b.js';\n",
          "b.js",
          "export const later = () => import('./views/a.js');",
          "views/a.js",
          "import { later } from '../b.js';\nexport const a = '$1 \\\\ ';");

  private static final List<String> RECORDING =
      List.of(
          "{\"record\":\"begin\",\"version\":1,\"id\":\"17\",\"run\":\"0a1b\",\"program\":\"P\"}",
          "{\"record\":\"recording\",\"startedMillis\":1234,\"reason\":\"</script><b>$1\\\\\"}",
          "{\"record\":\"node\",\"node\":\"a1\",\"detail\":\"<!--\"}",
          "{\"record\":\"job\",\"element\":\"batch\"}",
          "{\"record\":\"stacks\",\"text\":\"== this program\\nx\\n== node 'a1' on h\\ny\\n\"}",
          "{\"record\":\"log\",\"node\":\"a1\",\"text\":\"one\"}",
          "{\"record\":\"log\",\"node\":\"a2\",\"text\":\"two\"}");

  @TempDir private Path folder;

  private static String html() {
    return new ReportFile(
            path -> {
              var text = PAGE.get(path);
              return text == null ? null : new ByteArrayInputStream(text.getBytes(UTF_8));
            })
        .html(RECORDING);
  }

  private Path written() throws IOException {
    return Files.writeString(folder.resolve("run.html"), html());
  }

  private static List<String> taken(SinkUser user) throws IOException {
    List<String> lines = new ArrayList<>();
    user.use(
        new LineSink() {
          @Override
          public boolean send(String line) {
            return lines.add(line);
          }

          @Override
          public boolean flush() {
            return true;
          }
        });
    return lines;
  }

  private interface SinkUser {
    void use(LineSink sink) throws IOException;
  }

  @Test
  void needsNoOtherFile() {
    var html = html();

    assertThat(html)
        .contains("<style>\nbody { color: red }</style>", "default-src 'none'")
        .contains("<link rel=\"icon\" href=\"data:image/svg+xml;base64,")
        .contains("<script type=\"module\">import 'page/main.js';</script>")
        .doesNotContain("src=\"", "href=\"style.css\"", "http:", "https:");
    assertThat(html.indexOf("importmap")).isLessThan(html.indexOf("type=\"module\""));
    assertThat(html).containsOnlyOnce("<body class=\"b\">");
  }

  @Test
  void namesTheModulesThatItHas() {
    assertThat(module("main.js"))
        .isEqualTo(
            "import { a } from 'page/views/a.js';\nimport * as b from 'page/b.js';\nimport 'page/b.js';\n");
    assertThat(module("b.js")).isEqualTo("export const later = () => import('page/views/a.js');");
    assertThat(module("views/a.js"))
        .isEqualTo("import { later } from 'page/b.js';\nexport const a = '$1 \\\\ ';");
  }

  private static String module(String path) {
    var found =
        Pattern.compile("\"page/" + path + "\":\"data:text/javascript;base64,([^\"]+)\"")
            .matcher(html());
    assertThat(found.find()).as(path).isTrue();
    return new String(Base64.getDecoder().decode(found.group(1)), UTF_8);
  }

  @Test
  void keepsTextsOfAProgramWithinTheRecording() throws IOException {
    var html = html();

    assertThat(html).doesNotContain("<b>", "<!--").contains("\\u003c/script>\\u003cb>$1");
    var read = RunRecording.read(written());
    assertThat(taken(sink -> read.watch(1, "", "", false, sink)))
        .hasSameSizeAs(RECORDING)
        .startsWith(RECORDING.getFirst());
  }

  @Test
  void isReadAgain() throws IOException {
    var read = RunRecording.read(written());

    assertThat(read.entry())
        .isEqualTo(new RunEntry("0a1b", "P", 1234, false, folder.resolve("run.html").toString()));
    assertThat(read.jobs()).isEqualTo("[{\"record\":\"job\",\"element\":\"batch\"}]");
    assertThat(read.stacks("")).startsWith("== this program\n").contains("node 'a1'");
    assertThat(read.stacks("a1")).isEqualTo("== node 'a1' on h\ny\n");
    assertThat(taken(sink -> read.logs("a2", false, sink))).containsExactly(RECORDING.getLast());
    assertThat(taken(sink -> read.logs("", true, sink))).hasSize(2);
    assertThatThrownBy(read::settings)
        .isInstanceOf(PageException.class)
        .hasMessageContaining("has no settings");
    assertThatThrownBy(() -> read.act(new RunAction.Cancel()))
        .hasMessageContaining("a recording of a run that has ended");
  }

  @Test
  void canBeReadByTheUserOnly() throws IOException {
    var file = folder.resolve("reports").resolve("run.html");
    ReportFile.write(file, RECORDING);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    ReportFile.write(file, RECORDING.subList(0, 1));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .as("as the user has set it")
        .isEqualTo("rw-r--r--");
    assertThat(taken(sink -> RunRecording.read(file).watch(1, "", "", false, sink))).hasSize(1);
  }

  @Test
  void keepsTextsThatAreNoUnicode() throws IOException {
    var file = folder.resolve("run.html");
    ReportFile.write(
        file, List.of(RECORDING.getFirst(), "{\"record\":\"log\",\"text\":\"\ud800 half\"}"));

    assertThat(taken(sink -> RunRecording.read(file).logs("", false, sink))).hasSize(1);
  }

  @Test
  void refusesOtherFiles() throws IOException {
    var other = Files.writeString(folder.resolve("other.html"), "<p>");
    var broken = Files.writeString(folder.resolve("b.ndjson"), "{\"record\":\"begin\"");

    assertThatThrownBy(() -> RunRecording.read(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("other.html", "is no report", "troupe report");
    assertThatThrownBy(() -> RunRecording.read(broken)).hasMessageContaining("is no record");
    assertThatThrownBy(() -> RunRecording.read(folder.resolve("none.html")))
        .hasMessageContainingAll("there is no file", "troupe report");
    assertThatThrownBy(() -> RunRecording.read(folder)).hasMessageContaining("folder");
    var binary = Files.write(folder.resolve("run.zip"), new byte[] {'P', 'K', (byte) 0xff, 0});
    assertThatThrownBy(() -> RunRecording.read(binary))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("run.zip", "no text", "troupe report");
  }
}
