package org.troupe.stubs;

import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods that a stub of a type overrides, and those that it should but cannot. */
final class MethodTable {

  /*
   * The virtual machine overrides by name and erased descriptor, so that is the key; the lowest
   * class wins, then the most specific interface. A compiler's bridge only casts and calls another
   * key of `this`, so it stays as it is (its body reaches the stub's override) and gets no entry:
   * its result type would be less exact. The other kind of bridge, which calls super, is a method
   * like any.
   */

  private record Key(String name, String descriptor) implements Comparable<Key> {
    Key(Method method) {
      this(method.getName(), descriptorOf(method));
    }

    // Those of a record would be generated at run time, in the start of every JVM.

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && name.equals(key.name) && descriptor.equals(key.descriptor);
    }

    @Override
    public int hashCode() {
      return 31 * name.hashCode() + descriptor.hashCode();
    }

    @Override
    public int compareTo(Key other) {
      var names = name.compareTo(other.name);
      return names != 0 ? names : descriptor.compareTo(other.descriptor);
    }
  }

  private static final Key FINALIZE = new Key("finalize", "()V");

  private final Class<?> type;
  private final DefinitionSite home;
  private final Map<Key, Method> found = new HashMap<>();

  /** The lowest declarations that stand in the source: a copied bridge says less than they do. */
  private final Map<Key, Method> written = new HashMap<>();

  private final List<Method> finals = new ArrayList<>();
  private final List<Method> outOfReach = new ArrayList<>();
  private boolean finalizer;

  MethodTable(Class<?> type, DefinitionSite home) {
    this.type = type;
    this.home = home;
    superclasses(type).forEach(this::addMethodsOf);
    interfaces(type).forEach(this::addMethodsOfInterface);
    for (Method method : Object.class.getDeclaredMethods()) {
      switch (method.getName()) {
        case "equals", "hashCode", "toString" -> found.putIfAbsent(new Key(method), method);
        default -> {} // final, or not for the handler
      }
    }
  }

  /** Returns the overridden methods in the order of their indices. */
  List<StubMethod> methods(ClassFileCache files) {
    var keys = found.keySet().stream().filter(k -> !isPlainBridge(k, files)).sorted().toList();
    var methods = new ArrayList<StubMethod>();
    for (Key key : keys) {
      methods.add(new StubMethod(methods.size(), key.name(), key.descriptor(), mostSpecific(key)));
    }
    return List.copyOf(methods);
  }

  private Method mostSpecific(Key key) {
    Method method = Objects.requireNonNull(found.get(key), "the key is one of the table");
    return method.isBridge() ? written.getOrDefault(key, method) : method;
  }

  /** Returns the final methods, which a call on a stub would run. */
  List<Method> finals() {
    return finals;
  }

  /** Returns the package-private methods of other packages, which a call there would run. */
  List<Method> outOfReach() {
    return outOfReach;
  }

  /** Returns whether the type has a finalizer, which must not run on a stub. */
  boolean hasFinalizer() {
    return finalizer;
  }

  static String descriptorOf(Method method) {
    return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
        .toMethodDescriptorString();
  }

  /** Returns a class and its superclasses, without {@code Object}; nothing for an interface. */
  static List<Class<?>> superclasses(Class<?> type) {
    var classes = new ArrayList<Class<?>>();
    for (Class<?> c = type; c != null && c != Object.class && !c.isInterface(); ) {
      classes.add(c);
      c = c.getSuperclass();
    }
    return classes;
  }

  /** Returns all interfaces of a type, including itself if it is one. */
  static Set<Class<?>> interfaces(Class<?> type) {
    var all = new LinkedHashSet<Class<?>>();
    addInterfaces(type, all);
    return all;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> all) {
    if (type == null || type.isInterface() && !all.add(type)) {
      return;
    }
    for (Class<?> parent : type.getInterfaces()) {
      addInterfaces(parent, all);
    }
    addInterfaces(type.getSuperclass(), all);
  }

  private void addMethodsOf(Class<?> c) {
    for (Method method : declared(c)) {
      int flags = method.getModifiers();
      if (Modifier.isStatic(flags) || Modifier.isPrivate(flags)) {
        continue;
      }
      var key = new Key(method);
      if (Modifier.isFinal(flags)) {
        finals.add(method);
      } else if (key.equals(FINALIZE)) {
        finalizer = true;
      } else if (!isPackagePrivate(method) || home.sharesPackageWith(c)) {
        found.putIfAbsent(key, method);
        if (!method.isBridge()) {
          written.putIfAbsent(key, method);
        }
      } else if (!isOverriddenInItsPackage(method, key)) {
        outOfReach.add(method);
      }
    }
  }

  /** In a fixed order: reflection has none, and people compare error messages. */
  private static List<Method> declared(Class<?> c) {
    return Arrays.stream(c.getDeclaredMethods())
        .sorted((one, other) -> new Key(one).compareTo(new Key(other)))
        .toList();
  }

  private boolean isOverriddenInItsPackage(Method method, Key key) {
    for (Class<?> c : superclasses(type)) {
      if (c == method.getDeclaringClass()) {
        return false;
      }
      if (DefinitionSite.samePackage(c, method.getDeclaringClass())) {
        for (Method candidate : c.getDeclaredMethods()) {
          int flags = candidate.getModifiers();
          if (new Key(candidate).equals(key)
              && (Modifier.isPublic(flags) || Modifier.isProtected(flags))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private void addMethodsOfInterface(Class<?> c) {
    for (Method method : c.getDeclaredMethods()) {
      int flags = method.getModifiers();
      if (!Modifier.isStatic(flags) && !Modifier.isPrivate(flags)) {
        found.merge(new Key(method), method, MethodTable::moreSpecific);
      }
    }
  }

  private static Method moreSpecific(Method a, Method b) {
    Class<?> ofA = a.getDeclaringClass();
    Class<?> ofB = b.getDeclaringClass();
    if (!ofA.isInterface() || ofB.isAssignableFrom(ofA)) {
      return a;
    }
    if (ofA.isAssignableFrom(ofB)) {
      return b;
    }
    return ofA.getName().compareTo(ofB.getName()) <= 0 ? a : b;
  }

  private boolean isPlainBridge(Key key, ClassFileCache files) {
    var seen = new LinkedHashSet<Key>();
    Key current = key;
    while (seen.add(current)) {
      Method method = found.get(current);
      if (method == null) {
        return false;
      }
      if (!method.isBridge()) {
        return current != key;
      }
      Optional<String> target = BridgeMethods.target(method, current.descriptor(), files);
      if (target.isEmpty()) {
        return false;
      }
      current = new Key(current.name(), target.get());
    }
    return false;
  }

  private static boolean isPackagePrivate(Method method) {
    return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0;
  }

  static MethodTypeDesc typeOf(StubMethod method) {
    return MethodTypeDesc.ofDescriptor(method.descriptor());
  }
}
