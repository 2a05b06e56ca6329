package org.troupe.deployment.process;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Quotes commands for a shell. Ssh passes one line to the user's login shell instead of arguments,
 * so each argument is quoted.
 */
public final class ShellLine {

  /** Precedes the process id in the first line of output; no start-up file prints it. */
  public static final char MARK = '\036';

  /*
   * The script is run by /bin/sh, independently of the login shell. Output of the user's start-up files comes before the
   * mark. Every exec keeps the process id. The folder is never looked up in CDPATH, since it begins with '/' or '.'.
   */
  private static final String SCRIPT =
      "printf \"\\036%d\\n\" $$; cd \"$1\" || exit 126; shift; exec \"$@\"";

  /**
   * Reports the end of a command by a signal as the exit code 128 + signal, as shells do; discards
   * the shell's own message about it.
   */
  private static final String SUPERVISION =
      "exec 3>&2 2>/dev/null; (eval \"$1\") 2>&3 3>&-; exit $?";

  private ShellLine() {}

  /**
   * Returns a line as {@link #marked} does, whose exit code is 128 + the number of the signal if
   * one ends the command: OpenSSH's client does not report signals.
   */
  public static String supervised(
      List<String> command, Map<String, String> environment, Optional<String> folder) {
    // All words are quoted, so that the list of processes shows no option of the command twice, as
    // a word of its own.
    var inner =
        markedWords(command, environment, folder).stream()
            .map(ShellLine::alwaysQuoted)
            .collect(joining(" "));
    return "exec " + of(List.of("/bin/sh", "-c", SUPERVISION, "sh", "exec " + inner));
  }

  /** Returns a line that first prints {@link #MARK} and the process id, then runs the command. */
  public static String marked(
      List<String> command, Map<String, String> environment, Optional<String> folder) {
    return "exec " + of(markedWords(command, environment, folder));
  }

  private static List<String> markedWords(
      List<String> command, Map<String, String> environment, Optional<String> folder) {
    var words = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "sh"));
    words.add(folder.map(ShellLine::fromHome).orElse("."));
    if (!environment.isEmpty()) {
      words.add("env");
      environment.forEach((name, value) -> words.add(name + "=" + value));
    }
    words.addAll(command);
    return words;
  }

  /** Returns a line as a user would type it. */
  public static String plain(
      List<String> command, Map<String, String> environment, Optional<String> folder) {
    var line = new StringBuilder();
    folder.ifPresent(name -> line.append("cd ").append(quoted(fromHome(name))).append(" && "));
    environment.forEach(
        (name, value) -> line.append(name).append('=').append(quoted(value)).append(' '));
    return line.append(of(command)).toString();
  }

  /** Returns the words as one line, each quoted if it has to be. */
  public static String of(List<String> words) {
    return words.stream().map(ShellLine::quoted).collect(joining(" "));
  }

  /** Quotes a word for any POSIX shell. */
  public static String quoted(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : alwaysQuoted(word);
  }

  private static String alwaysQuoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** Returns a path relative to the home directory, where ssh starts commands. */
  public static String fromHome(String folder) {
    if (folder.equals("~") || folder.startsWith("~/")) {
      return "." + folder.substring(1);
    }
    return folder.startsWith("/") ? folder : "./" + folder;
  }
}
