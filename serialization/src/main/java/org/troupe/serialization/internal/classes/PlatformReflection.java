package org.troupe.serialization.internal.classes;

import java.io.OptionalDataException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * The platform's support for serialization libraries: instances without constructors, {@code
 * java.io} hooks.
 */
public final class PlatformReflection {

  /*
   * sun.reflect.ReflectionFactory of jdk.unsupported is supported API for this purpose (JEP 260),
   * but naming it in source is a compiler warning that nothing can silence; so it is called by
   * name, once per class.
   */

  private static final Class<?> FACTORY_CLASS;
  private static final Object FACTORY;

  static {
    try {
      FACTORY_CLASS = Class.forName("sun.reflect.ReflectionFactory");
      FACTORY = FACTORY_CLASS.getMethod("getReflectionFactory").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final MethodHandle ALLOCATE;
  private static final MethodHandle NEW_INSTANCE;

  static {
    try {
      // Not deprecated, unlike the rest of its class; it too is called by name only.
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      ALLOCATE =
          lookup
              .findVirtual(
                  unsafe, "allocateInstance", MethodType.methodType(Object.class, Class.class))
              .bindTo(instance.get(null));
      NEW_INSTANCE =
          lookup.findVirtual(
              Constructor.class,
              "newInstance",
              MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final MethodType REPLACER = MethodType.methodType(Object.class, Object.class);

  private PlatformReflection() {}

  private static Object call(String method, Class<?>[] types, @Nullable Object... arguments) {
    try {
      return FACTORY_CLASS.getMethod(method, types).invoke(FACTORY, arguments);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JDK's ReflectionFactory has no usable '" + method + "'", e);
    }
  }

  /** Returns a way to make instances that runs only the given constructor of a superclass. */
  public static Constructor<?> allocator(Class<?> type, @Nullable Constructor<?> ofSuperclass) {
    return (Constructor<?>)
        call(
            "newConstructorForSerialization",
            new Class<?>[] {Class.class, Constructor.class},
            type,
            ofSuperclass);
  }

  /**
   * Returns what makes an instance, as {@code ()Object}; the JIT sees through it where the
   * constructor does nothing.
   */
  public static MethodHandle allocation(Class<?> type, Constructor<?> allocator) {
    // A type that has only Object above it, or only classes whose constructors are left out.
    boolean runsNothing = isPlainObject(type);
    return runsNothing
        ? ALLOCATE.bindTo(type).asType(MethodType.methodType(Object.class))
        : construction(allocator);
  }

  /** Returns what makes an instance by a constructor, as {@code ()Object}. */
  public static MethodHandle construction(Constructor<?> allocator) {
    return MethodHandles.insertArguments(NEW_INSTANCE, 0, allocator, new Object[0])
        .asType(MethodType.methodType(Object.class));
  }

  private static boolean isPlainObject(Class<?> type) {
    Class<?> base = type;
    while (!ClassKinds.isPlatform(base)) {
      base = base.getSuperclass();
    }
    return base == Object.class;
  }

  /** Returns the public constructor without arguments of an Externalizable class, or null. */
  public static Constructor<?> externalizableConstructor(Class<?> type) {
    return (Constructor<?>)
        call("newConstructorForExternalization", new Class<?>[] {Class.class}, type);
  }

  /**
   * Returns a hook, or null.
   *
   * @param name as in {@code writeObject}, {@code readResolve}, {@code defaultReadObject}
   */
  public static @Nullable MethodHandle hook(String name, Class<?> type, MethodType erased) {
    var hook = (MethodHandle) call(name + "ForSerialization", new Class<?>[] {Class.class}, type);
    return hook == null ? null : hook.asType(erased);
  }

  /** Returns whether a class has a {@code writeReplace} method. */
  public static boolean hasWriteReplace(Class<?> type) {
    return hook("writeReplace", type, REPLACER) != null;
  }

  /** Returns the exception that signals the end of an object's data to a readObject method. */
  public static OptionalDataException endOfData() {
    return (OptionalDataException)
        call("newOptionalDataExceptionForSerialization", new Class<?>[] {boolean.class}, true);
  }
}
