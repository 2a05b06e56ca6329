package org.troupe.deployment.ssh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.troupe.deployment.files.AtomicFile;

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

  /** What was in a file when it had these marks. */
  record Content(FileTime changed, long size, List<Line> lines) {

    boolean isOf(BasicFileAttributes marks) {
      return changed.equals(marks.lastModifiedTime()) && size == marks.size();
    }
  }

  record Line(Path file, int number, KnownHostEntry entry) {

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
  private final Map<Path, Content> read;

  /**
   * @param read what other logins have read: the files of who has a thousand hosts are long
   */
  KnownHosts(SshHost host, Map<Path, Content> read) {
    this.host = host;
    this.read = read;
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
      Files.createDirectories(file.toAbsolutePath().getParent());
      AtomicFile.append(
          file,
          line,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
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
        // Few machines have them all.
      }
    }
    return lines;
  }

  private boolean isOfHost(Line line) {
    try {
      return line.entry().isHostMatch(host.keyName(), host.port());
    } catch (RuntimeException e) {
      return false; // another program's odd line, as below
    }
  }

  /** The marks are taken first: a change after that is seen next time. */
  private Content content(Path file) throws IOException {
    var marks = Files.readAttributes(file, BasicFileAttributes.class);
    var known = read.get(file);
    if (known == null || !known.isOf(marks)) {
      known = new Content(marks.lastModifiedTime(), marks.size(), parsed(file));
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
        // A line that another program wrote and OpenSSH ignores, too.
      }
    }
    return lines;
  }
}
