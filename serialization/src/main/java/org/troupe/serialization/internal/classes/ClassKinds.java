package org.troupe.serialization.internal.classes;

/** Distinguishes the classes of the platform, of lambdas and of programs. */
public final class ClassKinds {

  private ClassKinds() {}

  /** Returns whether a class belongs to the platform: the boot or the platform class loader. */
  public static boolean isPlatform(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }

  /** Returns whether the JVM made a class for a lambda or a method reference. */
  public static boolean isLambda(Class<?> type) {
    return type.isHidden() && type.getSimpleName().contains("$$Lambda");
  }

  /** Returns the name of a class for messages, as a program writes it. */
  public static String displayName(Class<?> type) {
    if (isLambda(type)) {
      String name = type.getName();
      return "lambda of " + name.substring(name.lastIndexOf('.') + 1, name.indexOf("$$Lambda"));
    }
    String simple = type.getSimpleName();
    return simple.isEmpty() ? type.getName() : simple;
  }
}
