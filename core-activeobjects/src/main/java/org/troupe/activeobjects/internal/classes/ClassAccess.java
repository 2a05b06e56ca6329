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
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.ProgramClassPath;
import org.troupe.serialization.ClassSource;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.Specialisation;
import org.troupe.serialization.TypeFilter;

/**
 * Decides which classes an arriving frame may name, and finds them: on this node, or else at the
 * node that sent the name.
 *
 * <p>The platform's value types are allowed, and so are the program's own classes: those in every
 * folder on the class path, in the archives named in {@code troupe.application}, in the archives of
 * the classes that this JVM itself makes active objects of, in the archives that the coordinator
 * announces as part of the program, and those named in {@code troupe.serialization.allow}.
 */
public final class ClassAccess {

  /**
   * The coordinator's statement about a code source of the program.
   *
   * @param isOwn whether the source contains the program's own classes rather than those of a
   *     library
   */
  public record Announced(boolean isOwn) {}

  private static final String SPECIALISATIONS_OFF = "troupe.serialization.without";

  /** The package that the JDK's shell puts typed classes into. */
  private static final String SHELL_PACKAGE = "REPL.";

  /** Those of the JVM: the nodes in it load their classes from the same places. */
  private static final CodeSources SOURCES = new CodeSources();

  /** The places of the classes that nodes of the JVM make active objects of. */
  private static final Set<URL> TRUSTED = ConcurrentHashMap.newKeySet();

  private final Function<String, @Nullable Class<?>> encodedClass;
  private final Set<ClassLoader> loaders =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private final Map<String, WeakReference<Class<?>>> madeActive = new ConcurrentHashMap<>();
  private final RemoteClasses sent;
  private final TypeFilter filter;

  /**
   * Creates the class access of a node.
   *
   * @param encodedClass finds a class by its name among the classes that this node has encoded;
   *     returns {@code null} if there is none
   * @param fetched is told, in words, of each archive that was fetched from another node
   */
  public ClassAccess(Function<String, @Nullable Class<?>> encodedClass, Consumer<String> fetched) {
    this.encodedClass = encodedClass;
    this.sent =
        new RemoteClasses(
            this::announced,
            (source, sender) ->
                fetched.accept(
                    "'%s' (SHA-256 %s...) from node '%s'"
                        .formatted(
                            source.name(), source.hash().substring(0, 12), sender.id().name())));
    var always =
        TypeFilter.any(
            TypeFilter.platform(),
            TypeFilter.codeSources(ownPlaces()),
            TypeFilter.patterns(
                Stream.concat(
                        Stream.of(
                            "org.troupe.activeobjects.**",
                            "org.troupe.groups.**", // the arguments of group calls that are sent to
                            // members
                            "org.troupe.replicas.**", // the messages of replicated objects
                            "org.troupe.mpj.launch.*", // the ranks of a program
                            "org.troupe.mpj.matching.RankAttachment",
                            "org.troupe.store.**", // stores travel with the options of objects
                            "org.troupe.tasks.**", // code that travels with a task
                            "org.troupe.skeletons.**",
                            "org.troupe.serialization.SerializationCounts", // measurements that
                            // nodes report
                            "org.troupe.deployment.tree.Branch", // by which launchers start further
                            // nodes
                            "org.troupe.deployment.node.LatencyProbe", // for measuring latencies
                            "org.troupe.deployment.node.NodeUpkeep", // for requests of users to
                            // JVMs
                            SerializationException.class.getName()),
                        CodeSources.listed("troupe.serialization.allow", ","))
                    .toArray(String[]::new)));
    filter =
        new TypeFilter() {
          @Override
          public boolean allows(Class<?> type) {
            var place = place(type);
            return place != null && TRUSTED.contains(place)
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

  /**
   * Returns the specialisations that {@code troupe.serialization.without} switches off, for
   * measurements.
   */
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

  /**
   * Records that the program makes active objects of a class: the other classes of its archive are
   * then the program's, too, for all nodes of this JVM. A node of {@code LocalNodes} is asked for
   * an object of a class that it has itself, so it cannot know in another way.
   */
  public void trust(Class<?> type) {
    var place = place(type);
    if (place != null) {
      TRUSTED.add(place);
    }
    var loader = type.getClassLoader();
    if (loader != null) {
      loaders.add(loader);
      madeActive.put(type.getName(), new WeakReference<>(type));
    }
  }

  /**
   * Finds a class by a name that has arrived; may wait for the node that sent it.
   *
   * @param sender that node, or {@code null} to search this node only
   * @throws IllegalArgumentException if the class is not allowed or not found
   */
  public Class<?> find(String name, @Nullable ClassProvider sender) {
    var type = here(name);
    if (type == null && sender != null) {
      type = sent.from(sender, name);
    }
    if (type == null) {
      throw new IllegalArgumentException("this node has no class " + name + "; " + remedy(name));
    }
    if (!isPlatformInterface(type) && !filter.allows(type)) { // the filter looks through a list
      throw new IllegalArgumentException(
          "class " + name + " is not allowed here; allowed are " + filter.describe());
    }
    return type;
  }

  private static String remedy(String missing) {
    return missing.startsWith(SHELL_PACKAGE)
        ? "it was typed into the JDK's shell, and exists in the shell's JVM only; use nodes of that JVM,"
            + " such as LocalNodes.start(2), or compile it into a jar on the shell's class path"
        : "put it on the class path of the launcher, or of the descriptor's jvm element";
  }

  /**
   * Returns whether a type is an interface of the platform. A stub for such an interface can do no
   * more than any stub; any other interface must belong to the program.
   */
  private static boolean isPlatformInterface(Class<?> type) {
    return type.isInterface()
        && type.getName().startsWith("java.")
        && Modifier.isPublic(type.getModifiers());
  }

  /** Returns a source for classes of another node that the class loader does not find. */
  public ClassSource from(ClassProvider sender) {
    return name -> {
      var here = here(name);
      return here != null ? here : sent.from(sender, name);
    };
  }

  /** Returns a source for classes of this node that the class loader does not find. */
  public ClassSource known() {
    return this::here;
  }

  /** Returns a class without asking another node; {@code null} if it is not found. */
  private @Nullable Class<?> here(String name) {
    var found = here(name, loader());
    if (found != null) {
      return found;
    }
    // Several class loaders of a program may define classes of one name: the most recently used
    // wins.
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

  private static @Nullable Class<?> here(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  // For other nodes

  /**
   * Returns the code source of a class of this node; {@code null} if it has none or belongs to the
   * JDK.
   *
   * @throws IllegalArgumentException if the class is in memory only
   */
  public CodeSources.@Nullable Source sourceOf(String name) {
    var type = here(name);
    if (type == null) {
      return null;
    }
    if (type.getClassLoader() instanceof CodeSourceLoader loader) {
      return loader.source();
    }
    var place = ProgramClassPath.location(type);
    place
        .filter(each -> each.toString().endsWith(".java"))
        .ifPresent(ClassAccess::refuseSourceFile);
    return place.map(SOURCES::at).orElse(null);
  }

  /** The place of classes that {@code java} has compiled in memory is the file of their source. */
  private static void refuseSourceFile(Path file) {
    throw new IllegalArgumentException(
        "'java' has compiled it in memory, from '%s', and other JVMs load classes from files; compile the program by 'javac -d FOLDER' and put FOLDER on its class path"
            .formatted(file.getFileName()));
  }

  /**
   * Returns a part of the archive with a hash, the last one shorter; {@code null} if this node does
   * not have the archive.
   */
  public byte @Nullable [] archivePart(String hash, int offset) throws IOException {
    var archive = sent.archive(hash);
    if (archive == null) {
      archive = SOURCES.archive(hash);
    }
    if (archive == null || offset < 0 || offset > archive.length) {
      return null;
    }
    return Arrays.copyOfRange(
        archive, offset, Math.min(archive.length, offset + RemoteClasses.PART_BYTES));
  }

  /**
   * Returns the announcement of a source that belongs to this JVM's program, and so to the program
   * of its grid; {@code null} for other sources.
   */
  public @Nullable Announced announced(String hash) {
    var own = new LinkedHashSet<Path>(ownPlaces());
    TRUSTED.stream().map(ProgramClassPath::location).flatMap(Optional::stream).forEach(own::add);
    for (var place : own) {
      if (isAt(place, hash)) {
        return new Announced(true);
      }
    }
    for (var place : ProgramClassPath.entries()) {
      if (isAt(place, hash)) {
        return new Announced(false);
      }
    }
    return null;
  }

  private boolean isAt(Path place, String hash) {
    var source = SOURCES.at(place);
    return source != null && source.hash().equals(hash);
  }

  static ClassLoader loader() {
    var context = Thread.currentThread().getContextClassLoader();
    return context == null ? ClassLoader.getSystemClassLoader() : context;
  }

  private static @Nullable URL place(Class<?> type) {
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
