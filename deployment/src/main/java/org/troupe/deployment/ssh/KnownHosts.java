package org.troupe.deployment.ssh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.links.OwnerOnly;

/** The host keys in the user's known-hosts files, as they are now. */
final class KnownHosts {

  /** The verdict of the files on a key. */
  sealed interface Verdict {

    /** The key belongs to the host. */
    record Known() implements Verdict {}

    /** The files have no key of this type for the host. */
    record Unknown() implements Verdict {}

    /** The files have another key of this type for the host. */
    record Changed(Path file, int line) implements Verdict {}

    /** The key is marked as revoked. */
    record Revoked(Path file, int line) implements Verdict {}
  }

  /** The content of a file with this time and size. */
  record Content(FileTime changed, long size, List<Line> lines) {

    boolean isOf(BasicFileAttributes attributes) {
      return changed.equals(attributes.lastModifiedTime()) && size == attributes.size();
    }
  }

  record Line(Path file, int number, KnownHostEntry entry) {

    /** Returns whether the line has a key; a line that cannot be decoded has none. */
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
  private final Map<Path, Content> read;

  /**
   * @param read the cache of file contents, shared by all logins, since the files may be long
   */
  KnownHosts(SshHost host, Map<Path, Content> read) {
    this.host = host;
    this.read = read;
  }

  /** Checks a key that the host has shown. */
  Verdict check(PublicKey key) throws IOException {
    Verdict verdict = new Verdict.Unknown();
    for (var line : lines()) {
      var marker = line.entry().getMarker();
      if ("revoked".equals(marker) && line.has(key)) {
        return new Verdict.Revoked(line.file(), line.number());
      }
      if (marker != null) {
        continue; // of certificates, which this client does not request
      }
      if (line.has(key)) {
        verdict = new Verdict.Known();
      } else if (line.entry().getKeyEntry().getKeyType().equals(KeyUtils.getKeyType(key))
          && verdict instanceof Verdict.Unknown) {
        verdict = new Verdict.Changed(line.file(), line.number());
      }
    }
    return verdict;
  }

  /** Returns the place of the key of a certificate authority for the host, which cannot be used. */
  Optional<String> authority() throws IOException {
    return lines().stream()
        .filter(line -> "cert-authority".equals(line.entry().getMarker()))
        .map(line -> line.file() + ":" + line.number())
        .findFirst();
  }

  /** Returns the types of the keys that the files have for the host, which a login requests. */
  Set<String> keyTypes() throws IOException {
    return lines().stream()
        .filter(line -> line.entry().getMarker() == null)
        .map(line -> line.entry().getKeyEntry().getKeyType())
        .collect(Collectors.toSet());
  }

  /** Adds a key of the host to the user's file. */
  void add(PublicKey key) throws IOException {
    if (host.knownHosts().isEmpty()) {
      return; // the user has no such file
    }
    var file = host.knownHosts().getFirst();
    var line = hostPattern() + " " + PublicKeyEntry.toString(key) + "\n";
    synchronized (KnownHosts.class) { // logins run in parallel
      Files.createDirectories(file.toAbsolutePath().getParent());
      AtomicFile.append(file, line, OwnerOnly.file());
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
        content(file).lines().stream().filter(this::isOfHost).forEach(lines::add);
      } catch (NoSuchFileException e) {
        // Optional files.
      }
    }
    return lines;
  }

  private boolean isOfHost(Line line) {
    try {
      return line.entry().isHostMatch(host.keyName(), host.port());
    } catch (RuntimeException e) {
      return false; // a malformed line; OpenSSH ignores it, too
    }
  }

  /**
   * Returns the content of a file. Reads its attributes first, so that the next call notices a
   * later change.
   */
  private Content content(Path file) throws IOException {
    var attributes = Files.readAttributes(file, BasicFileAttributes.class);
    var known = read.get(file);
    if (known == null || !known.isOf(attributes)) {
      known = new Content(attributes.lastModifiedTime(), attributes.size(), parsed(file));
      read.put(file, known);
    }
    return known;
  }

  private static List<Line> parsed(Path file) throws IOException {
    var lines = new ArrayList<Line>();
    var number = 0;
    for (var text : Files.readAllLines(file)) {
      number++;
      try {
        var entry = KnownHostEntry.parseKnownHostEntry(text);
        if (entry != null && entry.getKeyEntry() != null) {
          lines.add(new Line(file, number, entry));
        }
      } catch (RuntimeException e) {
        // A malformed line; OpenSSH ignores it, too.
      }
    }
    return lines;
  }
}
