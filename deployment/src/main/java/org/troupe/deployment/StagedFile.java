package org.troupe.deployment;

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
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A file as it is known on other machines: by its content.
 *
 * @param file here
 * @param path there, from the home directory
 */
record StagedFile(Path file, String path) {

  /** Below the home directory. */
  static final String CACHE = ".cache/troupe";

  private static final FileTime NO_TIME =
      FileTime.fromMillis(315_532_800_000L); // 1980, zip's first

  /**
   * Returns a file; a folder becomes a jar, the same one whenever its files are the same.
   *
   * @param run in whose folder the jar is made
   */
  static StagedFile of(Path entry, RunRecord run) throws IOException {
    if (Files.isDirectory(entry)) {
      return named(packed(entry, run), entry.getFileName() + ".jar");
    }
    return named(entry, entry.getFileName().toString());
  }

  private static StagedFile named(Path file, String name) throws IOException {
    var digest = sha256();
    try (var out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      Files.copy(file, out);
    }
    return new StagedFile(
        file, CACHE + "/" + HexFormat.of().formatHex(digest.digest()) + "/" + name);
  }

  private static Path packed(Path folder, RunRecord run) throws IOException {
    var jar = Files.createTempFile(run.folder(), "troupe-", ".jar");
    jar.toFile().deleteOnExit();
    try (var out = new ZipOutputStream(Files.newOutputStream(jar));
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
    return jar;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every JDK has it
    }
  }
}
