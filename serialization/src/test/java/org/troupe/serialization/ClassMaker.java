package org.troupe.serialization;

import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.constant.ModuleDesc;
import java.lang.constant.PackageDesc;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes classes of other class loaders and modules: public, with fields and an empty constructor.
 */
final class ClassMaker extends ClassLoader {

  private final Map<String, byte[]> classes = new HashMap<>();
  final Set<String> loaded = ConcurrentHashMap.newKeySet();

  ClassMaker() {
    super(ClassMaker.class.getClassLoader());
  }

  /** Fields are alternately names and types. */
  ClassMaker with(String name, Object... fields) {
    classes.put(name, bytes(name, null, fields));
    return this;
  }

  /** The same, annotated with {@link Evolving}. */
  ClassMaker withEvolving(String name, Object... fields) {
    classes.put(name, evolving(bytes(name, null, fields)));
    return this;
  }

  private static byte[] evolving(byte[] plain) {
    ClassFile file = ClassFile.of();
    RuntimeVisibleAnnotationsAttribute mark =
        RuntimeVisibleAnnotationsAttribute.of(
            Annotation.of(Evolving.class.describeConstable().orElseThrow()));
    return file.transformClass(
        file.parse(plain), ClassTransform.endHandler(builder -> builder.with(mark)));
  }

  /** A class whose initialiser sets a system property. */
  ClassMaker withInitializer(String name, String property) {
    classes.put(name, bytes(name, property));
    return this;
  }

  Object instance(String name) {
    try {
      return loadClass(name).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    loaded.add(name);
    return defineClass(name, bytes, 0, bytes.length);
  }

  /** An instance of a class in a named module that opens nothing. */
  static Object inClosedModule(Path folder, String module, String name) {
    try {
      int dot = name.lastIndexOf('.');
      Path file = folder.resolve(name.replace('.', '/') + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, bytes(name, null, "secret", int.class));
      ModuleAttribute descriptor =
          ModuleAttribute.of(
              ModuleDesc.of(module),
              m ->
                  m.requires(ModuleDesc.of("java.base"), 0x8000, null)
                      .exports(PackageDesc.of(name.substring(0, dot)), 0));
      Files.write(
          folder.resolve("module-info.class"), ClassFile.of().buildModule(descriptor, c -> {}));
      ModuleLayer boot = ModuleLayer.boot();
      var configuration =
          boot.configuration().resolve(ModuleFinder.of(folder), ModuleFinder.of(), List.of(module));
      Class<?> type =
          boot.defineModulesWithOneLoader(configuration, ClassLoader.getSystemClassLoader())
              .findLoader(module)
              .loadClass(name);
      return type.getConstructor().newInstance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] bytes(String name, String property, Object... fields) {
    return ClassFile.of()
        .build(
            ClassDesc.of(name),
            c -> {
              c.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_SUPER);
              for (int i = 0; i < fields.length; i += 2) {
                ClassDesc type = ((Class<?>) fields[i + 1]).describeConstable().orElseThrow();
                c.withField((String) fields[i], type, ClassFile.ACC_PRIVATE);
              }
              c.withMethodBody(
                  INIT_NAME,
                  MethodTypeDesc.of(CD_void),
                  ClassFile.ACC_PUBLIC,
                  b ->
                      b.aload(0)
                          .invokespecial(
                              ConstantDescs.CD_Object, INIT_NAME, MethodTypeDesc.of(CD_void))
                          .return_());
              if (property != null) {
                c.withMethodBody(
                    ConstantDescs.CLASS_INIT_NAME,
                    MethodTypeDesc.of(CD_void),
                    ClassFile.ACC_STATIC,
                    b ->
                        b.loadConstant(property)
                            .loadConstant("initialised")
                            .invokestatic(
                                ClassDesc.of("java.lang.System"),
                                "setProperty",
                                MethodTypeDesc.of(
                                    ConstantDescs.CD_String,
                                    ConstantDescs.CD_String,
                                    ConstantDescs.CD_String))
                            .pop()
                            .return_());
              }
            });
  }
}
