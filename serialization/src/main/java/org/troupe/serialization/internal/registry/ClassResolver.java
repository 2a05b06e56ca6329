package org.troupe.serialization.internal.registry;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.ClassSource;
import org.troupe.serialization.TypeFilter;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.codecs.DescribedCodec;
import org.troupe.serialization.internal.codecs.PlatformCodecs;
import org.troupe.serialization.internal.coder.Codec;

/** Finds classes for the names that a sender uses, within a filter. */
public final class ClassResolver {

  private static final int DIMENSIONS = 255;

  private final ClassLoader loader;
  private final @Nullable TypeFilter filter;
  private final ClassSource source;

  /**
   * Creates a resolver.
   *
   * @param filter what is allowed, or null if the names come from this JVM itself
   * @param source gives the sender's classes that the loader does not find
   */
  public ClassResolver(ClassLoader loader, @Nullable TypeFilter filter, ClassSource source) {
    this.loader = loader;
    this.filter = filter;
    this.source = source;
  }

  /** Returns the class loader that is searched. */
  public ClassLoader loader() {
    return loader;
  }

  /**
   * Returns the codec for a sender's definition; throws {@link CodecFailure}.
   *
   * @param asJava whether superclasses that are not Serializable stay behind
   */
  public Codec codec(byte[] definition, boolean asJava) {
    ClassLayout layout = ClassLayout.decode(definition);
    if (layout.kind() == ClassLayout.Kind.DESCRIBED) {
      return described(layout.className());
    }
    if (layout.kind() == ClassLayout.Kind.PROXY) {
      return CodecRegistry.reader(proxyClass(layout.constants()), layout, asJava);
    }
    return CodecRegistry.reader(named(layout.className()), layout, asJava);
  }

  private static Codec described(String name) {
    Codec codec = DescribedCodec.named(name);
    if (codec == null) {
      throw new CodecFailure(
          "no platform type '%s' is described here; sender and receiver must run the same release"
              .formatted(name));
    }
    return codec;
  }

  /** Returns the class of proxies for interfaces that are all allowed. */
  Class<?> proxyClass(List<String> names) {
    Class<?>[] interfaces = names.stream().map(this::proxied).toArray(Class<?>[]::new);
    return Proxy.newProxyInstance(loader, interfaces, (proxy, method, arguments) -> null)
        .getClass();
  }

  /**
   * Returns an interface of a proxy. Platform interfaces need no permission, as the proxy's
   * behaviour is that of its handler, which does.
   */
  private Class<?> proxied(String name) {
    if (!name.startsWith("java.")) {
      return named(name);
    }
    Class<?> type = load(name, name);
    if (!type.isInterface() || !Modifier.isPublic(type.getModifiers())) {
      throw notAllowed(name);
    }
    return type;
  }

  /**
   * Returns a class that is sent as a value; platform classes are harmless and need no permission.
   */
  public Class<?> classValue(String name) {
    Class<?> primitive = Class.forPrimitiveName(name);
    if (primitive != null) {
      return primitive;
    }
    String element = elementName(name);
    return element == null || element.startsWith("java.") ? load(name, element) : named(name);
  }

  /** Returns a class that a java.io stream names, which names superclasses and primitives too. */
  Class<?> streamed(String name) {
    Class<?> primitive = Class.forPrimitiveName(name);
    if (primitive != null) {
      return primitive;
    }
    if (name.startsWith("java.")) {
      Class<?> type = load(name, name);
      if (Modifier.isAbstract(type.getModifiers()) && ClassKinds.isPlatform(type)) {
        return type;
      }
    }
    return named(name);
  }

  /** Returns a class whose objects are encoded. */
  Class<?> named(String name) {
    String element = elementName(name);
    // An array of a platform type holds nothing that is not checked itself.
    boolean platformArray = name.startsWith("[") && element != null && element.startsWith("java.");
    if (element == null || filter == null || platformArray) {
      return load(name, element);
    }
    if (!PlatformCodecs.isListed(element) && !filter.allowsName(element)) {
      throw notAllowed(element);
    }
    Class<?> type = load(name, element);
    Class<?> elementType = type;
    while (elementType.isArray()) {
      elementType = elementType.getComponentType();
    }
    if (PlatformCodecs.codec(elementType) == null && !filter.allows(elementType)) {
      throw notAllowed(element);
    }
    return type;
  }

  private CodecFailure notAllowed(String name) {
    return new CodecFailure(
        "type '%s' is not allowed here, only %s; add it to the allow-list if it may come from others"
            .formatted(name, Objects.requireNonNull(filter, "something is refused").describe()));
  }

  private Class<?> load(String name, @Nullable String element) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      Class<?> sent = element == null ? null : source.classNamed(element);
      if (sent != null) {
        for (int dimension = name.lastIndexOf('[') + 1; dimension > 0; dimension--) {
          sent = sent.arrayType();
        }
        return sent;
      }
      throw new CodecFailure(
          "class '%s' is not known here; put it on the class path of this JVM too"
              .formatted(element == null ? name : element),
          e);
    }
  }

  /** Returns the name of an array's elements, the name itself, or null for arrays of primitives. */
  private static @Nullable String elementName(String name) {
    int dimensions = 0;
    while (dimensions < name.length() && name.charAt(dimensions) == '[') {
      dimensions++;
    }
    if (dimensions == 0) {
      return name;
    }
    if (dimensions <= DIMENSIONS && name.length() == dimensions + 1) {
      return null;
    }
    if (dimensions > DIMENSIONS || name.charAt(dimensions) != 'L' || !name.endsWith(";")) {
      throw new CodecFailure(
          "'%s' is not the name of a type; the bytes are damaged".formatted(name));
    }
    return name.substring(dimensions + 1, name.length() - 1);
  }
}
