package ibis.satin.weave;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Defines classes of the tests anew, woven or not. */
public final class ProgramLoader extends ClassLoader {

  private final Predicate<String> own;
  private final Predicate<String> weaves;
  private final UnaryOperator<byte[]> before;
  private final Map<String, byte[]> woven = new HashMap<>();
  private final Weaver weaver = Weaver.of(ProgramLoader.class.getClassLoader());

  /**
   * @param own the names of the classes that this loader defines
   * @param weaves which of these it weaves
   * @param before is applied to each class file before
   */
  ProgramLoader(Predicate<String> own, Predicate<String> weaves, UnaryOperator<byte[]> before) {
    super(ProgramLoader.class.getClassLoader());
    this.own = own;
    this.weaves = weaves;
    this.before = before;
  }

  /** Returns a loader that weaves the classes whose names begin so. */
  public static ClassLoader woven(String prefix) {
    return new ProgramLoader(name -> name.startsWith(prefix), _ -> true, file -> file);
  }

  /** Returns a loader that defines the classes whose names begin so, as they are. */
  public static ClassLoader unwoven(String prefix) {
    return new ProgramLoader(name -> name.startsWith(prefix), _ -> false, file -> file);
  }

  static byte[] file(String name) throws IOException {
    try (var in =
        ProgramLoader.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new IOException("no class file of " + name);
      }
      return in.readAllBytes();
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (!own.test(name)) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] file = woven.get(name.replace('.', '/'));
    if (file == null) {
      try {
        file = before.apply(file(name));
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
      if (weaves.test(name)) {
        woven.putAll(weaver.weave(file));
        file = woven.getOrDefault(name.replace('.', '/'), file);
      }
    }
    return defineClass(name, file, 0, file.length);
  }
}
