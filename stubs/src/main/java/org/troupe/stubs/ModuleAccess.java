package org.troupe.stubs;

import static java.lang.classfile.ClassFile.ACC_FINAL;
import static java.lang.classfile.ClassFile.ACC_STATIC;
import static java.lang.classfile.ClassFile.ACC_SYNTHETIC;
import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gives generated classes access to the classes of this library across modules. */
final class ModuleAccess {

  /*
   * Access through an injected class. Only code of a module may change what the module reads and
   * exports. So where a package is open to this library, a small class is defined in it that does
   * so. Its arguments are names and modules only, so that loading it needs no class of this
   * library.
   */
  private static final String DOOR = "Troupe$$Door";

  private static final Lookup OURS = MethodHandles.lookup();
  private static final Module MODULE = ModuleAccess.class.getModule();

  private static final ClassDesc CD_MODULE = ClassDesc.of("java.lang.Module");

  private ModuleAccess() {}

  /** Returns a lookup with private access to a class, {@code null} if its package is closed. */
  static @Nullable Lookup lookupIn(Class<?> c) {
    try {
      MODULE.addReads(c.getModule());
      return MethodHandles.privateLookupIn(c, OURS);
    } catch (IllegalAccessException e) {
      return null;
    }
  }

  /** Returns whether the package of the class is exported to all modules. */
  static boolean isExported(Class<?> c) {
    return c.getModule().isExported(c.getPackageName());
  }

  /** Returns whether a module may use a public class. */
  static boolean canUse(Module user, Class<?> c) {
    Module of = c.getModule();
    return of == user || of.isExported(c.getPackageName(), user) && user.canRead(of);
  }

  /** Returns the directive for module-info.java that opens the class's package to this library. */
  static String opens(Class<?> c) {
    String line =
        MODULE.isNamed()
            ? "opens %s to org.troupe.stubs, org.troupe.serialization, org.troupe.activeobjects;"
            : "opens %s;";
    return "add '%s' to module-info.java of %s"
        .formatted(line.formatted(c.getPackageName()), c.getModule().getName());
  }

  /** Lets a module use a public class of this library or of a handler. */
  static void admit(Module user, @Nullable Lookup userLookup, Class<?> c) {
    Module of = c.getModule();
    String name = c.getPackageName();
    if (!user.canRead(of)) {
      runInside(
          Objects.requireNonNull(
              userLookup, "only an unnamed module has no lookup, and it reads all modules"),
          "read",
          of);
    }
    if (of.isExported(name, user)) {
      return;
    }
    if (of == MODULE) {
      of.addExports(name, user);
      return;
    }
    Lookup there = lookupIn(c);
    if (there == null) {
      throw new IllegalArgumentException(
          "package '%s' of module %s, which has the handler %s, is not open to Troupe; %s"
              .formatted(name, of.getName(), c.getSimpleName(), opens(c)));
    }
    runInside(there, "export", name, user);
  }

  private static synchronized void runInside(Lookup there, String method, Object... arguments) {
    try {
      Class<?> door = door(there);
      MethodHandle handle =
          method.equals("read")
              ? there.findStatic(door, method, MethodType.methodType(void.class, Module.class))
              : there.findStatic(
                  door, method, MethodType.methodType(void.class, String.class, Module.class));
      handle.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new IllegalStateException(
          "module " + there.lookupClass().getModule() + " could not " + method, e);
    }
  }

  private static Class<?> door(Lookup there) throws IllegalAccessException {
    String name = there.lookupClass().getPackageName() + "." + DOOR;
    try {
      return there.findClass(name);
    } catch (ClassNotFoundException e) {
      return there.defineClass(doorFile(ClassDesc.of(name)));
    }
  }

  private static byte[] doorFile(ClassDesc door) {
    var moduleToModule = MethodTypeDesc.of(CD_MODULE, CD_MODULE);
    var exportsType = MethodTypeDesc.of(CD_MODULE, CD_String, CD_MODULE);
    return ClassFile.of()
        .build(
            door,
            file ->
                file.withFlags(ACC_FINAL | ACC_SYNTHETIC)
                    .withMethodBody(
                        "read",
                        MethodTypeDesc.of(CD_void, CD_MODULE),
                        ACC_STATIC,
                        code ->
                            code.ldc(door)
                                .invokevirtual(CD_Class, "getModule", MethodTypeDesc.of(CD_MODULE))
                                .aload(0)
                                .invokevirtual(CD_MODULE, "addReads", moduleToModule)
                                .pop()
                                .return_())
                    .withMethodBody(
                        "export",
                        MethodTypeDesc.of(CD_void, CD_String, CD_MODULE),
                        ACC_STATIC,
                        code ->
                            code.ldc(door)
                                .invokevirtual(CD_Class, "getModule", MethodTypeDesc.of(CD_MODULE))
                                .aload(0)
                                .aload(1)
                                .invokevirtual(CD_MODULE, "addExports", exportsType)
                                .pop()
                                .return_()));
  }
}
