package ibis.compile;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * Runs the compilers whose jars are on the class path on class files, folders and jars.
 *
 * <p>For serialization there is none: objects travel without classes being rewritten.
 */
public final class Ibisc {

  private static final String ATTRIBUTE = "Ibisc-Component";

  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private final List<IbiscComponent> components = new ArrayList<>();
  private final ArrayList<String> arguments = new ArrayList<>();
  private boolean verbose;
  private boolean keep;
  private boolean verify;
  private boolean help;

  private Ibisc() {}

  /** Runs the compilers that the arguments select; {@code -help} prints the options. */
  public static void main(String[] arguments) {
    System.exit(run(arguments, System.out, System.err));
  }

  /** Runs the compilers; returns the exit code. */
  static int run(String[] arguments, PrintStream out, PrintStream err) {
    var ibisc = new Ibisc();
    try {
      ibisc.findComponents();
      ibisc.readOptions(arguments);
      return ibisc.run(out);
    } catch (IllegalArgumentException e) {
      err.println("ibisc: " + e.getMessage());
      err.println(ibisc.usage());
      return USAGE;
    } catch (IOException | UncheckedIOException | IllegalStateException e) {
      err.println("ibisc: " + e.getMessage());
      return FAILED;
    }
  }

  private void findComponents() throws IOException {
    Set<String> names = new LinkedHashSet<>();
    for (String place : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
      if (place.endsWith(".jar") && new File(place).isFile()) {
        try (var jar = new JarFile(place)) {
          Manifest manifest = jar.getManifest();
          String named = manifest == null ? null : manifest.getMainAttributes().getValue(ATTRIBUTE);
          if (named != null) {
            names.addAll(Arrays.asList(named.strip().split("[,\\s]+")));
          }
        }
      }
    }
    for (String name : names) {
      components.add(component(name));
    }
  }

  private static IbiscComponent component(String name) {
    try {
      return Class.forName(name, true, loader())
          .asSubclass(IbiscComponent.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      Throwable cause = e.getCause() != null ? e.getCause() : e;
      throw new IllegalStateException(
          "'"
              + name
              + "', which the manifest of a jar names in '"
              + ATTRIBUTE
              + "', cannot be used: "
              + cause,
          e);
    }
  }

  private static ClassLoader loader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null ? context : Ibisc.class.getClassLoader();
  }

  private void readOptions(String[] given) {
    for (String argument : given) {
      switch (argument) {
        case "-v", "-verbose" -> verbose = true;
        case "-no-verbose" -> verbose = false;
        case "-keep" -> keep = true;
        case "-no-keep" -> keep = false;
        case "-verify" -> verify = true;
        case "-no-verify" -> verify = false;
        case "-h", "-help", "--help", "/?" -> help = true;
        case "-d", "-debug", "-no-debug", "-compress", "-no-compress", "-iogen-force" -> {
          // known to old build files, without effect
        }
        default -> arguments.add(argument);
      }
    }
  }

  private String usage() {
    return components.stream()
        .map(IbiscComponent::getUsageString)
        .filter(each -> !each.isEmpty())
        .collect(
            Collectors.joining(
                " ",
                "Usage: java ibis.compile.Ibisc [-verbose] [-verify] [-keep] [-help] ",
                " JAR|FOLDER|CLASSFILE..."));
  }

  private int run(PrintStream out) throws IOException {
    if (help) {
      out.println(usage());
      return OK;
    }
    var wanted = new ArrayList<IbiscComponent>();
    for (IbiscComponent each : components) {
      each.verbose = verbose;
      each.keep = keep;
      each.fromIbisc = true;
      if (each.processArgs(arguments)) {
        wanted.add(each);
      }
    }
    for (String argument : arguments) {
      if (argument.startsWith("-")) {
        throw new IllegalArgumentException("there is no option '" + argument + "'");
      }
    }
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException("no class file, folder or jar is named");
    }
    if (wanted.isEmpty()) {
      out.println("ibisc: nothing to do: no compiler was asked for, and serialization needs none");
      return OK;
    }
    return runAll(wanted, out);
  }

  private int runAll(List<IbiscComponent> wanted, PrintStream out) throws IOException {
    for (IbiscComponent each : wanted) {
      if (!"BCEL".equals(each.rewriterImpl())) {
        throw new IllegalStateException(
            "compiler '"
                + each.getClass().getName()
                + "' works with "
                + each.rewriterImpl()
                + "; only those that work with BCEL can be run");
      }
    }
    var wrapper = new BcelWrapper(loader());
    var files = new ClassFileSet(wrapper, loader());
    for (String argument : arguments) {
      files.read(argument);
    }
    for (IbiscComponent each : wanted) {
      out.println(
          "ibisc: " + each.getClass().getName() + " on " + files.entries().size() + " classes");
      each.runOn(files, wrapper);
    }
    files.writeAll(verify);
    return OK;
  }
}
