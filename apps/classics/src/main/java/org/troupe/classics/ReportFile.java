package org.troupe.classics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Where {@code --report} leads. */
final class ReportFile {

  private ReportFile() {}

  /** Says why it cannot be written, as far as that is known before. */
  static void check(Path file, List<String> wrong) {
    var folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      wrong.add("--report " + file + " is a folder; name a file");
    } else if (Files.exists(file)) {
      if (!Files.isWritable(file)) {
        wrong.add("--report " + file + " is there and may not be written; name another file");
      }
    } else if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      wrong.add("'" + folder + "' is no folder that can be written to, for --report " + file);
    }
  }

  static void write(Path file, Map<String, Object> values) {
    try {
      var text = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
      Files.writeString(file, text.writeValueAsString(values) + "\n");
    } catch (IOException e) {
      throw new IllegalStateException(
          "the report '%s' cannot be written: %s; the line above has what came out, for all of it name another file"
              .formatted(file, e),
          e);
    }
  }
}
