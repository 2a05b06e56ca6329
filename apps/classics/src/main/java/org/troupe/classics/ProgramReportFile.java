package org.troupe.classics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.files.AtomicFile;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The file that {@code --report} names. */
final class ProgramReportFile {

  private ProgramReportFile() {}

  /** Adds a message if the file certainly cannot be written. */
  static void check(Path file, List<String> wrong) {
    if (Files.isDirectory(file)) {
      wrong.add("--report " + file + " is a folder; name a file");
    } else if (Files.exists(file) && !Files.isWritable(file)) {
      wrong.add("--report " + file + " exists and is not writable; name another file");
    } else {
      try {
        AtomicFile.check(file);
      } catch (IOException e) {
        wrong.add(
            "cannot write to the folder '%s' of --report %s"
                .formatted(file.toAbsolutePath().getParent(), file));
      }
    }
  }

  static void write(Path file, Map<String, @Nullable Object> values) {
    try {
      var mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
      var text = mapper.writeValueAsString(values) + "\n";
      AtomicFile.write(file, text);
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot write the report '%s': %s; the line above has the main figures; for all of them name another file"
              .formatted(file, AtomicFile.reason(e)),
          e);
    }
  }
}
