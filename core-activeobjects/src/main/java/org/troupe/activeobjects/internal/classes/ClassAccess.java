package org.troupe.activeobjects.internal.classes;

import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.troupe.serialization.ClassSource;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.Specialisation;
import org.troupe.serialization.TypeFilter;

/**
 * Which classes may be named by what arrives, and where they are found: here, or else at the node
 * that named them.
 *
 * <p>Allowed are the platform's types for values, and the program's own: every folder on the class
 * path, the archives named in {@code troupe.application}, those of the classes that this JVM itself
 * makes active objects of, what the coordinator announces as such, and the names in {@code
 * troupe.serialization.allow}.
 */
public final class ClassAccess {

  /**
   * What the coordinator says of a code source of the program.
   *
   * @param isOwn whether the program's own classes are in it, rather than those of a library
   */
  public record Announced(boolean isOwn) {}

  private static final String SPECIALISATIONS_OFF = "troupe.serialization.without";

  private final Function<String, Class<?>> encodedClass;
  private final Set<URL> trusted = ConcurrentHashMap.newKeySet();
  private final Set<ClassLoader> loaders =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private final Map<String, WeakReference<Class<?>>> madeActive = new ConcurrentHashMap<>();
  private final CodeSources sources = new CodeSources();
  private final RemoteClasses sent;
  private final TypeFilter filter;

  /**
   * Creates the class access of a node.
   *
   * @param encodedClass finds a class of a name that this node has encoded, or {@code null}
   */
  public ClassAccess(Function<String, Class<?>> encodedClass) {
    this.encodedClass = encodedClass;
    this.sent = new RemoteClasses(this::announced);
    var always =
        TypeFilter.any(
            TypeFilter.platform(),
            TypeFilter.codeSources(ownPlaces()),
            TypeFilter.patterns(
                Stream.concat(
                        Stream.of(
                            "org.troupe.activeobjects.**",
                            "org.troupe.groups.**", // what goes along with a call to members
                            "org.troupe.serialization.Tally", // what nodes tell of themselves
                            "org.troupe.deployment.tree.Branch", // by which launchers start more
                            // nodes
                            "org.troupe.deployment.node.LatencyProbe", // and measure distances
                            SerializationException.class.getName()),
                        CodeSources.listed("troupe.serialization.allow", ","))
                    .toArray(String[]::new)));
    filter =
        new TypeFilter() {
          @Override
          public boolean allows(Class<?> type) {
            var place = place(type);
            return place != null && trusted.contains(place)
                || type.getClassLoader() instanceof CodeSourceLoader loader && loader.isOwn()
                || always.allows(type);
          }

          @Override
          public String describe() {
            return "the program's own classes and the platform's types for values; a library's class"
                + " is allowed by -Dtroupe.serialization.allow=name.of.package.**";
          }
        };
  }

  /** What {@code troupe.serialization.without} switches off, for measuring. */
  public static Set<Specialisation> specialisationsOff() {
    return CodeSources.listed(SPECIALISATIONS_OFF, ",")
        .map(ClassAccess::specialisation)
        .collect(Collectors.toSet());
  }

  private static Specialisation specialisation(String name) {
    return Stream.of(Specialisation.values())
        .filter(each -> each.name().equals(name))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s names '%s'; it can name any of %s, with commas between"
                        .formatted(SPECIALISATIONS_OFF, name, List.of(Specialisation.values()))));
  }

  public TypeFilter filter() {
    return filter;
  }

  /** Notes that the program makes active objects of a class: its neighbours are the program's. */
  public void trust(Class<?> type) {
    var place = place(type);
    if (place != null) {
      trusted.add(place);
    }
    var loader = type.getClassLoader();
    if (loader != null) {
      loaders.add(loader);
      madeActive.put(type.getName(), new WeakReference<>(type));
    }
  }

  /**
   * Finds a class by the name that arrived; may wait for the node that it came from.
   *
   * @param sender that node, or {@code null} if only what is here can be meant
   * @throws IllegalArgumentException if it is not allowed or not there
   */
  public Class<?> find(String name, ClassProvider sender) {
    var type = here(name);
    if (type == null && sender != null) {
      type = sent.from(sender, name);
    }
    if (type == null) {
      throw new IllegalArgumentException(
          "this node has no class "
              + name
              + "; put it on the class path of the launcher, or of the descriptor's jvm element");
    }
    if (!filter.allows(type) && !isPlatformInterface(type)) {
      throw new IllegalArgumentException(
          "class " + name + " is not allowed here; allowed are " + filter.describe());
    }
    return type;
  }

  /** A stub for one is no more than a stub; any other interface has to be of the program. */
  private static boolean isPlatformInterface(Class<?> type) {
    return type.isInterface()
        && type.getName().startsWith("java.")
        && Modifier.isPublic(type.getModifiers());
  }

  /** Returns what gives the classes of another node that are not found by the class loader. */
  public ClassSource from(ClassProvider sender) {
    return name -> {
      var here = here(name);
      return here != null ? here : sent.from(sender, name);
    };
  }

  /** Returns a class without asking any other node, or {@code null}. */
  private Class<?> here(String name) {
    var found = here(name, loader());
    if (found != null) {
      return found;
    }
    // Of classes with one name in several loaders of a program, the latest that it has used.
    var active = madeActive.get(name);
    found = active == null ? null : active.get();
    if (found == null) {
      found = encodedClass.apply(name);
    }
    if (found != null) {
      return found;
    }
    for (var each : List.copyOf(loaders)) {
      found = here(name, each);
      if (found != null) {
        return found;
      }
    }
    return sent.here(name);
  }

  private static Class<?> here(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  // For other nodes

  /**
   * Returns where a class of this node comes from; {@code null} if it has none, or from the JDK.
   */
  public CodeSources.Source sourceOf(String name) {
    var type = here(name);
    if (type == null) {
      return null;
    }
    if (type.getClassLoader() instanceof CodeSourceLoader loader) {
      return loader.source();
    }
    var place = CodeSources.place(type);
    return place == null ? null : sources.at(place);
  }

  /**
   * Returns a part of the archive with a hash, the last one shorter; {@code null} if none has it.
   */
  public byte[] archivePart(String hash, int offset) throws IOException {
    var archive = sent.archive(hash);
    if (archive == null) {
      archive = sources.archive(hash);
    }
    if (archive == null || offset < 0 || offset > archive.length) {
      return null;
    }
    return Arrays.copyOfRange(
        archive, offset, Math.min(archive.length, offset + RemoteClasses.PART_BYTES));
  }

  /** Says whether a source belongs to this JVM's program, and so to that of its grid. */
  public Announced announced(String hash) {
    var own = new LinkedHashSet<Path>(ownPlaces());
    trusted.stream().map(CodeSources::place).filter(Objects::nonNull).forEach(own::add);
    for (var place : own) {
      if (isAt(place, hash)) {
        return new Announced(true);
      }
    }
    for (var place : CodeSources.ofThisProgram()) {
      if (isAt(place, hash)) {
        return new Announced(false);
      }
    }
    return null;
  }

  private boolean isAt(Path place, String hash) {
    var source = sources.at(place);
    return source != null && source.hash().equals(hash);
  }

  static ClassLoader loader() {
    var context = Thread.currentThread().getContextClassLoader();
    return context == null ? ClassLoader.getSystemClassLoader() : context;
  }

  private static URL place(Class<?> type) {
    var source = type.getProtectionDomain().getCodeSource();
    return source == null ? null : source.getLocation();
  }

  private static Set<Path> ownPlaces() {
    var places = ConcurrentHashMap.<Path>newKeySet();
    Stream.of("java.class.path", "jdk.module.path")
        .flatMap(property -> CodeSources.listed(property, File.pathSeparator))
        .map(Path::of)
        .filter(Files::isDirectory)
        .forEach(places::add);
    CodeSources.listed("troupe.application", File.pathSeparator).map(Path::of).forEach(places::add);
    return places;
  }
}
