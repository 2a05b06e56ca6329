package org.troupe.cli.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.SourcePosition;

/** A machine that a command line names as ssh does: {@code [user@]host[:port]}. */
public final class LoginOptions {

  private static final Pattern FORM =
      Pattern.compile("(?:([^@\\s-][^@\\s]*)@)?([A-Za-z0-9_][A-Za-z0-9_.-]*)(?::(\\d{1,5}))?");

  private LoginOptions() {}

  /**
   * Returns the login for a text.
   *
   * @param argument the option or parameter that has the text, for messages
   * @param identity a file with a private key; empty for those of the ssh configuration
   * @throws IllegalArgumentException if the text names no machine; the message has the remedy
   */
  public static Login of(
      String argument, String text, Optional<Path> identity, boolean acceptsNewHosts) {
    var parts = FORM.matcher(text);
    if (!parts.matches() || parts.group(3) != null && !isPort(parts.group(3))) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no machine; write HOST, USER@HOST or USER@HOST:PORT, where HOST may be a name"
              + " of your ssh configuration");
    }
    return new Login(
        parts.group(2),
        parts.group(2),
        parts.group(3) == null
            ? OptionalInt.empty()
            : OptionalInt.of(Integer.parseInt(parts.group(3))),
        Optional.ofNullable(parts.group(1)),
        identity.map(file -> file.toAbsolutePath().normalize()),
        acceptsNewHosts ? Login.HostKeys.ACCEPT_NEW : Login.HostKeys.STRICT,
        List.of(),
        new SourcePosition(argument, 0, 0));
  }

  private static boolean isPort(String digits) {
    var port = Integer.parseInt(digits);
    return port > 0 && port < 65536;
  }
}
