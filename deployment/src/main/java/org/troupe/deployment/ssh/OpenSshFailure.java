package org.troupe.deployment.ssh;

import static java.util.stream.Collectors.joining;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.troupe.descriptors.Login;

/** A login that ssh could not complete: finds the cause in its messages, and names the remedy. */
final class OpenSshFailure {

  /*
   * The messages are those of OpenSSH 7 to 10, whose sources have them in sshconnect.c, sshconnect2.c, clientloop.c and
   * mux.c. A message that is not known is passed on.
   */
  private static final Pattern NO_NAME = Pattern.compile("Could not resolve hostname (\\S+): .*");
  private static final Pattern NO_CONNECTION =
      Pattern.compile("connect to (?:host|address) (\\S+) port (\\d+): (.*)");
  private static final Pattern NO_SERVER =
      Pattern.compile(
          "(?:Connection timed out during banner exchange|banner exchange: .*|kex_exchange_identification: .*)");
  private static final Pattern NO_KEY =
      Pattern.compile("No (\\S+) host key is known for (\\S+) and you have requested strict.*");
  private static final Pattern CHANGED = Pattern.compile("Offending (\\S+) key in (.+:\\d+).*");
  private static final Pattern REVOKED =
      Pattern.compile("The (\\S+) host key for (\\S+) is marked as revoked.*");
  private static final Pattern BAD_HOST_CERTIFICATE =
      Pattern.compile("(?:Certificate invalid: |ssh_cert_check_host: .*: )(.*)");
  private static final Pattern DENIED = Pattern.compile("(.*)Permission denied \\((.*)\\)\\.?");
  private static final Pattern TOO_MANY = Pattern.compile(".*Too many authentication failures.*");
  private static final Pattern AGENT =
      Pattern.compile(".*signing failed for (\\S+) (.*) from agent: (.*)");
  private static final Pattern NO_PASSAGE =
      Pattern.compile(
          ".*(?:stdio forwarding (?:request )?failed|open failed: (?:connect failed|administratively prohibited)).*");

  private final Login login;
  private final OpenSshSettings settings;
  private final Optional<String> gateway;
  private final OpenSshConnection.Refusal refusal;

  OpenSshFailure(
      Login login,
      OpenSshSettings settings,
      Optional<String> gateway,
      OpenSshConnection.Refusal refusal) {
    this.login = login;
    this.settings = settings;
    this.gateway = gateway;
    this.refusal = refusal;
  }

  /** Returns whether the server was reached and known, and only did not accept the user. */
  boolean isOfUser() {
    return find(DENIED).isPresent();
  }

  /**
   * Returns the message.
   *
   * @param silence why ssh could not ask the user; empty if it has
   */
  String message(Optional<String> silence) {
    return login.host() + ": " + cause(silence);
  }

  private Optional<MatchResult> find(Pattern pattern) {
    return refusal.messages().stream()
        .map(line -> line.startsWith("ssh: ") ? line.substring("ssh: ".length()) : line)
        .map(pattern::matcher)
        .filter(Matcher::matches)
        .map(Matcher::toMatchResult)
        .findFirst();
  }

  private String cause(Optional<String> silence) {
    return hostKey()
        .or(() -> find(DENIED).map(found -> denied(found.group(2), silence)))
        .or(() -> find(TOO_MANY).map(_ -> tooMany()))
        .or(this::network)
        .orElseGet(
            () ->
                "the login to %s failed: %s"
                    .formatted(
                        settings.target(),
                        refusal.isLate()
                            ? "it took too long; try '" + command() + "'"
                            : refusal.messages().isEmpty()
                                ? "ssh gives no reason; try '" + command() + "'"
                                : refusal.messages().getLast()));
  }

  /** Returns the command that a user would type to see more. */
  private String command() {
    return "ssh"
        + login.port().stream().mapToObj(port -> " -p " + port).collect(joining())
        + " "
        + login.user().map(user -> user + "@").orElse("")
        + login.host();
  }

  // The host's key

  private Optional<String> hostKey() {
    var target = settings.target();
    return find(REVOKED)
        .map(
            found ->
                "THE KEY OF %s IS REVOKED (%s). Do not log in; ask the host's administrator"
                    .formatted(target, found.group(1)))
        .or(
            () ->
                find(CHANGED)
                    .map(
                        found ->
                            "THE KEY OF %s HAS CHANGED: %s has another %s key. The connection may be intercepted, or the host was reinstalled; ask its administrator, and only then remove that line"
                                .formatted(target, found.group(2), found.group(1))))
        .or(
            () ->
                find(BAD_HOST_CERTIFICATE)
                    .map(
                        found ->
                            "the host certificate of %s is not accepted: %s; ask its administrator for a new one"
                                .formatted(target, found.group(1))))
        .or(
            () ->
                find(NO_KEY)
                    .map(
                        found ->
                            "the key of %s is not known (%s); run '%s' once, compare the fingerprint that it shows with the site's, and accept it, or set hostKeys=\"acceptNew\", which adds it to %s"
                                .formatted(
                                    target, found.group(1), command(), settings.knownHosts())));
  }

  // The user

  private String denied(String methods, Optional<String> silence) {
    var certificates =
        settings.certificates().stream()
            .flatMap(file -> UserCertificate.read(file).stream())
            .toList();
    var fault =
        certificates.stream().flatMap(each -> each.fault(LocalDateTime.now()).stream()).findFirst();
    if (fault.isPresent()) {
      return "%s rejected the login: %s".formatted(settings.target(), fault.get());
    }
    var agent = find(AGENT);
    if (agent.isPresent()) {
      return "%s rejected the login: the ssh agent does not sign with the %s key %s: %s; unlock the agent, confirm its question, or add the key again by 'ssh-add'"
          .formatted(
              settings.target(), agent.get().group(1), agent.get().group(2), agent.get().group(3));
    }
    var asks = methods.contains("keyboard-interactive") || methods.contains("password");
    if (asks && silence.isEmpty()) {
      return "%s rejected the login: the code or password was wrong, or is not asked for this user; try '%s'"
          .formatted(settings.target(), command());
    }
    var keys =
        methods.contains("publickey") // else they were accepted, but do not suffice
            ? "%s rejected every key (tried: %s)%s; add the public key to ~/.ssh/authorized_keys there, or name another user or identity%s"
                .formatted(
                    settings.target(),
                    tried(),
                    missing(),
                    certificates.stream()
                        .map(each -> "; " + each.doubt(settings.user()))
                        .collect(joining()))
            : settings.target() + " wants a code or password";
    return asks
        ? "%s%s (it accepts %s), but %s: start this in a terminal; or open a connection first, which it then shares, by 'ssh -fNM %s' and a ControlPath in the ssh configuration; or use a key or certificate that the site accepts alone; or start it on the front end"
            .formatted(
                keys,
                methods.contains("publickey") ? "; or log in by a code or password" : "",
                methods,
                silence.get(),
                login.host())
        : keys;
  }

  private String tried() {
    var agent =
        settings
            .value("identityagent")
            .or(() -> Optional.ofNullable(System.getenv("SSH_AUTH_SOCK")))
            .filter(socket -> !socket.isEmpty())
            .filter(_ -> settings.value("identitiesonly").filter("yes"::equals).isEmpty())
            .map(_ -> "the keys of the agent");
    var files =
        Stream.concat(identities().map(Path::toString), agent.stream()).collect(joining(", "));
    return files.isEmpty() ? "there are none" : files;
  }

  /** Returns the files of keys: those that exist, and that of the descriptor. */
  private Stream<Path> identities() {
    return settings.all("identityfile").stream()
        .filter(file -> !file.equals("none"))
        .map(SshConfig::home)
        .map(Path::of)
        .filter(file -> login.identity().filter(file::equals).isPresent() || Files.exists(file));
  }

  private String missing() {
    return login
        .identity()
        .filter(file -> !Files.exists(file))
        .map(file -> "; there is no file '" + file + "'")
        .orElse("");
  }

  private String tooMany() {
    return "%s ended the login after too many keys; name the right one (identity, or IdentityFile with IdentitiesOnly yes in the ssh configuration)"
        .formatted(settings.target());
  }

  // The network

  private Optional<String> network() {
    return find(NO_NAME)
        .map(
            found ->
                "there is no host '%s'; correct its name in %s, or set HostName in the ssh configuration"
                    .formatted(found.group(1), SshHost.source(login)))
        .or(
            () ->
                find(NO_CONNECTION)
                    .map(
                        found ->
                            "cannot connect to %s: %s; check whether it is up and runs an ssh server on port %s"
                                .formatted(settings.target(), why(found.group(3)), found.group(2))))
        .or(
            () ->
                gateway
                    .filter(_ -> find(NO_PASSAGE).isPresent() || find(NO_SERVER).isPresent())
                    .map(this::noPassage))
        .or(
            () ->
                settings
                    .value("proxycommand")
                    .filter(_ -> find(NO_SERVER).isPresent())
                    .map(this::noProxy))
        .or(
            () ->
                find(NO_SERVER)
                    .map(
                        _ ->
                            "%s accepted the connection, but no ssh server answered within %d s; check its host name and port"
                                .formatted(settings.target(), settings.timeout().toSeconds())));
  }

  private String why(String reason) {
    return switch (reason) {
      case "Connection refused" -> "it refuses connections: " + reason;
      case "No route to host" -> "there is no route to it";
      case "Connection timed out", "Operation timed out" ->
          "no answer within " + settings.timeout().toSeconds() + " s";
      default -> reason;
    };
  }

  private String noPassage(String name) {
    return "the gateway %s cannot connect to %s:%d; check its name and port there, and whether the gateway allows forwarding"
        .formatted(name, settings.hostName(), settings.port());
  }

  private String noProxy(String command) {
    return "the ProxyCommand of the ssh configuration, '%s', reaches no ssh server%s; try it by hand"
        .formatted(
            command,
            refusal.messages().stream()
                .filter(line -> !line.startsWith("kex_") && !line.startsWith("Connection closed"))
                .findFirst()
                .map(line -> " (" + line + ")")
                .orElse(""));
  }
}
