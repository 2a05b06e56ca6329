package org.troupe.activeobjects.hosting;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.jar.Attributes.Name.CLASS_PATH;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** The archives and folders of classes that this JVM was started with. */
public final class ProgramClassPath {

  private ProgramClassPath() {}

  /**
   * Returns the entries of the class path, with those that the manifests of archives refer to, and
   * the modules of the module path; absolute, in their order. Omits entries that do not exist.
   */
  public static List<Path> entries() {
    var found = new LinkedHashSet<Path>();
    listed("java.class.path").forEach(each -> add(each, found));
    listed("jdk.module.path").flatMap(ProgramClassPath::modules).forEach(each -> add(each, found));
    return List.copyOf(found);
  }

  /** Returns the paths in a system property that is written like a class path, absolute. */
  public static Stream<Path> listed(String property) {
    return Stream.of(System.getProperty(property, "").split(File.pathSeparator))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .map(each -> Path.of(each).toAbsolutePath().normalize());
  }

  /**
   * Adds an entry and those that its manifest refers to. The JVM follows these by itself; but build
   * tools put whole class paths into the manifest of one jar, and folders among them are part of
   * the program.
   */
  private static void add(Path entry, Set<Path> found) {
    if (!Files.exists(entry) || !found.add(entry) || Files.isDirectory(entry)) {
      return;
    }
    try (var archive = new ZipFile(entry.toFile())) {
      var references = references(archive);
      if (references != null) {
        for (var each : references.strip().split("\\s+")) {
          referred(entry, each).ifPresent(path -> add(path, found));
        }
      }
    } catch (IOException e) {
      // Not an archive; the JVM ignores the entry, too.
    }
  }

  /**
   * Returns the class path in an archive's manifest; null if it has none.
   *
   * <p>Every start reads all archives, and few have a class path. So an archive is opened as a zip
   * file, and its manifest is parsed only if it has the attribute; of that only the main section,
   * as signed archives have a section for each file.
   */
  private static @Nullable String references(ZipFile archive) throws IOException {
    var file = archive.getEntry(JarFile.MANIFEST_NAME);
    if (file == null) {
      return null;
    }
    byte[] manifest;
    try (var in = archive.getInputStream(file)) {
      manifest = in.readAllBytes();
    }
    var names = new String(manifest, ISO_8859_1).toLowerCase(Locale.ROOT);
    if (!names.contains(CLASS_PATH.toString().toLowerCase(Locale.ROOT))) {
      return null;
    }
    var main = new StringBuilder();
    new String(manifest, UTF_8)
        .lines()
        .takeWhile(line -> !line.isEmpty())
        .forEach(line -> main.append(line).append('\n'));
    return new Manifest(new ByteArrayInputStream(main.toString().getBytes(UTF_8)))
        .getMainAttributes()
        .getValue(CLASS_PATH);
  }

  /**
   * Returns the file that a manifest refers to; empty for a reference that the JVM ignores, too.
   */
  private static Optional<Path> referred(Path jar, String reference) {
    try {
      return location(jar.toUri().resolve(reference).toURL());
    } catch (MalformedURLException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns the modules at an entry of the module path, which may be a folder of modules. */
  private static Stream<Path> modules(Path entry) {
    if (!Files.isDirectory(entry) || Files.exists(entry.resolve("module-info.class"))) {
      return Stream.of(entry);
    }
    try (var inside = Files.list(entry)) {
      return inside
          .filter(
              each ->
                  each.toString().endsWith(".jar")
                      || Files.exists(each.resolve("module-info.class")))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      return Stream.of(); // this JVM could not read it either
    }
  }

  /** Returns the file or folder from which a class was loaded; empty if there is none. */
  public static Optional<Path> location(Class<?> type) {
    var source = type.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null
        ? Optional.empty()
        : location(source.getLocation());
  }

  /** Returns the file or folder that a code source's URL names; empty if it is neither. */
  public static Optional<Path> location(URL url) {
    try {
      return "file".equals(url.getProtocol())
          ? Optional.of(Path.of(url.toURI()))
          : Optional.empty();
    } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
      return Optional.empty(); // a notation of the class loader's own
    }
  }
}
