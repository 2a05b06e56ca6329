package org.troupe.deployment.journal;

import java.util.regex.Pattern;

/** The command line of this program, as its user has written it. */
public final class ProgramCommand {

  /**
   * The class behind {@code troupe}, with its only option that may precede a verb: what follows
   * names the program.
   */
  private static final Pattern TROUPE =
      Pattern.compile("org\\.troupe\\.cli\\.Main(?: --verbose(?:=\\S*)?)*(?= |$)");

  private ProgramCommand() {}

  /**
   * Returns the class or jar of this program with its arguments, or {@code troupe} with its verb.
   */
  public static String line() {
    return of(System.getProperty("sun.java.command", ""));
  }

  static String of(String command) {
    var troupe = TROUPE.matcher(command);
    return troupe.lookingAt() ? "troupe" + command.substring(troupe.end()) : command;
  }
}
