package org.troupe.deployment.ssh;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A user's ssh certificate, as {@code ssh-keygen -L} describes it. Immutable.
 *
 * @param authority the type and fingerprint of the key that signed it
 * @param from the begin of its validity; empty if it has none
 * @param to the end of its validity; empty if it has none
 * @param principals the users for whom it was issued; empty if it names none
 */
record UserCertificate(
    Path file,
    String authority,
    Optional<LocalDateTime> from,
    Optional<LocalDateTime> to,
    List<String> principals) {

  private static final Pattern SIGNER = Pattern.compile("Signing CA: (\\S+ \\S+).*");
  private static final Pattern VALID =
      Pattern.compile(
          "Valid: (?:after (?<after>\\S+)|(?:from (?<from>\\S+) to|before) (?<to>\\S+))");
  private static final String PRINCIPALS = "Principals:";
  private static final String NONE = "(none)";

  UserCertificate {
    principals = List.copyOf(principals);
  }

  /** Reads a file; empty if it has no certificate, or there is no {@code ssh-keygen}. */
  static Optional<UserCertificate> read(Path file) {
    try {
      var process =
          new ProcessBuilder("ssh-keygen", "-L", "-f", file.toString())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      return parse(
          file, new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty(); // only explanations are less precise
    }
  }

  /** Reads what {@code ssh-keygen} has printed. */
  static Optional<UserCertificate> parse(Path file, String printed) {
    var authority = Optional.<String>empty();
    var from = Optional.<LocalDateTime>empty();
    var to = Optional.<LocalDateTime>empty();
    var principals = new ArrayList<String>();
    var inPrincipals = false;
    for (var line : printed.lines().map(String::strip).toList()) {
      var signer = SIGNER.matcher(line);
      var valid = VALID.matcher(line);
      if (signer.matches()) {
        authority = Optional.of(signer.group(1));
      } else if (valid.matches()) {
        from = time(valid.group("from") == null ? valid.group("after") : valid.group("from"));
        to = time(valid.group("to"));
      } else if (line.startsWith(PRINCIPALS)) {
        inPrincipals = !line.endsWith(NONE);
      } else if (line.startsWith("Critical Options:")) {
        inPrincipals = false;
      } else if (inPrincipals) {
        principals.add(line);
      }
    }
    var begin = from;
    var end = to;
    return authority.map(by -> new UserCertificate(file, by, begin, end, principals));
  }

  private static Optional<LocalDateTime> time(String text) {
    try {
      return Optional.ofNullable(text).map(LocalDateTime::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty(); // "always", "forever"
    }
  }

  /** Returns why no server accepts it now, with the remedy; empty if it is valid. */
  Optional<String> fault(LocalDateTime now) {
    if (to.filter(now::isAfter).isPresent()) {
      return Optional.of(
          "the certificate '%s' expired at %s; get a new certificate from the site, and run this again"
              .formatted(file, to.get()));
    }
    if (from.filter(now::isBefore).isPresent()) {
      return Optional.of(
          "the certificate '%s' is valid only from %s; correct this machine's clock, or get a certificate that is valid now"
              .formatted(file, from.get()));
    }
    return Optional.empty();
  }

  /** Returns why a server may not accept it for a user although it is valid, with the remedy. */
  String doubt(String user) {
    return principals.isEmpty() || principals.contains(user)
        ? "ask the site whether it trusts %s, which signed the certificate '%s'"
            .formatted(authority, file)
        : "the certificate '%s' names the user %s, and not %s: log in as one whom it names, or get one for %s"
            .formatted(file, String.join(", ", principals), user, user);
  }
}
