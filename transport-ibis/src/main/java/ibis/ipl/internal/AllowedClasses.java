package ibis.ipl.internal;

import java.io.File;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.troupe.serialization.TypeFilter;

/**
 * Which classes may be named by the objects that arrive: the platform's for values, IPL's own, and
 * the program's.
 *
 * <p>The program's are those of every folder on its path, of the archives named in {@code
 * troupe.application} and of the places that the classes come from that it gives to IPL: upcalls,
 * handlers, and who made the instance. {@code troupe.serialization.allow} names others.
 */
final class AllowedClasses implements TypeFilter {

  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private final Set<String> trusted = ConcurrentHashMap.newKeySet();
  private final TypeFilter always =
      TypeFilter.any(
          TypeFilter.platform(),
          TypeFilter.codeSources(ownPlaces()),
          TypeFilter.patterns(
              Stream.concat(Stream.of("ibis.ipl.**"), listed("troupe.serialization.allow", ","))
                  .toArray(String[]::new)));

  /** Trusts the class that called into IPL, and its neighbours. */
  void trustCaller() {
    STACK
        .walk(
            frames ->
                frames
                    .<Class<?>>map(StackWalker.StackFrame::getDeclaringClass)
                    .filter(type -> !type.getPackageName().startsWith("ibis.ipl"))
                    .findFirst())
        .ifPresent(this::trust);
  }

  /** Trusts an object's class and its neighbours; {@code null} is nobody's. */
  void trust(Object given) {
    if (given != null) {
      trust(given.getClass());
    }
  }

  private void trust(Class<?> type) {
    String place = place(type);
    if (place != null) {
      trusted.add(place);
    }
  }

  @Override
  public boolean allows(Class<?> type) {
    String place = place(type);
    return place != null && trusted.contains(place) || always.allows(type);
  }

  @Override
  public String describe() {
    return "the program's own classes and the platform's types for values; a library's class is"
        + " allowed by -Dtroupe.serialization.allow=name.of.package.**";
  }

  private static String place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    URL location = source == null ? null : source.getLocation();
    return location == null ? null : location.toExternalForm();
  }

  private static Set<Path> ownPlaces() {
    Set<Path> places = ConcurrentHashMap.newKeySet();
    Stream.of("java.class.path", "jdk.module.path")
        .flatMap(property -> listed(property, File.pathSeparator))
        .map(Path::of)
        .filter(Files::isDirectory)
        .forEach(places::add);
    listed("troupe.application", File.pathSeparator).map(Path::of).forEach(places::add);
    return places;
  }

  private static Stream<String> listed(String property, String separator) {
    return Stream.of(System.getProperty(property, "").split(separator))
        .map(String::strip)
        .filter(each -> !each.isEmpty());
  }
}
