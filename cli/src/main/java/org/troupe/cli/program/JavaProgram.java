package org.troupe.cli.program;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A class with a {@code main} that the JVM accepts, to be run in this JVM.
 *
 * <p>Like the JVM, it prefers {@code main(String[])} to {@code main()}, static or not, of the class
 * or its superclasses.
 */
public final class JavaProgram {

  /** The property that deployment reads: the locations of the program's own classes. */
  private static final String APPLICATION = "troupe.application";

  private final Class<?> type;
  private final Method main;

  private JavaProgram(Class<?> type, Method main) {
    this.type = type;
    this.main = main;
  }

  /**
   * Finds a program on the class path.
   *
   * @throws IllegalArgumentException if there is no such class, or it has no {@code main}
   */
  public static JavaProgram of(String mainClass) {
    Class<?> type = ClassPath.load(mainClass);
    return main(type, String[].class)
        .or(() -> main(type))
        .map(main -> new JavaProgram(type, main))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "class '"
                        + mainClass
                        + "' has no method main that could be started; declare"
                        + " 'public static void main(String[] args)'"));
  }

  /** Returns the name of the class. */
  public String mainClass() {
    return type.getName();
  }

  /** Runs it on this thread. */
  public void run(List<String> arguments) throws ProgramException {
    announce();
    try {
      main.setAccessible(true);
      Object target = Modifier.isStatic(main.getModifiers()) ? null : instance();
      if (main.getParameterCount() == 0) {
        main.invoke(target);
      } else {
        main.invoke(target, (Object) arguments.toArray(String[]::new));
      }
    } catch (InvocationTargetException thrown) {
      throw new ProgramException(thrown.getTargetException());
    } catch (ReflectiveOperationException | LinkageError unusable) {
      throw new ProgramException(unusable);
    }
  }

  /**
   * Sets the location of the program's own classes, which nodes allow. Deployment would otherwise
   * use the main class of this JVM, which is that of this command.
   */
  public void announce() {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || !"file".equals(source.getLocation().getProtocol())) {
      return;
    }
    String place = Path.of(URI.create(source.getLocation().toString())).toString();
    System.getProperties()
        .merge(
            APPLICATION,
            place,
            (others, own) ->
                List.of(others.toString().split(File.pathSeparator)).contains(place)
                    ? others
                    : others + File.pathSeparator + own);
  }

  private Object instance() throws ReflectiveOperationException {
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  private static Optional<Method> main(Class<?> type, Class<?>... parameters) {
    return Stream.<Class<?>>iterate(type, Class::getSuperclass)
        .takeWhile(each -> each != null)
        .flatMap(each -> Stream.of(each.getDeclaredMethods()))
        .filter(method -> method.getName().equals("main"))
        .filter(method -> List.of(method.getParameterTypes()).equals(List.of(parameters)))
        .filter(method -> method.getReturnType() == void.class)
        .filter(method -> !Modifier.isPrivate(method.getModifiers()))
        .findFirst();
  }
}
