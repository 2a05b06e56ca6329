package org.troupe.activeobjects.internal.classes;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.SoftReference;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

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
  Source at(Path place) {
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
  byte[] archive(String hash) throws IOException {
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

  /** Returns the file or folder from which a class was loaded; {@code null} if there is none. */
  static Path place(Class<?> type) {
    var source = type.getProtectionDomain().getCodeSource();
    return source == null ? null : place(source.getLocation());
  }

  /** Returns the file or folder of a code source's location; {@code null} if it is neither. */
  static Path place(URL location) {
    try {
      return location == null || !"file".equals(location.getProtocol())
          ? null
          : Path.of(location.toURI());
    } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
      return null; // a notation of the class loader's own
    }
  }

  /** Returns all entries of this JVM's class path and module path, in their order. */
  static Collection<Path> ofThisProgram() {
    var places = new LinkedHashSet<Path>();
    Stream.of("java.class.path", "jdk.module.path")
        .flatMap(property -> listed(property, File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath())
        .forEach(entry -> add(entry, places));
    return places;
  }

  /**
   * Adds an entry, the entries that its manifest refers to, and the modules in a folder of modules.
   */
  private static void add(Path entry, Set<Path> places) {
    if (!Files.exists(entry) || !places.add(entry)) {
      return;
    }
    if (Files.isDirectory(entry)) {
      try (var inside = Files.list(entry)) {
        inside
            .filter(each -> each.toString().endsWith(".jar"))
            .sorted()
            .forEach(each -> places.add(each));
      } catch (IOException e) {
        // This JVM cannot read it either.
      }
      return;
    }
    try (var jar = new JarFile(entry.toFile())) {
      var manifest = jar.getManifest();
      var more =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      for (var each : more == null ? new String[0] : more.strip().split("\\s+")) {
        var referred = place(entry.toUri().resolve(each).toURL());
        if (referred != null) {
          add(referred, places);
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      // not a jar file, or one with a malformed manifest
    }
  }

  static Stream<String> listed(String property, String separator) {
    return List.of(System.getProperty(property, "").split(separator)).stream()
        .map(String::strip)
        .filter(each -> !each.isEmpty());
  }
}
