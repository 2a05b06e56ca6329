package org.troupe.stubs;

import java.util.Map;

/** Holds one generated class whose type and handler have no loader in common. */
final class StubLoader extends ClassLoader {

  private final ClassLoader typeLoader;
  private final ClassLoader kindLoader;
  private final Map<String, Class<?>> ours;

  StubLoader(Class<?> type, Class<? extends CallHandler> kind) {
    super("troupe-stubs", null);
    this.typeLoader = type.getClassLoader();
    this.kindLoader = kind.getClassLoader();
    this.ours =
        Map.of(Stub.class.getName(), Stub.class, CallHandler.class.getName(), CallHandler.class);
  }

  Class<?> define(byte[] classFile) {
    return defineClass(null, classFile, 0, classFile.length);
  }

  /** Names in the type's signatures mean what they mean to the type. */
  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    Class<?> own = ours.get(name);
    if (own != null) {
      return own;
    }
    if (typeLoader != null) {
      try {
        return Class.forName(name, false, typeLoader);
      } catch (ClassNotFoundException e) {
        // the handler's loader may know it
      }
    }
    return Class.forName(name, false, kindLoader);
  }
}
