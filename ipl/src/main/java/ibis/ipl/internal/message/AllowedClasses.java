package ibis.ipl.internal.message;

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
public final class AllowedClasses implements TypeFilter {

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

  /**
   * Tools of the platform, such as the compiler, have the same loader as the program, and in a
   * linked image the program's own modules are in the same place as the platform's.
   */
  private static boolean isPlatform(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    if (loader == null || loader == PLATFORM) {
      return true;
    }
    String module = type.getModule().getName();
    return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
  }

  @Override
  public String describe() {
    return "the program's classes, those of its libraries, and the platform's types for values;"
        + " another type of the platform is allowed by"
        + " -Dtroupe.serialization.allow=name.of.package.**";
  }
}
