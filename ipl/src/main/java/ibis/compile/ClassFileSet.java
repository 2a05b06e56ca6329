package ibis.compile;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/** The classes that the compilers process, from class files, folders and jars. */
final class ClassFileSet {

  private static final String CLASS = ".class";
  private static final String JAR = ".jar";

  private final BcelWrapper wrapper;
  private final ClassLoader loader;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final List<Jar> jars = new ArrayList<>();
  private final Set<String> places = new LinkedHashSet<>();

  ClassFileSet(BcelWrapper wrapper, ClassLoader loader) {
    this.wrapper = wrapper;
    this.loader = loader;
  }

  /** A class and its location: a file, or a name in a jar. */
  static final class Entry {

    private final @Nullable Path file;
    private final @Nullable Jar jar;
    private final @Nullable String nameInJar;
    private ClassInfo info;
    private boolean isModified;

    private Entry(
        @Nullable Path file, @Nullable Jar jar, @Nullable String nameInJar, ClassInfo info) {
      this.file = file;
      this.jar = jar;
      this.nameInJar = nameInJar;
      this.info = info;
    }

    private Path file() {
      return Objects.requireNonNull(file, "what is in no jar is in a file");
    }

    private String nameInJar() {
      return Objects.requireNonNull(nameInJar, "what is in a jar has a name there");
    }

    ClassInfo info() {
      return info;
    }

    void modify(ClassInfo info) {
      this.info = info;
      isModified = true;
    }

    /** Returns the folder of the file or the jar; {@code null} if it is the working directory. */
    @Nullable String folder() {
      Path parent = (jar == null ? file() : jar.path).getParent();
      return parent == null ? null : parent.toString();
    }
  }

  /** A jar, whole in memory. */
  private static final class Jar {

    private final Path path;
    private final Map<String, byte[]> contents = new LinkedHashMap<>();
    private boolean isModified;

    Jar(Path path) {
      this.path = path;
    }
  }

  /**
   * Reads a class file, a jar, or all of both in a folder.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  void read(String argument) throws IOException {
    Path path = Path.of(argument);
    if (Files.isDirectory(path)) {
      places.add(argument);
      try (Stream<Path> inside = Files.walk(path)) {
        for (Path each : (Iterable<Path>) inside.sorted()::iterator) {
          if (Files.isRegularFile(each)) {
            readFile(each);
          }
        }
      }
    } else if (!Files.exists(path)) {
      throw new IllegalArgumentException("there is no file '" + argument + "'");
    } else if (!readFile(path)) {
      throw new IllegalArgumentException(
          "'" + argument + "' is neither a class file nor a jar nor a folder");
    }
  }

  private boolean readFile(Path path) throws IOException {
    String name = path.toString();
    if (name.endsWith(CLASS)) {
      add(new Entry(path, null, null, wrapper.parseClassFile(name)));
      return true;
    }
    if (name.endsWith(JAR)) {
      readJar(path);
      return true;
    }
    return false;
  }

  private void readJar(Path path) throws IOException {
    var jar = new Jar(path);
    places.add(path.toString());
    try (var zip = new ZipInputStream(Files.newInputStream(path))) {
      for (ZipEntry each = zip.getNextEntry(); each != null; each = zip.getNextEntry()) {
        jar.contents.put(each.getName(), zip.readAllBytes());
      }
    }
    jars.add(jar);
    for (var each : jar.contents.entrySet()) {
      if (each.getKey().endsWith(CLASS) && !each.getKey().endsWith("module-info.class")) {
        addToJar(jar, each.getKey(), wrapper.parse(each.getValue(), each.getKey()));
      }
    }
  }

  private Entry addToJar(Jar jar, String name, ClassInfo info) {
    var entry = new Entry(null, jar, name, info);
    add(entry);
    return entry;
  }

  private void add(Entry entry) {
    entries.put(entry.info.getClassName(), entry);
  }

  /** Returns the current entries. */
  List<Entry> entries() {
    return List.copyOf(entries.values());
  }

  /** Returns the entry of a class, or {@code null}. */
  @Nullable Entry entry(String className) {
    return entries.get(className);
  }

  /** Returns the class path entries by which all classes are found. */
  Set<String> places() {
    return places;
  }

  /** Adds a class beside the one that it was derived from. */
  void add(ClassInfo info, String fromClass) {
    Entry from = entries.get(fromClass);
    if (from == null) {
      throw new IllegalArgumentException(
          "class '"
              + info.getClassName()
              + "' is derived from '"
              + fromClass
              + "', which is not among the classes that are processed");
    }
    String simpleName = info.getClassName().substring(info.getClassName().lastIndexOf('.') + 1);
    Entry entry;
    if (from.jar == null) {
      entry = new Entry(from.file().resolveSibling(simpleName + CLASS), null, null, info);
      add(entry);
    } else {
      String folder = from.nameInJar().substring(0, from.nameInJar().lastIndexOf('/') + 1);
      entry = addToJar(from.jar, folder + simpleName + CLASS, info);
    }
    entry.modify(info);
  }

  private byte @Nullable [] bytes(String className) {
    Entry entry = entries.get(className);
    return entry == null ? null : entry.info.getBytes();
  }

  /** Writes the files and jars that have changed, so that a Java compiler finds them. */
  void writeDrafts() throws IOException {
    for (Entry entry : entries.values()) {
      if (entry.isModified) {
        write(entry, entry.info.getBytes());
      }
    }
    writeJars();
  }

  /**
   * Writes the files and jars that have changed, for a JVM.
   *
   * @param verify whether to try the verifier on all of them first
   * @throws IllegalStateException if one does not pass; then none is written
   */
  void writeAll(boolean verify) throws IOException {
    var stackMaps = new StackMaps(this::bytes, loader);
    Map<Entry, byte[]> completed = new LinkedHashMap<>();
    for (Entry entry : entries.values()) {
      if (entry.isModified) {
        String name = entry.info.getClassName();
        byte[] bytes = stackMaps.complete(entry.info.getBytes(), name);
        if (verify) {
          stackMaps.verify(bytes, name);
        }
        completed.put(entry, bytes);
      }
    }
    for (var each : completed.entrySet()) {
      write(each.getKey(), each.getValue());
      each.getKey().isModified = false;
    }
    writeJars();
  }

  private static void write(Entry entry, byte[] bytes) throws IOException {
    if (entry.jar == null) {
      replace(entry.file(), out -> out.write(bytes));
    } else {
      entry.jar.contents.put(entry.nameInJar(), bytes);
      entry.jar.isModified = true;
    }
  }

  private void writeJars() throws IOException {
    for (Jar jar : jars) {
      if (jar.isModified) {
        replace(jar.path, out -> write(jar, out));
        jar.isModified = false;
      }
    }
  }

  private static void write(Jar jar, OutputStream out) throws IOException {
    var zip = new ZipOutputStream(out);
    for (var each : jar.contents.entrySet()) {
      zip.putNextEntry(new ZipEntry(each.getKey()));
      new ByteArrayInputStream(each.getValue()).transferTo(zip);
      zip.closeEntry();
    }
    zip.finish();
  }

  private interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes a file atomically. */
  private static void replace(Path file, Content content) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try {
      try (OutputStream out = Files.newOutputStream(draft)) {
        content.writeTo(out);
      }
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
