package org.troupe.classics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.troupe.deployment.files.AtomicFile;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Where {@code --report} leads. */
final class ReportFile {

  private ReportFile() {}

  /** Says why it cannot be written, as far as that can be found out before. */
  static void check(Path file, List<String> wrong) {
    if (Files.isDirectory(file)) {
      wrong.add("--report " + file + " is a folder; name a file");
    } else if (Files.exists(file) && !Files.isWritable(file)) {
      wrong.add("--report " + file + " is there and may not be written; name another file");
    } else {
      try {
        AtomicFile.check(file);
      } catch (IOException e) {
        wrong.add(
            "'%s' is no folder that can be written to, for --report %s"
                .formatted(file.toAbsolutePath().getParent(), file));
      }
    }
  }

  static void write(Path file, Map<String, Object> values) {
    try {
      var mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
      var text = mapper.writeValueAsString(values) + "\n";
      AtomicFile.write(file, text);
    } catch (IOException e) {
      throw new IllegalStateException(
          "the report '%s' cannot be written: %s; the line above has what came out, for all of it name another file"
              .formatted(file, AtomicFile.reason(e)),
          e);
    }
  }
}
