package org.troupe.deployment.ssh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.SourcePosition;

/**
 * The parameters of an ssh connection to a machine: from the descriptor, else from the user's ssh
 * configuration, else the defaults of ssh. Immutable.
 *
 * @param name as the user wrote it
 * @param hostName the name or address to connect to
 * @param keyName the name under which the host's key is known
 * @param identities the files with private keys, without missing ones that the user has not named
 * @param agent the socket of the agent, if one is to be used
 * @param knownHosts the known-hosts files; new keys are added to the first
 * @param hostKeys the policy for unknown host keys
 * @param via the gateway
 */
public record SshHost(
    String name,
    String hostName,
    int port,
    String user,
    String keyName,
    List<Path> identities,
    Optional<Path> agent,
    List<Path> knownHosts,
    HostKeys hostKeys,
    Duration timeout,
    Optional<Login> via) {

  public static final int SSH_PORT = 22;
  private static final SourcePosition NOWHERE = new SourcePosition("ssh configuration", 0, 0);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final List<String> USUAL_IDENTITIES = List.of("id_ed25519", "id_ecdsa", "id_rsa");

  /**
   * Returns the host of a login.
   *
   * @throws IOException if the configuration requires a feature that is not supported
   */
  public static SshHost of(Login login, SshConfig config) throws IOException {
    var settings = config.of(login.host());
    var hostName =
        first(settings, "hostname")
            .map(name -> name.replace("%h", login.host()))
            .orElse(login.host());
    var port = login.port().orElse(first(settings, "port").map(Integer::parseInt).orElse(SSH_PORT));
    var user =
        login.user().or(() -> first(settings, "user")).orElse(System.getProperty("user.name"));
    return new SshHost(
        login.host(),
        hostName,
        port,
        user,
        first(settings, "hostkeyalias").orElse(hostName),
        identities(login, settings, hostName, user),
        agent(settings),
        Stream.concat(
                files(settings, "userknownhostsfile", "~/.ssh/known_hosts"),
                files(settings, "globalknownhostsfile", "/etc/ssh/ssh_known_hosts"))
            .toList(),
        hostKeys(login, settings),
        first(settings, "connecttimeout")
            .map(Integer::parseInt)
            .map(Duration::ofSeconds)
            .orElse(TIMEOUT),
        via(login, settings));
  }

  /** Returns {@code user@host}, with the port unless it is 22. */
  @Override
  public String toString() {
    return user + "@" + hostName + (port == SSH_PORT ? "" : ":" + port);
  }

  private static Optional<String> first(Map<String, List<String>> settings, String keyword) {
    return Optional.ofNullable(settings.get(keyword)).map(List::getFirst);
  }

  private static Stream<Path> files(
      Map<String, List<String>> settings, String keyword, String usual) {
    return settings.getOrDefault(keyword, List.of(usual)).stream()
        .filter(file -> !file.equals("none"))
        .map(SshConfig::home)
        .map(Path::of);
  }

  private static List<Path> identities(
      Login login, Map<String, List<String>> settings, String hostName, String user) {
    if (login.identity().isPresent()) {
      return List.of(login.identity().get());
    }
    var configured = settings.get("identityfile");
    if (configured != null) {
      return configured.stream()
          .filter(file -> !file.equals("none"))
          .map(file -> file.replace("%h", hostName).replace("%r", user).replace("%d", "~"))
          .map(SshConfig::home)
          .map(Path::of)
          .toList();
    }
    return USUAL_IDENTITIES.stream()
        .map(SshConfig.userFolder()::resolve)
        .filter(Files::isReadable)
        .toList();
  }

  private static Optional<Path> agent(Map<String, List<String>> settings) {
    if (isYes(settings, "identitiesonly")) {
      return Optional.empty();
    }
    return first(settings, "identityagent")
        .filter(name -> !name.equals("SSH_AUTH_SOCK"))
        .or(() -> Optional.ofNullable(System.getenv("SSH_AUTH_SOCK")))
        .filter(name -> !name.equals("none") && !name.isEmpty())
        .map(SshConfig::home)
        .map(Path::of);
  }

  private static boolean isYes(Map<String, List<String>> settings, String keyword) {
    return first(settings, keyword).filter("yes"::equalsIgnoreCase).isPresent();
  }

  /**
   * Returns the policy of the descriptor or the configuration; a configured 'no' means to accept
   * new keys only.
   */
  private static HostKeys hostKeys(Login login, Map<String, List<String>> settings) {
    var accepting =
        first(settings, "stricthostkeychecking")
            .filter(word -> List.of("accept-new", "no", "off").contains(word))
            .isPresent();
    return accepting ? HostKeys.ACCEPT_NEW : login.hostKeys();
  }

  /** Returns the gateway next to the host: the last one, which is reached through the others. */
  private static Optional<Login> via(Login login, Map<String, List<String>> settings)
      throws IOException {
    var gateways = new ArrayList<>(login.via());
    if (gateways.isEmpty()) {
      var jumps = first(settings, "proxyjump").filter(jump -> !jump.equals("none"));
      if (jumps.isEmpty() && first(settings, "proxycommand").isPresent()) {
        throw new IOException(
            "the ssh configuration reaches '"
                + login.host()
                + "' by a ProxyCommand, which Troupe does not run; say ProxyJump there, or via in"
                + " the descriptor");
      }
      for (var jump : jumps.map(list -> list.split(",")).orElse(new String[0])) {
        gateways.add(jump(jump.strip(), login));
      }
    }
    if (gateways.isEmpty()) {
      return Optional.empty();
    }
    var last = gateways.removeLast();
    return Optional.of(through(last, gateways.isEmpty() ? last.via() : gateways));
  }

  /** Returns a login without id and position, so that equal routes are equal. */
  private static Login through(Login login, List<Login> via) {
    return new Login(
        login.host(),
        login.host(),
        login.port(),
        login.user(),
        login.identity(),
        login.hostKeys(),
        via.stream().map(each -> through(each, each.via())).toList(),
        NOWHERE);
  }

  /** Reads {@code user@host:port}. */
  private static Login jump(String text, Login from) {
    var at = text.lastIndexOf('@');
    var colon = text.lastIndexOf(':');
    var hasPort = colon > at && text.indexOf(':', at + 1) == colon;
    return new Login(
        text,
        text.substring(at + 1, hasPort ? colon : text.length()),
        hasPort ? OptionalInt.of(Integer.parseInt(text.substring(colon + 1))) : OptionalInt.empty(),
        at < 0 ? Optional.empty() : Optional.of(text.substring(0, at)),
        Optional.empty(),
        from.hostKeys(),
        List.of(),
        NOWHERE);
  }
}
