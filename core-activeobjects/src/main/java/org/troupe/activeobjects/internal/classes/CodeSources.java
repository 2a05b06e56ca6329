package org.troupe.activeobjects.internal.classes;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.SoftReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The archives and folders from which this JVM loads classes. A SHA-256 hash identifies each of
 * them to other nodes: of an archive, the hash of the file; of a folder, the hash of an archive of
 * its classes. Hashes are computed on demand.
 */
public final class CodeSources {

  private static final LocalDateTime SOME_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  /**
   * The code source of a class.
   *
   * @param hash identifies the content, in hexadecimal
   * @param name the file's name, for messages
   */
  public record Source(String hash, String name) {}

  private final Map<Path, Source> known = new ConcurrentHashMap<>();
  private final Map<String, SoftReference<byte[]>> archives = new ConcurrentHashMap<>();

  /** Returns the source at a path; {@code null} if it cannot be read. */
  @Nullable Source at(Path place) {
    return known.computeIfAbsent(
        place,
        path -> {
          try {
            var digest = sha256();
            write(path, new DigestOutputStream(OutputStream.nullOutputStream(), digest));
            return new Source(HexFormat.of().formatHex(digest.digest()), label(path));
          } catch (IOException e) {
            return null; // an entry of a class path need not exist
          }
        });
  }

  private static String label(Path place) {
    return place.getFileName() == null ? place.toString() : place.getFileName().toString();
  }

  /**
   * Returns the archive with a hash, if {@link #at} has returned its source before; {@code null}
   * otherwise.
   */
  byte @Nullable [] archive(String hash) throws IOException {
    for (var each : known.entrySet()) {
      if (each.getValue().hash().equals(hash)) {
        return archive(each.getKey(), hash);
      }
    }
    return null;
  }

  private byte[] archive(Path place, String hash) throws IOException {
    var cached = archives.get(hash);
    var bytes = cached == null ? null : cached.get();
    if (bytes == null) {
      var out = new ByteArrayOutputStream();
      write(place, out);
      bytes = out.toByteArray();
      archives.put(hash, new SoftReference<>(bytes));
    }
    return bytes;
  }

  private static void write(Path place, OutputStream out) throws IOException {
    if (!Files.isDirectory(place)) {
      Files.copy(place, out);
      return;
    }
    try (var files = Files.walk(place);
        var zip = new ZipOutputStream(out)) {
      zip.setLevel(
          Deflater.BEST_SPEED); // a folder is packed at the start of a program, for its hash
      for (var file :
          (Iterable<Path>)
              files.filter(each -> each.toString().endsWith(".class")).sorted()::iterator) {
        var entry =
            new ZipEntry(place.relativize(file).toString().replace(File.separatorChar, '/'));
        entry.setTimeLocal(SOME_TIME);
        zip.putNextEntry(entry);
        Files.copy(file, zip);
      }
    }
  }

  static String hash(byte[] archive) {
    return HexFormat.of().formatHex(sha256().digest(archive));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has it", e);
    }
  }

  static Stream<String> listed(String property, String separator) {
    return List.of(System.getProperty(property, "").split(separator)).stream()
        .map(String::strip)
        .filter(each -> !each.isEmpty());
  }
}
