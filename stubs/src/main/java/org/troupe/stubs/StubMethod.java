package org.troupe.stubs;

import static java.util.stream.Collectors.joining;

import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * One method that a stub passes to its handler.
 *
 * @param index its place in {@link StubClass#methods()}, the same in every JVM that has the same
 *     class file
 * @param name its name
 * @param descriptor its erased parameter and return types, as in the class file
 * @param method the most specific declaration
 */
public record StubMethod(int index, String name, String descriptor, Method method) {

  /** Returns the name and the simple names of the parameter types, such as {@code step(double)}. */
  @Override
  public String toString() {
    return signature(name, method.getParameterTypes());
  }

  static String signature(String name, Class<?>... parameters) {
    return Arrays.stream(parameters)
        .map(Class::getSimpleName)
        .collect(joining(", ", name + "(", ")"));
  }
}
