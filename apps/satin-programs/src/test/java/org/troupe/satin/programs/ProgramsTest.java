package org.troupe.satin.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.testing.QuickJvm;

/** The programs, each of which checks its own result: not woven, in one JVM, and over nodes. */
@Timeout(120)
class ProgramsTest {

  private static final String PACKAGE = "org.troupe.satin.programs.";

  /** What a program over nodes is started with: its name, and a size. */
  private static final List<String> SIZES =
      List.of(
          "Fib,24",
          "NQueens,10",
          "FirstQueens,10",
          "Knapsack,18",
          "Tsp,10",
          "MatrixProduct,3",
          "Integrate,300",
          "GameTree,6",
          "BarnesHut,400");

  @TempDir private Path folder;

  static Stream<String> programs() {
    return SIZES.stream().map(each -> each.substring(0, each.indexOf(',')));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void computeTheSameWoven(String program) {
    assertThatCode(() -> run(getClass().getClassLoader(), program)).doesNotThrowAnyException();
  }

  /** Programs whose results come by inlets need to be woven; all others are sequential programs. */
  @Test
  void computeTheSameWithoutWeaving() throws Exception {
    var libraries = getClass().getClassLoader();
    try (var loader = new UnwovenPrograms(compiled(), libraries)) {
      for (var program : programs().filter(each -> !each.equals("GameTree")).toList()) {
        assertThatCode(() -> run(loader, program)).as(program).doesNotThrowAnyException();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, ibis", "2, rmi", "3, ibis"})
  void computeTheSameOverNodes(int nodes, String transport) throws Exception {
    var arguments = new ArrayList<>(List.of(String.valueOf(nodes), transport));
    arguments.addAll(SIZES);

    var printed = runOverNodes(arguments);

    assertThat(printed.lines().filter(line -> line.endsWith("(checked)"))).hasSize(SIZES.size());
  }

  @Test
  void computeTheSameWhenANodeDies() throws Exception {
    var printed = runOverNodes(List.of("2", "ibis", ProgramsOverNodes.KILL, "Fib,24"));

    assertThat(printed).contains(ProgramsOverNodes.LOST);
  }

  private static void run(ClassLoader loader, String program) throws Throwable {
    var main = Class.forName(PACKAGE + program, true, loader).getMethod("main", String[].class);
    try {
      main.invoke(null, (Object) new String[0]);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  /** Compiles the programs again, as the classes of this module are woven. */
  private Path compiled() throws Exception {
    var arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", folder.toString()));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    try (var sources = Files.walk(Path.of("src/main/java/org"))) {
      sources
          .filter(each -> each.getFileName().toString().endsWith(".java"))
          .forEach(each -> arguments.add(each.toString()));
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
    return folder;
  }

  /** Loads the programs from a folder, although the woven ones are known to its parent. */
  private static final class UnwovenPrograms extends URLClassLoader {

    UnwovenPrograms(Path classes, ClassLoader libraries) throws Exception {
      super(new URL[] {classes.toUri().toURL()}, libraries);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(PACKAGE)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        var loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }

  /** Runs programs in a process, whose nodes are others, and returns what it prints. */
  private String runOverNodes(List<String> arguments) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(QuickJvm.OPTIONS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ProgramsOverNodes.class.getName());
    command.addAll(arguments);
    var output = folder.resolve("output.txt");
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      process.waitFor(); // the limit of the test ends it
    } finally {
      process.destroyForcibly();
    }
    var printed = Files.readString(output);
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }
}
