package ibis.compile;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Reads classes with BCEL, which whoever brings a compiler that uses it has on the class path. */
final class BcelWrapper implements ByteCodeWrapper {

  private static final String PARSER = "org.apache.bcel.classfile.ClassParser";
  private static final String CLASS = "org.apache.bcel.classfile.JavaClass";
  private static final String REPOSITORY = "org.apache.bcel.Repository";

  private final Class<?> parser;
  private final Class<?> javaClass;
  private final Class<?> repository;
  private final Map<String, Info> infos = new HashMap<>();

  /**
   * Finds BCEL.
   *
   * @throws IllegalStateException if it is not on the class path
   */
  BcelWrapper(ClassLoader loader) {
    try {
      parser = Class.forName(PARSER, false, loader);
      javaClass = Class.forName(CLASS, false, loader);
      repository = Class.forName(REPOSITORY, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalStateException(
          "a compiler works with BCEL, and '"
              + e.getMessage()
              + "' is not on the class path; add the jar of Apache BCEL",
          e);
    }
  }

  /** Compilers rely on it that there is one for each class, and that this call renews it. */
  @Override
  public ClassInfo getInfo(Object classObject) {
    Info info =
        infos.computeIfAbsent(
            (String) call(classObject, "getClassName"), name -> new Info(name, classObject));
    info.classObject = classObject;
    return info;
  }

  @Override
  public ClassInfo parseClassFile(String fileName) throws IOException {
    return parse(Files.readAllBytes(Path.of(fileName)), fileName);
  }

  @Override
  public ClassInfo parseInputStream(InputStream in, String fileName) throws IOException {
    try (in) {
      return parse(in.readAllBytes(), fileName);
    }
  }

  /** Reads a class, and lets BCEL find it when another class refers to it. */
  ClassInfo parse(byte[] bytes, String fileName) throws IOException {
    try {
      Object parsed =
          parser
              .getMethod("parse")
              .invoke(
                  parser
                      .getConstructor(InputStream.class, String.class)
                      .newInstance(new ByteArrayInputStream(bytes), fileName));
      repository.getMethod("addClass", javaClass).invoke(null, parsed);
      return getInfo(parsed);
    } catch (InvocationTargetException e) {
      throw new IOException("BCEL cannot read '" + fileName + "': " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw unusable(e);
    }
  }

  private Object call(Object of, String method) {
    try {
      return javaClass.getMethod(method).invoke(of);
    } catch (ReflectiveOperationException e) {
      throw unusable(e);
    }
  }

  private static IllegalStateException unusable(ReflectiveOperationException e) {
    return new IllegalStateException("this version of BCEL cannot be used: " + e, e);
  }

  private final class Info implements ClassInfo {

    private final String name;
    private Object classObject; // the newest one of the class

    Info(String name, Object classObject) {
      this.name = name;
      this.classObject = classObject;
    }

    @Override
    public String getClassName() {
      return name;
    }

    @Override
    public Object getClassObject() {
      return classObject;
    }

    @Override
    public void dump(String fileName) throws IOException {
      Files.write(Path.of(fileName), getBytes());
    }

    @Override
    public byte[] getBytes() {
      return (byte[]) call(classObject, "getBytes");
    }

    @Override
    public boolean doVerify() {
      var errors = ClassFile.of().verify(getBytes());
      errors.forEach(error -> System.out.println(name + ": " + error.getMessage()));
      return errors.isEmpty();
    }
  }
}
