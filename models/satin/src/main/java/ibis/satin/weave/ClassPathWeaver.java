package ibis.satin.weave;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/** Weaves jars and folders of classes, all together: the classes of one may be known by another. */
public final class ClassPathWeaver {

  /** Signatures of a jar, which do not hold for woven classes. */
  private static final Pattern SIGNATURE =
      Pattern.compile("META-INF/[^/]+\\.(SF|RSA|DSA|EC)", Pattern.CASE_INSENSITIVE);

  private final Map<Path, Path> places;
  private final ClassLoader libraries;
  private final Predicate<String> chosen;

  /** For each source its files, by their names. */
  private final Map<Path, Map<String, byte[]>> contents = new LinkedHashMap<>();

  private ClassPathWeaver(Map<Path, Path> places, ClassLoader libraries, Set<String> only) {
    this.places = places;
    this.libraries = libraries;
    this.chosen = only.isEmpty() ? _ -> true : name -> only.contains(name.replace('/', '.'));
  }

  /**
   * Weaves jars and folders. A jar becomes a jar, a folder a folder; other files are copied. If a
   * class cannot be woven nothing is written.
   *
   * @param places where what is woven goes, for each jar or folder
   * @param libraries finds the classes that these use
   * @param only the names of the classes to weave; empty for all
   * @return the number of classes that spawn, sync, or are shared
   * @throws WeavingException with all problems of all classes
   * @throws IOException if a file cannot be read or written
   */
  public static int weave(Map<Path, Path> places, ClassLoader libraries, Set<String> only)
      throws IOException {
    var weaver = new ClassPathWeaver(places, libraries, only);
    int woven = weaver.weave();
    for (Map.Entry<Path, Path> place : places.entrySet()) {
      write(weaver.files(place.getKey()), place.getValue(), Files.isDirectory(place.getKey()));
    }
    return woven;
  }

  /**
   * Weaves a folder of classes in place, as a step of a build. Woven classes stay as they are.
   *
   * @param arguments the folder; the class path has the classes that it uses
   */
  @SuppressWarnings("SystemOut") // messages of a command
  static void main(String[] arguments) throws IOException {
    Path classes = Path.of(arguments[0]);
    var weaver =
        new ClassPathWeaver(
            Map.of(classes, classes), ClassPathWeaver.class.getClassLoader(), Set.of());
    try {
      weaver.weave();
    } catch (WeavingException e) {
      System.err.println("the program cannot be woven:\n" + e.getMessage());
      System.exit(1);
    }
    for (Map.Entry<String, byte[]> file : weaver.files(classes).entrySet()) {
      Files.write(classes.resolve(file.getKey()), file.getValue());
    }
  }

  /** Reads all files and weaves the classes among them, in memory. */
  private int weave() throws IOException {
    for (Path source : places.keySet()) {
      contents.put(source, Files.isDirectory(source) ? folder(source) : jar(source));
    }
    Map<String, byte[]> classes = new HashMap<>();
    for (Map<String, byte[]> files : contents.values()) {
      files.forEach(
          (name, file) -> {
            if (isClass(name)) {
              classes.putIfAbsent(className(name), file);
            }
          });
    }
    var outside = ClassLibrary.of(libraries);
    var weaver =
        new Weaver(
            name -> {
              byte[] file = classes.get(name);
              return file == null ? outside.apply(name) : file;
            });
    int woven = 0;
    List<WeavingProblem> problems = new ArrayList<>();
    for (Map<String, byte[]> files : contents.values()) {
      for (String name : List.copyOf(files.keySet())) {
        if (isClass(name) && chosen.test(className(name))) {
          try {
            Map<String, byte[]> made = weaver.weave(file(files, name));
            made.forEach((type, file) -> files.put(type + ".class", file));
            woven += made.isEmpty() ? 0 : 1;
          } catch (WeavingException e) {
            problems.addAll(e.problems());
          }
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new WeavingException(problems);
    }
    return woven;
  }

  private Map<String, byte[]> files(Path source) {
    return contents.getOrDefault(source, Map.of());
  }

  private static byte[] file(Map<String, byte[]> files, String name) {
    return files.getOrDefault(name, new byte[0]);
  }

  /** Returns whether a file is a class of the program; classes for certain JDKs are left alone. */
  private static boolean isClass(String name) {
    return name.endsWith(".class") && !name.startsWith("META-INF/");
  }

  private static String className(String file) {
    return file.substring(0, file.length() - ".class".length());
  }

  private static Map<String, byte[]> jar(Path source) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (var jar = new ZipFile(source.toFile())) {
      for (ZipEntry entry : Collections.list(jar.entries())) {
        if (!entry.isDirectory() && !SIGNATURE.matcher(entry.getName()).matches()) {
          files.put(entry.getName(), jar.getInputStream(entry).readAllBytes());
        }
      }
    } catch (ZipException e) {
      throw new IOException("'" + source + "' is no jar: " + e.getMessage(), e);
    }
    return files;
  }

  private static Map<String, byte[]> folder(Path source) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (Stream<Path> all = Files.walk(source)) {
      for (Path each : (Iterable<Path>) all.filter(Files::isRegularFile).sorted()::iterator) {
        files.put(
            source.relativize(each).toString().replace(File.separatorChar, '/'),
            Files.readAllBytes(each));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return files;
  }

  /** Writes beside the place first, so that what is there is whole. */
  private static void write(Map<String, byte[]> files, Path place, boolean asFolder)
      throws IOException {
    Path parent = place.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IOException("'" + place + "' is the root of a file system");
    }
    Files.createDirectories(parent);
    if (Files.exists(place) && Files.isDirectory(place) != asFolder) {
      throw new IOException(
          "'%s' is there already, and no %s; name another"
              .formatted(place, asFolder ? "folder" : "jar"));
    }
    if (asFolder && Files.isDirectory(place) && !isEmpty(place)) {
      throw new IOException("folder '" + place + "' is not empty; name a new one");
    }
    Path beside =
        asFolder
            ? Files.createTempDirectory(parent, ".woven")
            : Files.createTempFile(parent, ".woven", ".jar");
    try {
      if (asFolder) {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
          Path target = beside.resolve(file.getKey()).normalize();
          if (!target.startsWith(beside)) {
            throw new IOException("'" + file.getKey() + "' leads out of its folder");
          }
          Files.createDirectories(Objects.requireNonNull(target.getParent(), "it is below"));
          Files.write(target, file.getValue());
        }
        Files.deleteIfExists(place);
      } else {
        try (OutputStream out = Files.newOutputStream(beside)) {
          zip(files, out);
        }
      }
      move(beside, place);
    } finally {
      delete(beside);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.findAny().isEmpty();
    }
  }

  /** Deletes a file or a folder with all that is in it; does nothing if there is none. */
  public static void delete(Path place) throws IOException {
    if (!Files.exists(place)) {
      return;
    }
    Files.walkFileTree(
        place,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
              throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void zip(Map<String, byte[]> files, OutputStream out) throws IOException {
    try (var zip = new ZipOutputStream(out)) {
      // The manifest first, as tools expect it.
      for (boolean manifest : new boolean[] {true, false}) {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
          if (file.getKey().toUpperCase(Locale.ROOT).equals("META-INF/MANIFEST.MF") == manifest) {
            var entry = new ZipEntry(file.getKey());
            entry.setTimeLocal(LocalDateTime.of(2026, 1, 1, 0, 0)); // reproducible
            zip.putNextEntry(entry);
            zip.write(file.getValue());
            zip.closeEntry();
          }
        }
      }
    }
  }

  /** Returns the jars and folders of a class path, wildcards resolved. */
  public static List<Path> entries(String classPath) throws IOException {
    List<Path> all = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      if (entry.equals("*") || entry.endsWith("/*")) {
        all.addAll(
            jarsIn(Path.of(entry.equals("*") ? "." : entry.substring(0, entry.length() - 2))));
      } else if (!entry.isEmpty()) {
        all.add(Path.of(entry));
      }
    }
    return all;
  }

  private static Collection<Path> jarsIn(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.toString().toLowerCase(Locale.ROOT).endsWith(".jar"))
          .sorted()
          .toList();
    }
  }
}
