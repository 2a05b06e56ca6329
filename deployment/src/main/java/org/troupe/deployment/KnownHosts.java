package org.troupe.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;

/** The keys by which the user knows hosts, as they are in the files now. */
final class KnownHosts {

  /** What the files say of a key. */
  sealed interface Answer {

    /** It is the host's. */
    record Known() implements Answer {}

    /** The host has no key of this kind in the files. */
    record Unknown() implements Answer {}

    /** The host has another key of this kind. */
    record Changed(Path file, int line) implements Answer {}

    /** The key is marked as stolen. */
    record Revoked(Path file, int line) implements Answer {}
  }

  private record Line(Path file, int number, KnownHostEntry entry) {

    /** One that cannot be read is like none: it never makes a host known. */
    boolean has(PublicKey key) {
      try {
        return KeyUtils.compareKeys(
            key, entry.getKeyEntry().resolvePublicKey(null, (s, type, data, headers) -> null));
      } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
        return false;
      }
    }
  }

  private final SshHost host;

  KnownHosts(SshHost host) {
    this.host = host;
  }

  /** Returns what is known of a host's key. */
  Answer look(PublicKey key) throws IOException {
    Answer answer = new Answer.Unknown();
    for (var line : lines()) {
      var marker = line.entry().getMarker();
      if ("revoked".equals(marker) && line.has(key)) {
        return new Answer.Revoked(line.file(), line.number());
      }
      if (marker != null) {
        continue; // certificates, which we do not ask for
      }
      if (line.has(key)) {
        answer = new Answer.Known();
      } else if (line.entry().getKeyEntry().getKeyType().equals(KeyUtils.getKeyType(key))
          && answer instanceof Answer.Unknown) {
        answer = new Answer.Changed(line.file(), line.number());
      }
    }
    return answer;
  }

  /** Returns the kinds of keys that the host is known by: the ones to ask it for. */
  Set<String> kinds() throws IOException {
    return lines().stream()
        .filter(line -> line.entry().getMarker() == null)
        .map(line -> line.entry().getKeyEntry().getKeyType())
        .collect(Collectors.toSet());
  }

  /** Notes a key as the host's. */
  void add(PublicKey key) throws IOException {
    if (host.knownHosts().isEmpty()) {
      return; // the user keeps none
    }
    var file = host.knownHosts().getFirst();
    var line = hostPattern() + " " + PublicKeyEntry.toString(key) + "\n";
    synchronized (KnownHosts.class) { // logins run side by side
      if (!Files.exists(file)) {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Files.writeString(file, line, StandardOpenOption.APPEND);
    }
  }

  private String hostPattern() {
    return host.port() == SshHost.SSH_PORT
        ? host.keyName()
        : "[" + host.keyName() + "]:" + host.port();
  }

  private List<Line> lines() throws IOException {
    var lines = new ArrayList<Line>();
    for (var file : host.knownHosts()) {
      try {
        var number = 0;
        for (var text : Files.readAllLines(file)) {
          number++;
          addIfOfHost(lines, file, number, text);
        }
      } catch (NoSuchFileException e) {
        // Few machines have them all.
      }
    }
    return lines;
  }

  private void addIfOfHost(List<Line> lines, Path file, int number, String text) {
    try {
      var entry = KnownHostEntry.parseKnownHostEntry(text);
      if (entry != null
          && entry.getKeyEntry() != null
          && entry.isHostMatch(host.keyName(), host.port())) {
        lines.add(new Line(file, number, entry));
      }
    } catch (RuntimeException e) {
      // Somebody else's odd line.
    }
  }
}
