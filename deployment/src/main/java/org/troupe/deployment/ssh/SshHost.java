package org.troupe.deployment.ssh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;

/**
 * The parameters of an ssh connection to a machine: from the descriptor, else from the user's ssh
 * configuration, else the defaults of ssh. Immutable.
 *
 * @param name as the user wrote it
 * @param source where the user wrote it, for messages
 * @param hostName the name or address to connect to
 * @param keyName the name under which the host's key is known
 * @param identities the files with private keys, without missing ones that the user has not named
 * @param agent the socket of the agent, if one is to be used
 * @param knownHosts the known-hosts files; new keys are added to the first
 * @param hostKeys the policy for unknown host keys
 * @param via the gateway
 * @param proxyCommand the command of the configuration that connects to the host; only the ssh
 *     program runs it
 */
public record SshHost(
    String name,
    String source,
    String hostName,
    int port,
    String user,
    String keyName,
    List<Path> identities,
    Optional<Path> agent,
    List<Path> knownHosts,
    HostKeys hostKeys,
    Duration timeout,
    Optional<Login> via,
    Optional<String> proxyCommand) {

  public static final int SSH_PORT = 22;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final List<String> USUAL_IDENTITIES = List.of("id_ed25519", "id_ecdsa", "id_rsa");

  /**
   * Returns the host of a login.
   *
   * @throws IOException if the configuration cannot be used
   */
  public static SshHost of(Login login, SshConfig config) throws IOException {
    var settings = config.of(login);
    var jumps = first(settings, "proxyjump");
    var hostName =
        first(settings, "hostname")
            .map(name -> name.replace("%h", login.host()))
            .orElse(login.host());
    var port = login.port().orElse(first(settings, "port").map(Integer::parseInt).orElse(SSH_PORT));
    var user =
        login.user().or(() -> first(settings, "user")).orElse(System.getProperty("user.name"));
    return new SshHost(
        login.host(),
        source(login),
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
        SshRoute.gateway(login, jumps),
        login.via().isEmpty() && jumps.isEmpty()
            ? first(settings, "proxycommand").filter(command -> !command.equals("none"))
            : Optional.empty());
  }

  /** Returns where the user named a machine: the descriptor, or an argument of a command. */
  static String source(Login login) {
    return login.place().line() == 0 ? login.place().file() : "the descriptor";
  }

  /**
   * Checks that a client without the ssh program can connect to the host.
   *
   * @throws IOException if it cannot
   */
  public void checkConnectable() throws IOException {
    if (proxyCommand.isPresent()) {
      throw new IOException(
          "%s: the ssh configuration connects by a ProxyCommand, which only OpenSSH's ssh program runs; install it, or say ProxyJump there, or via in the descriptor"
              .formatted(name));
    }
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
            .filter(word -> List.of("accept-new", "no", "off", "false").contains(word))
            .isPresent();
    return accepting ? HostKeys.ACCEPT_NEW : login.hostKeys();
  }
}
