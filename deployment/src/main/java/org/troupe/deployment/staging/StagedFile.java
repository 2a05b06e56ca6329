package org.troupe.deployment.staging;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.troupe.deployment.process.Machine;

/**
 * A file whose path on other machines is derived from its content.
 *
 * @param file on this machine
 * @param packed the jar that is put there instead of a folder; held in memory, since a temporary
 *     file would remain if the program is killed
 * @param path on other machines, relative to the home directory
 */
record StagedFile(Path file, Optional<byte[]> packed, String path) {

  /** The cache, relative to the home directory. */
  static final String CACHE = ".cache/troupe";

  private static final FileTime NO_TIME =
      FileTime.fromMillis(315_532_800_000L); // 1980, zip's first

  /** Creates a staged file that is a file on this machine, too. */
  StagedFile(Path file, String path) {
    this(file, Optional.empty(), path);
  }

  /** Returns the staged file of an entry; a folder becomes a jar, which is reproducible. */
  static StagedFile of(Path entry) throws IOException {
    var digest = sha256();
    if (Files.isDirectory(entry)) {
      var jar = packed(entry);
      digest.update(jar);
      return new StagedFile(entry, Optional.of(jar), path(digest, entry.getFileName() + ".jar"));
    }
    try (var out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      Files.copy(entry, out);
    }
    return new StagedFile(entry, path(digest, entry.getFileName().toString()));
  }

  private static String path(MessageDigest digest, String name) {
    return CACHE + "/" + HexFormat.of().formatHex(digest.digest()) + "/" + name;
  }

  private static byte[] packed(Path folder) throws IOException {
    var jar = new ByteArrayOutputStream();
    try (var out = new ZipOutputStream(jar);
        var inside = Files.walk(folder)) {
      for (var file : inside.filter(Files::isRegularFile).sorted().toList()) {
        var entry = new ZipEntry(folder.relativize(file).toString());
        entry.setLastModifiedTime(NO_TIME);
        out.putNextEntry(entry);
        Files.copy(file, out);
        out.closeEntry();
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return jar.toByteArray();
  }

  /** Returns its size in bytes. */
  long size() throws IOException {
    return packed.isPresent() ? packed.get().length : Files.size(file);
  }

  /** Returns its copy to a machine. */
  Machine.Upload upload() {
    return new Machine.Upload(file, packed, path);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every JDK has it
    }
  }
}
