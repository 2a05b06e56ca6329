package org.troupe.deployment.process;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Commands as a shell takes them. Ssh knows no arguments, only one line, which the login shell of
 * the user reads: so each argument is quoted.
 */
public final class ShellLine {

  /** Stands before the process id in the first line of output; no start-up file prints it. */
  public static final char MARK = '\036';

  /*
   * Started by /bin/sh, whatever the login shell is. What the user's start-up files print comes before the mark. Every
   * exec keeps the process id. A folder is never looked up in CDPATH: it begins with '/' or '.'.
   */
  private static final String SCRIPT =
      "printf \"\\036%d\\n\" $$; cd \"$1\" || exit 126; shift; exec \"$@\"";

  private ShellLine() {}

  /** Returns a line that first prints {@link #MARK} and the process id, then runs the command. */
  public static String marked(
      List<String> command, Map<String, String> environment, Optional<String> folder) {
    var words = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "sh"));
    words.add(folder.map(ShellLine::fromHome).orElse("."));
    if (!environment.isEmpty()) {
      words.add("env");
      environment.forEach((name, value) -> words.add(name + "=" + value));
    }
    words.addAll(command);
    return "exec " + of(words);
  }

  /** Returns a line as a person would type it. */
  public static String plain(
      List<String> command, Map<String, String> environment, Optional<String> folder) {
    var line = new StringBuilder();
    folder.ifPresent(name -> line.append("cd ").append(quoted(fromHome(name))).append(" && "));
    environment.forEach(
        (name, value) -> line.append(name).append('=').append(quoted(value)).append(' '));
    return line.append(of(command)).toString();
  }

  /** Returns the words, each quoted where a shell would not take it as it is. */
  public static String of(List<String> words) {
    return words.stream().map(ShellLine::quoted).collect(joining(" "));
  }

  /** Returns one word for any POSIX shell. */
  public static String quoted(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Returns a folder as seen from the home directory, where ssh starts commands. */
  public static String fromHome(String folder) {
    if (folder.equals("~") || folder.startsWith("~/")) {
      return "." + folder.substring(1);
    }
    return folder.startsWith("/") ? folder : "./" + folder;
  }
}
