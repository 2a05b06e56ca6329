package ibis.ipl.internal.message;

import java.util.stream.Stream;
import org.troupe.serialization.TypeFilter;

/**
 * The classes permitted in objects from other members: all classes of the program and its
 * libraries, and the platform's value types.
 *
 * <p>The members of a pool share a secret and run the same program, so every class visible to the
 * program is permitted, independent of its jar and class loader. Classes of the platform remain
 * filtered, because decoding some of them is harmful. {@code troupe.serialization.allow} names
 * further classes.
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
   * Modules of the platform's tools, such as the compiler, which share the program's class loader.
   * In a linked image the program's modules and the platform's have one location, too.
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
