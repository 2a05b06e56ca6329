package org.troupe.deployment.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.deployment.process.CommandRunner;

/**
 * Commands whose answers come from a file, as {@code SiteTestGridTest} records them: a line {@code
 * $ command}, its output, its error output behind {@code !}, and a line {@code = exit code}. A
 * script is recorded as {@code $ script}.
 */
final class RecordedCommands implements CommandRunner {

  private final Map<String, Answer> answers = new LinkedHashMap<>();
  private final List<String> asked = new ArrayList<>();

  private RecordedCommands() {}

  static RecordedCommands of(String resource) throws IOException {
    try (var in = RecordedCommands.class.getResourceAsStream(resource)) {
      assertThat(in).as(resource).isNotNull();
      return read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static RecordedCommands read(String text) {
    var recorded = new RecordedCommands();
    var command = "";
    var output = new StringBuilder();
    var errors = new StringBuilder();
    for (var line : text.lines().toList()) {
      if (line.startsWith("$ ")) {
        command = line.substring(2);
      } else if (line.startsWith("= ")) {
        recorded.answers.put(
            command,
            new Answer(Integer.parseInt(line.substring(2)), output.toString(), errors.toString()));
        output.setLength(0);
        errors.setLength(0);
      } else if (line.startsWith("!")) {
        errors.append(line.substring(1)).append('\n');
      } else {
        output.append(line).append('\n');
      }
    }
    return recorded;
  }

  /** Returns these commands with another answer to one of them. */
  RecordedCommands with(String command, int exitCode, String output, String errors) {
    answers.put(command, new Answer(exitCode, output, errors));
    return this;
  }

  @Override
  public Answer run(List<String> command) {
    var line = line(command);
    asked.add(line);
    assertThat(answers).as("the recorded answers").containsKey(line);
    return answers.get(line);
  }

  /** Returns the commands that were run, in order. */
  List<String> asked() {
    return asked;
  }

  static String line(List<String> command) {
    var line = String.join(" ", command);
    return line.indexOf('\n') < 0 ? line : "script";
  }

  /** Records the commands of another runner. */
  static CommandRunner recording(CommandRunner real, StringBuilder text) {
    return command -> {
      var answer = real.run(command);
      text.append("$ ").append(line(command)).append('\n');
      text.append(answer.output());
      if (!answer.output().isEmpty() && !answer.output().endsWith("\n")) {
        text.append('\n');
      }
      answer.errorOutput().lines().forEach(line -> text.append('!').append(line).append('\n'));
      text.append("= ").append(answer.exitCode()).append('\n');
      return answer;
    };
  }
}
