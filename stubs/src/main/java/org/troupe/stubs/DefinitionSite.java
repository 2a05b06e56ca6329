package org.troupe.stubs;

import java.lang.invoke.MethodHandles.Lookup;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * The package and class loader in which a generated class is defined, and its access from there.
 */
sealed interface DefinitionSite {

  /** Returns whether code here can name a class. */
  boolean canAccess(Class<?> c);

  /** Returns whether code here can override a package-private method of a class. */
  boolean sharesPackageWith(Class<?> c);

  /** Defines a class here; {@code name} is the binary name that {@link #nameFor} gave. */
  Class<?> define(byte[] classFile);

  /** Returns the binary name of a class to define here. */
  String nameFor(Class<?> type, String suffix);

  /** Returns the module that code here belongs to. */
  Module module();

  /** Returns a lookup with the access of the type's own package, {@code null} if there is none. */
  @Nullable Lookup lookup();

  /** In the type's own package and loader, with access to all non-private members. */
  record Inside(Class<?> type, Lookup lookup) implements DefinitionSite {

    @Override
    public boolean canAccess(Class<?> c) {
      Class<?> named = elementType(c);
      return named.isPrimitive()
          || sharesPackageWith(named)
          || isPublic(named) && ModuleAccess.canUse(type.getModule(), named);
    }

    @Override
    public boolean sharesPackageWith(Class<?> c) {
      return samePackage(type, c);
    }

    @Override
    public Module module() {
      return type.getModule();
    }

    @Override
    public Class<?> define(byte[] classFile) {
      try {
        return lookup.defineClass(classFile);
      } catch (IllegalAccessException e) {
        throw new AssertionError("a full lookup may define classes", e);
      }
    }

    @Override
    public String nameFor(Class<?> type, String suffix) {
      return type.getName() + suffix;
    }
  }

  /**
   * In a class loader of this library, with access to public types: for types whose loader cannot
   * see this library.
   */
  record Outside(StubLoader loader, @Nullable Lookup lookup) implements DefinitionSite {

    @Override
    public boolean canAccess(Class<?> c) {
      Class<?> named = elementType(c);
      return named.isPrimitive()
          || isPublic(named) && ModuleAccess.canUse(loader.getUnnamedModule(), named);
    }

    @Override
    public boolean sharesPackageWith(Class<?> c) {
      return false;
    }

    @Override
    public Module module() {
      return loader.getUnnamedModule();
    }

    @Override
    public Class<?> define(byte[] classFile) {
      return loader.define(classFile);
    }

    @Override
    public String nameFor(Class<?> type, String suffix) {
      return "troupe.stubs." + type.getName() + suffix;
    }
  }

  /** Nowhere: the module of the type keeps its package closed. */
  record Closed() implements DefinitionSite {

    @Override
    public boolean canAccess(Class<?> c) {
      return true; // one problem is enough
    }

    @Override
    public boolean sharesPackageWith(Class<?> c) {
      return true;
    }

    @Override
    public Module module() {
      throw new IllegalStateException("a closed package takes no class");
    }

    @Override
    public Class<?> define(byte[] classFile) {
      throw new IllegalStateException("a closed package takes no class");
    }

    @Override
    public String nameFor(Class<?> type, String suffix) {
      throw new IllegalStateException("a closed package takes no class");
    }

    @Override
    public @Nullable Lookup lookup() {
      return null;
    }
  }

  /** Finds the definition site for the stub class of a type and a kind of handler. */
  static DefinitionSite of(Class<?> type, Class<? extends CallHandler> kind) {
    Lookup lookup = ModuleAccess.lookupIn(type);
    ClassLoader loader = type.getClassLoader();
    if (lookup != null && sees(loader, Stub.class) && sees(loader, kind)) {
      return new Inside(type, lookup);
    }
    boolean foreign = !sees(loader, Stub.class) || !sees(loader, kind);
    if (foreign || type.isInterface() && isPublic(type) && ModuleAccess.isExported(type)) {
      return new Outside(new StubLoader(type, kind), lookup);
    }
    return new Closed();
  }

  /** Returns whether a loader ({@code null}: the JDK's first one) finds this very class. */
  static boolean sees(@Nullable ClassLoader loader, Class<?> c) {
    try {
      return Class.forName(c.getName(), false, loader) == c;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Returns whether a class is public for the virtual machine, which knows no nested classes. */
  static boolean isPublic(Class<?> c) {
    int flags = c.getModifiers();
    return Modifier.isPublic(flags) || c.isMemberClass() && Modifier.isProtected(flags);
  }

  static boolean samePackage(Class<?> a, Class<?> b) {
    return a.getClassLoader() == b.getClassLoader()
        && a.getPackageName().equals(b.getPackageName());
  }

  private static Class<?> elementType(Class<?> c) {
    Class<?> element = c;
    while (element.isArray()) {
      element = element.componentType();
    }
    return element;
  }
}
