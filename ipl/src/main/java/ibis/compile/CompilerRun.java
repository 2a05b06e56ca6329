package ibis.compile;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** One run of the Java compiler on generated files. */
final class CompilerRun {

  private final List<String> javaFiles;
  private final boolean keep;
  private @Nullable Path output;

  CompilerRun(Collection<String> javaFiles, boolean keep) {
    this.javaFiles = List.copyOf(javaFiles);
    this.keep = keep;
  }

  /** Compiles the files; the classes are written beside them. */
  void run() throws IOException {
    run(List.of(), Set.of());
  }

  /** Compiles the files; returns the class files, which exist until {@link #clean}. */
  List<Path> run(Set<String> places) throws IOException {
    output = Files.createTempDirectory("ibisc");
    run(List.of("-d", output.toString()), places);
    try (Stream<Path> files = Files.walk(output)) {
      return files.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
  }

  private void run(List<String> more, Set<String> places) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalStateException(
          "files were generated, and this Java has no compiler for them; run it with a JDK");
    }
    var path = new ArrayList<>(places);
    path.add(System.getProperty("java.class.path", "."));
    var options = new ArrayList<String>(more);
    options.addAll(
        List.of("-g", "-nowarn", "-proc:none", "-cp", String.join(File.pathSeparator, path)));
    var messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  files,
                  null,
                  options,
                  null,
                  files.getJavaFileObjects(javaFiles.toArray(String[]::new)))
              .call();
      if (!compiled) {
        throw new IllegalStateException(
            javaFiles + " were generated and do not compile:" + System.lineSeparator() + messages);
      }
    }
  }

  /** Removes temporary files, and the sources unless they are to be kept. */
  void clean() {
    if (!keep) {
      javaFiles.stream().map(Path::of).forEach(CompilerRun::remove);
    }
    if (output != null) {
      try (Stream<Path> files = Files.walk(output)) {
        files.sorted(Comparator.reverseOrder()).forEach(CompilerRun::remove);
      } catch (IOException e) {
        throw new IllegalStateException("'" + output + "' cannot be removed", e);
      }
    }
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new IllegalStateException("'" + file + "' cannot be removed", e);
    }
  }
}
