package org.troupe.transport.rmi;

import java.io.ObjectInputFilter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/** The remote interfaces of an exported class, and the filter for their arguments. */
final class RemoteInterfaces {

  private static final int DEEPEST = 1000;
  private static final int LONGEST_ARRAY = 1 << 27;

  /** Packages of the platform whose serializable classes hold values and run no code of others. */
  private static final Set<String> VALUE_PACKAGES =
      Set.of("java.math", "java.time", "java.time.chrono", "java.time.zone");

  private static final Set<String> VALUES =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Double",
          "java.lang.Enum",
          "java.lang.Float",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Number",
          "java.lang.Object", // the element type of arrays in collections
          "java.lang.Record",
          "java.lang.Short",
          "java.lang.String",
          "java.net.URI",
          "java.util.AbstractCollection",
          "java.util.AbstractList",
          "java.util.AbstractMap",
          "java.util.AbstractSet",
          "java.util.ArrayDeque",
          "java.util.ArrayList",
          "java.util.Arrays$ArrayList",
          "java.util.BitSet",
          "java.util.CollSer", // becomes one of the ImmutableCollections
          "java.util.Currency",
          "java.util.Date",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashSet",
          "java.util.LinkedList",
          "java.util.Locale",
          "java.util.Map$Entry", // the element type of arrays in maps
          "java.util.TreeMap",
          "java.util.TreeSet",
          "java.util.UUID");

  private final List<Class<?>> interfaces;
  private final Set<Class<?>> named = new HashSet<>();
  private final Set<CodeSource> sources = new HashSet<>();

  private RemoteInterfaces(List<Class<?>> interfaces) {
    this.interfaces = interfaces;
    for (var type : interfaces) {
      var source = type.getProtectionDomain().getCodeSource();
      if (source != null) {
        sources.add(source);
      }
      for (var method : type.getMethods()) {
        Arrays.stream(method.getParameterTypes())
            .map(RemoteInterfaces::element)
            .forEach(named::add);
      }
    }
  }

  /**
   * Returns the interfaces of a class that extend {@link Remote}.
   *
   * @throws IllegalArgumentException if the class has none, or RMI cannot export them; the message
   *     lists every reason
   */
  static RemoteInterfaces of(Class<?> type) {
    var interfaces = new LinkedHashSet<Class<?>>();
    collect(type, interfaces);
    var problems = new ArrayList<String>();
    if (interfaces.isEmpty()) {
      problems.add(
          "it implements no interface that extends java.rmi.Remote; write one with the methods that"
              + " foreign programs may call");
    }
    for (var each : interfaces) {
      for (var method : each.getMethods()) {
        check(each, method, problems);
      }
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          type.getName() + " cannot be exported:\n  - " + String.join("\n  - ", problems));
    }
    return new RemoteInterfaces(List.copyOf(interfaces));
  }

  private static void collect(Class<?> type, Set<Class<?>> interfaces) {
    if (type == null) {
      return;
    }
    if (type.isInterface() && type != Remote.class && Remote.class.isAssignableFrom(type)) {
      interfaces.add(type);
    }
    for (var each : type.getInterfaces()) {
      collect(each, interfaces);
    }
    collect(type.getSuperclass(), interfaces);
  }

  private static void check(Class<?> type, Method method, List<String> problems) {
    var label = "method '" + method.getName() + "' of " + type.getName();
    if (Arrays.stream(method.getExceptionTypes())
        .noneMatch(thrown -> thrown.isAssignableFrom(RemoteException.class))) {
      problems.add(label + " does not declare RemoteException, which RMI requires; add it");
    }
    if (CompletionStage.class.isAssignableFrom(method.getReturnType())
        || Future.class.isAssignableFrom(method.getReturnType())) {
      problems.add(label + " returns a future, which plain RMI cannot serialize; return its value");
    }
  }

  /** Returns a proxy with these interfaces that forwards calls to {@code calls}. */
  Remote implementedBy(InvocationHandler calls) {
    return (Remote)
        Proxy.newProxyInstance(
            interfaces.getFirst().getClassLoader(), interfaces.toArray(Class<?>[]::new), calls);
  }

  /** Returns a filter that allows the argument types of these interfaces and rejects all others. */
  ObjectInputFilter filter() {
    return info ->
        info.depth() <= DEEPEST
                && info.arrayLength() <= LONGEST_ARRAY
                && (info.serialClass() == null || isLetIn(element(info.serialClass())))
            ? ObjectInputFilter.Status.ALLOWED
            : ObjectInputFilter.Status.REJECTED;
  }

  private boolean isLetIn(Class<?> type) {
    return type.isPrimitive()
        || named.contains(type) && !Proxy.isProxyClass(type)
        || VALUES.contains(type.getName())
        || type.getNestHost().getName().equals("java.util.ImmutableCollections")
        || VALUE_PACKAGES.contains(type.getPackageName())
        || comesWithTheInterfaces(type);
  }

  private boolean comesWithTheInterfaces(Class<?> type) {
    var source = type.getProtectionDomain().getCodeSource();
    return source != null && sources.contains(source);
  }

  private static Class<?> element(Class<?> type) {
    return type.isArray() ? element(type.getComponentType()) : type;
  }
}
