package org.troupe.classics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
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
    } else if (!Files.exists(file)) {
      try {
        var part = beside(file);
        Files.writeString(part, "");
        Files.delete(part);
      } catch (IOException e) {
        wrong.add(
            "'%s' is no folder that can be written to, for --report %s"
                .formatted(file.toAbsolutePath().getParent(), file));
      }
    }
  }

  /** Where a new report goes first, so that it is there whole or not at all. */
  private static Path beside(Path file) {
    return file.resolveSibling(
        "." + file.getFileName() + "-" + ProcessHandle.current().pid() + ".part");
  }

  static void write(Path file, Map<String, Object> values) {
    try {
      var mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
      var text = mapper.writeValueAsString(values) + "\n";
      if (Files.exists(file)) { // perhaps a device, a link, or in a folder of somebody else's
        Files.writeString(file, text);
        return;
      }
      var part = beside(file);
      try {
        Files.writeString(part, text);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw new IllegalStateException(
          "the report '%s' cannot be written: %s; the line above has what came out, for all of it name another file"
              .formatted(file, e),
          e);
    }
  }
}
