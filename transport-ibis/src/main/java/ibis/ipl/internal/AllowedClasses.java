package ibis.ipl.internal;

import java.net.URL;
import java.security.CodeSource;
import java.util.stream.Stream;
import org.troupe.serialization.TypeFilter;

/**
 * The types that objects from other members may have: each class of the program and its libraries,
 * and the platform's types for values.
 *
 * <p>The members of a pool share a secret, and run the same program. So any class that the program
 * could name itself is allowed, whatever jar or class loader it comes from. The platform's own
 * classes keep their filter: among them are those that do harm when they are decoded. {@code
 * troupe.serialization.allow} names others.
 */
final class AllowedClasses implements TypeFilter {

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  private final TypeFilter platform =
      TypeFilter.any(
          TypeFilter.platform(),
          TypeFilter.patterns(
              Stream.of(System.getProperty("troupe.serialization.allow", "").split(","))
                  .map(String::strip)
                  .filter(each -> !each.isEmpty())
                  .toArray(String[]::new)));

  @Override
  public boolean allows(Class<?> type) {
    return !isPlatform(type) || platform.allows(type);
  }

  /** Tools of the platform, such as the compiler, have the same loader as the program. */
  private static boolean isPlatform(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    if (loader == null || loader == PLATFORM) {
      return true;
    }
    CodeSource source = type.getProtectionDomain().getCodeSource();
    URL place = source == null ? null : source.getLocation();
    return place != null && place.getProtocol().equals("jrt");
  }

  @Override
  public String describe() {
    return "the program's classes, those of its libraries, and the platform's types for values;"
        + " another type of the platform is allowed by"
        + " -Dtroupe.serialization.allow=name.of.package.**";
  }
}
