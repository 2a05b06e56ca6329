package ibis.ipl;

import java.io.File;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the implementations on a path and selects one by name or by capabilities. */
final class ImplementationFinder {

  /** The version of the layer, with which the version of an implementation must begin. */
  static final String VERSION = "2.3";

  /** Names in old scripts; they select Troupe's implementation unless another one has the name. */
  private static final Set<String> ALIASES = Set.of("tcp", "nio", "smartsockets");

  /** The prefix of the packages in which those implementations had their classes. */
  private static final String FORMER_PACKAGE = "ibis.ipl.impl.";

  private static final System.Logger LOG =
      System.getLogger(ImplementationFinder.class.getPackageName());

  private static final Map<String, ImplementationFinder> BY_PATH = new ConcurrentHashMap<>();

  private final List<IbisStarter> starters;
  private final ClassLoader loader;

  private ImplementationFinder(List<IbisStarter> starters, ClassLoader loader) {
    this.starters = List.copyOf(starters);
    this.loader = loader;
  }

  /** The implementation to start, and the rest of the stack below it, or {@code null}. */
  record Choice(IbisStarter starter, @Nullable String below) {}

  /**
   * Returns the implementations of a path; searches each path once per JVM.
   *
   * @param path jars and folders of jars, besides the class path; {@code null} for none
   */
  static ImplementationFinder on(String path) {
    return BY_PATH.computeIfAbsent(path == null ? "" : path, ImplementationFinder::find);
  }

  private static ImplementationFinder find(String path) {
    List<Path> extra = jars(path);
    ClassLoader loader = loader(extra);
    var found = new ArrayList<IbisStarter>();
    Stream.concat(extra.stream(), jars(System.getProperty("java.class.path", "")).stream())
        .forEach(jar -> addFromManifest(found, jar, loader));
    addServices(found, loader);
    if (loader != IbisFactory.class.getClassLoader()) {
      addServices(
          found, IbisFactory.class.getClassLoader()); // a context loader may not see this module
    }
    return new ImplementationFinder(found, loader);
  }

  private static ClassLoader loader(List<Path> extra) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader parent = context != null ? context : IbisFactory.class.getClassLoader();
    if (extra.isEmpty()) {
      return parent;
    }
    URL[] urls =
        extra.stream()
            .map(
                jar -> {
                  try {
                    return jar.toUri().toURL();
                  } catch (MalformedURLException e) {
                    throw new AssertionError("every file has a URL", e);
                  }
                })
            .toArray(URL[]::new);
    return new URLClassLoader("ibis.implementation.path", urls, parent);
  }

  private static List<Path> jars(String path) {
    var jars = new ArrayList<Path>();
    for (String entry : path.split(File.pathSeparator)) {
      if (entry.isEmpty()) {
        continue;
      }
      Path file = Path.of(entry);
      if (Files.isDirectory(file)) {
        try (Stream<Path> inside = Files.list(file)) {
          inside.filter(ImplementationFinder::isJar).sorted().forEach(jars::add);
        } catch (IOException e) {
          LOG.log(Level.WARNING, "cannot look for implementations in '" + file + "'", e);
        }
      } else if (isJar(file) && Files.exists(file)) {
        jars.add(file);
      }
    }
    return jars;
  }

  private static boolean isJar(Path file) {
    return file.toString().endsWith(".jar");
  }

  private static void addFromManifest(List<IbisStarter> found, Path jar, ClassLoader loader) {
    try (var file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      if (manifest == null) {
        return;
      }
      Attributes main = manifest.getMainAttributes();
      String starter = main.getValue("Ibis-Starter-Class");
      String ipl = main.getValue("Ibis-IPL-Version");
      String version = main.getValue("Ibis-Implementation-Version");
      String nickName = main.getValue("Ibis-NickName");
      if (starter != null && ipl != null && version != null && nickName != null) {
        add(found, IbisStarter.createInstance(starter, loader, nickName, ipl, version));
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "cannot look for an implementation in '" + jar + "'", e);
    }
  }

  private static void addServices(List<IbisStarter> found, ClassLoader loader) {
    try {
      for (IbisStarter starter : ServiceLoader.load(IbisStarter.class, loader)) {
        add(found, starter);
      }
    } catch (ServiceConfigurationError e) {
      LOG.log(Level.WARNING, "an implementation of the Ibis Portability Layer is unusable", e);
    }
  }

  private static void add(List<IbisStarter> found, @Nullable IbisStarter starter) {
    if (starter != null
        && starter.getIplVersion().startsWith(VERSION)
        && found.stream().noneMatch(other -> other.getClass() == starter.getClass())) {
      found.add(starter);
    }
  }

  /** Selects an implementation by name, or one with the required capabilities. */
  Choice choose(String specified, IbisCapabilities capabilities, PortType[] types)
      throws IbisCreationFailedException {
    if (specified == null || specified.isBlank()) {
      return new Choice(chooseFitting(capabilities, types), null);
    }
    String[] stack = specified.strip().split("[,;]", 2);
    IbisStarter starter = named(stack[0].strip());
    if (!starter.matches(capabilities, types)) {
      throw new IbisCreationFailedException(
          "implementation '"
              + stack[0].strip()
              + "' cannot do it: "
              + misses(starter, capabilities, types));
    }
    return new Choice(starter, stack.length > 1 ? below(starter, stack[1].strip()) : null);
  }

  /**
   * Returns the stack named below Troupe's implementation; {@code null} if it names only aliases.
   */
  private static @Nullable String below(IbisStarter top, String rest) {
    boolean isOurs = top.getNickName().equals(IbisFactory.DEFAULT_IMPLEMENTATION);
    return rest.isEmpty()
            || isOurs && Arrays.stream(rest.split("[,;]")).allMatch(each -> meansOurs(each.strip()))
        ? null
        : rest;
  }

  private static boolean meansOurs(String name) {
    if (name.startsWith(FORMER_PACKAGE)) {
      String rest = name.substring(FORMER_PACKAGE.length());
      return rest.indexOf('.') > 0 && ALIASES.contains(rest.substring(0, rest.indexOf('.')));
    }
    return ALIASES.contains(name) || name.equals(IbisFactory.DEFAULT_IMPLEMENTATION);
  }

  private IbisStarter named(String name) throws IbisCreationFailedException {
    return withNickName(name)
        .or(() -> ofClass(name))
        .or(
            () ->
                meansOurs(name)
                    ? withNickName(IbisFactory.DEFAULT_IMPLEMENTATION)
                    : Optional.empty())
        .orElseThrow(
            () ->
                new IbisCreationFailedException(
                    "there is no implementation '"
                        + name
                        + "'; the property '"
                        + IbisProperties.IMPLEMENTATION
                        + "' can name: "
                        + names()));
  }

  private Optional<IbisStarter> withNickName(String name) {
    return starters.stream().filter(starter -> starter.getNickName().equals(name)).findFirst();
  }

  /** Returns the starter of a class, whether or not a manifest or service names it. */
  private Optional<IbisStarter> ofClass(String name) {
    return starters.stream()
        .filter(starter -> starter.getClass().getName().equals(name))
        .findFirst()
        .or(
            () ->
                Optional.ofNullable(
                    IbisStarter.createInstance(name, loader, name, VERSION, "unknown")));
  }

  private IbisStarter chooseFitting(IbisCapabilities capabilities, PortType[] types)
      throws IbisCreationFailedException {
    if (starters.isEmpty()) {
      throw new IbisConfigurationException(
          "there is no implementation of the Ibis Portability Layer on the class path; add the jar"
              + " 'troupe-ipl', whole, with its META-INF/services");
    }
    List<IbisStarter> fitting =
        starters.stream().filter(starter -> starter.matches(capabilities, types)).toList();
    if (fitting.size() == 1) {
      return fitting.getFirst();
    }
    if (fitting.isEmpty()) {
      throw new IbisCreationFailedException(
          starters.stream()
              .map(starter -> "'" + starter + "': " + misses(starter, capabilities, types))
              .collect(Collectors.joining("; ", "no implementation can do it: ", "")));
    }
    return fitting.stream()
        .filter(starter -> starter.getNickName().equals(IbisFactory.DEFAULT_IMPLEMENTATION))
        .findFirst()
        .orElseThrow(
            () ->
                new IbisCreationFailedException(
                    "several implementations can do it: "
                        + fitting
                        + "; name one with the property '"
                        + IbisProperties.IMPLEMENTATION
                        + "'"));
  }

  private static String misses(
      IbisStarter starter, IbisCapabilities capabilities, PortType[] types) {
    CapabilitySet unmatched = starter.unmatchedIbisCapabilities(capabilities, types);
    PortType[] ports = starter.unmatchedPortTypes(capabilities, types);
    var misses = new ArrayList<String>();
    if (unmatched.size() > 0) {
      misses.add("it does not have the capabilities '" + unmatched + "'");
    }
    if (ports.length > 0) {
      misses.add("it does not have the port types " + Arrays.toString(ports));
    }
    return String.join(", and ", misses);
  }

  private String names() {
    return starters.isEmpty()
        ? "none, the class path has no implementation"
        : starters.stream().map(IbisStarter::getNickName).collect(Collectors.joining(", "));
  }

  /** Describes the implementations found and the selection. */
  String explain(Choice choice) {
    return "Ibis Portability Layer "
        + VERSION
        + ": implementations found: "
        + starters.stream()
            .map(starter -> starter + " " + starter.getImplementationVersion())
            .collect(Collectors.joining(", "))
        + "; taken: "
        + choice.starter()
        + (choice.below() == null ? "" : " on " + choice.below());
  }
}
