package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.troupe.cli.Modules.Module;

/**
 * The public API of the libraries against {@code public-api.txt}, so that a change of it is seen in
 * review: the public classes of all packages that are exported to everyone, with their public and
 * protected members. {@code mvn test -pl cli -am -Dtest=PublicApiTest -Dtroupe.api=write} writes
 * the file anew.
 */
class PublicApiTest {

  private static final Path API =
      Modules.checkout().resolve("cli/src/test/resources/org/troupe/cli/public-api.txt");

  @Test
  void isAsReviewed() throws IOException {
    List<String> api = new ArrayList<>();
    for (Module module : Modules.read()) {
      Set<String> exported =
          module.descriptor().exports().stream()
              .filter(export -> !export.isQualified())
              .map(Exports::source)
              .collect(Collectors.toSet());
      Modules.classes(module).stream()
          .map(model -> model.thisClass().asInternalName().replace('/', '.'))
          .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
          .sorted()
          .map(PublicApiTest::load)
          .filter(PublicApiTest::isVisible)
          .forEach(type -> describe(type, api));
    }

    if ("write".equals(System.getProperty("troupe.api"))) {
      Files.write(API, api);
    }
    assertThat(api)
        .as("public API; if the change is meant, write %s anew with -Dtroupe.api=write", API)
        .isEqualTo(Files.readAllLines(API));
  }

  private static void describe(Class<?> type, List<String> api) {
    api.add(type.toGenericString() + supertypes(type));
    Stream.of(type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
        .<AccessibleObject>flatMap(Arrays::stream)
        .filter(PublicApiTest::isVisible)
        .map(member -> "  " + text(member).replace(type.getName() + ".", ""))
        .sorted()
        .forEach(api::add);
  }

  private static String supertypes(Class<?> type) {
    List<String> supertypes = new ArrayList<>();
    if (type.getGenericSuperclass() != null && type.getSuperclass() != Object.class) {
      supertypes.add(type.getGenericSuperclass().getTypeName());
    }
    Arrays.stream(type.getGenericInterfaces()).forEach(each -> supertypes.add(each.getTypeName()));
    return supertypes.isEmpty() ? "" : " : " + String.join(", ", supertypes);
  }

  private static String text(AccessibleObject member) {
    return switch (member) {
      case Field field -> field.toGenericString();
      case Constructor<?> constructor -> constructor.toGenericString();
      case Method method -> method.toGenericString();
      default -> throw new AssertionError(member);
    };
  }

  private static boolean isVisible(AccessibleObject object) {
    Member member = (Member) object;
    return isVisible(member.getModifiers())
        && !member.isSynthetic()
        && !(member instanceof Executable executable && executable.isSynthetic());
  }

  private static boolean isVisible(Class<?> type) {
    return isVisible(type.getModifiers())
        && !type.isSynthetic()
        && (type.getEnclosingClass() == null || isVisible(type.getEnclosingClass()));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, PublicApiTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
