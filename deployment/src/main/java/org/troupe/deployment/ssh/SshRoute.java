package org.troupe.deployment.ssh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.SourcePosition;

/** The way to a machine through gateways. */
final class SshRoute {

  /** The place of all logins that are not arguments of a command. */
  private static final SourcePosition DESCRIPTOR = new SourcePosition("the descriptor", 0, 0);

  private static final String SCHEME = "ssh://";

  private SshRoute() {}

  /**
   * Returns the gateway next to the host: the last one, which is reached through the others.
   *
   * @param proxyJump the gateways of the ssh configuration, which apply if the login has none
   */
  static Optional<Login> gateway(Login login, Optional<String> proxyJump) {
    var gateways = new ArrayList<>(login.via());
    if (gateways.isEmpty()) {
      for (var jump :
          proxyJump
              .filter(jump -> !jump.equals("none"))
              .map(list -> list.split(","))
              .orElse(new String[0])) {
        gateways.add(jump(jump.strip(), login));
      }
    }
    if (gateways.isEmpty()) {
      return Optional.empty();
    }
    var last = gateways.removeLast();
    return Optional.of(through(last, gateways.isEmpty() ? last.via() : gateways));
  }

  /**
   * Returns a login without its id and its position in a descriptor, so that equal routes are
   * equal.
   */
  static Login plain(Login login) {
    return through(login, login.via());
  }

  private static Login through(Login login, List<Login> via) {
    return new Login(
        login.host(),
        login.host(),
        login.port(),
        login.user(),
        login.identity(),
        login.hostKeys(),
        via.stream().map(SshRoute::plain).toList(),
        login.place().line() == 0 ? login.place() : DESCRIPTOR);
  }

  /** Reads {@code user@host:port}, {@code user@[host]:port}, and these after {@code ssh://}. */
  private static Login jump(String text, Login from) {
    var address = text.startsWith(SCHEME) ? text.substring(SCHEME.length()) : text;
    var at = address.lastIndexOf('@');
    var bracket = address.indexOf(']', at + 1);
    var colon = address.lastIndexOf(':');
    var hasPort =
        colon > at && (bracket < 0 ? address.indexOf(':', at + 1) == colon : colon > bracket);
    var host = address.substring(at + 1, hasPort ? colon : address.length());
    return new Login(
        text,
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host,
        hasPort
            ? OptionalInt.of(Integer.parseInt(address.substring(colon + 1)))
            : OptionalInt.empty(),
        at < 0 ? Optional.empty() : Optional.of(address.substring(0, at)),
        Optional.empty(),
        from.hostKeys(),
        List.of(),
        DESCRIPTOR);
  }
}
