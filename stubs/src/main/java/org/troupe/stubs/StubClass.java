package org.troupe.stubs;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A generated class whose instances pass every call to a handler; may be shared between threads.
 *
 * @param <T> the class or interface it stands for
 */
public final class StubClass<T> {

  private static final MethodHandle REFUSE = refusal();
  private static final MethodType INVOKER =
      MethodType.methodType(Object.class, Object.class, Object[].class);

  private final Class<T> type;
  private final Class<? extends CallHandler> kind;
  private final List<StubMethod> methods;
  private final Class<?> generated;

  /** Never seen by users: the receiver of {@code troupe$invoke}. */
  private final Stub prototype;

  /**
   * Handles for the methods that generated code may not call, by index; {@code null} if there are
   * none.
   */
  private final @Nullable MethodHandle @Nullable [] indirect;

  private StubClass(
      Class<T> type,
      Class<? extends CallHandler> kind,
      List<StubMethod> methods,
      Class<?> generated,
      @Nullable MethodHandle @Nullable [] indirect) {
    this.type = type;
    this.kind = kind;
    this.methods = methods;
    this.generated = generated;
    this.indirect = indirect;
    this.prototype = allocate();
  }

  /**
   * Generates the class.
   *
   * @param check whether it is to be tested that the type can have a stub
   */
  static <T> StubClass<T> generate(
      Class<T> type, Class<? extends CallHandler> kind, boolean check) {
    if (check) {
      Reifiable verdict = Reifiable.of(type);
      if (!verdict.isReifiable()) {
        throw new NotReifiableException(verdict);
      }
    }
    if (!DefinitionSite.isPublic(kind)) {
      throw new IllegalArgumentException(
          "the handler " + kind.getName() + " is not public, so no stub could call it; make it so");
    }
    DefinitionSite home = DefinitionSite.of(type, kind);
    if (home instanceof DefinitionSite.Outside
        && DefinitionSite.sees(type.getClassLoader(), CallHandler.class)) {
      var problems = ReifiabilityCheck.problems(type, home); // the verdict was on a home inside
      if (!problems.isEmpty()) {
        throw new NotReifiableException(new Reifiable(type, problems));
      }
    }
    Module module = home.module();
    ModuleAccess.admit(module, home.lookup(), Stub.class);
    ModuleAccess.admit(module, home.lookup(), CallHandler.class);
    ModuleAccess.admit(module, home.lookup(), kind);

    initialize(type);
    var table = new MethodTable(type, home);
    List<StubMethod> methods = table.methods(new ClassFileCache());
    MethodHandle[] indirect = indirect(type, methods, home);
    String suffix = "$$TroupeStub";
    if (kind != CallHandler.class) {
      suffix += "$" + kind.getName().replace('.', '_');
    }
    var generator = new StubGenerator(type, kind, methods, table.hasFinalizer());
    byte[] classFile = generator.classFile(home.nameFor(type, suffix), indirect);
    return new StubClass<>(type, kind, methods, home.define(classFile), indirect);
  }

  /**
   * Runs a class's static initializer, which its stubs need. A failure then occurs before the stub
   * class is defined, which is possible only once, and each attempt fails with the JVM's own error.
   */
  private static void initialize(Class<?> type) {
    if (type.isInterface()) {
      return; // of which a class that implements it initializes only what it needs
    }
    try {
      Class.forName(type.getName(), true, type.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError("a class loader does not know its own " + type, e);
    }
  }

  /** Returns the class or interface that the stubs stand for. */
  public Class<T> type() {
    return type;
  }

  /**
   * Returns what a stub passes to its handler, by index: the order depends on names and signatures
   * only.
   *
   * <p>The same in every JVM whose class loaders give the same class files as resources. Where the
   * compiler added bridges (generics, covariant results), only the method that they lead to is
   * listed; a call through a bridge reaches the handler once, as that method.
   */
  public List<StubMethod> methods() {
    return methods;
  }

  /**
   * Returns a new stub, without running a constructor of its class.
   *
   * @throws ClassCastException if the handler is not of the kind that the class was made for
   */
  public T newStub(CallHandler handler) {
    Stub stub = allocate();
    stub.troupe$handler(Objects.requireNonNull(handler, "handler"));
    VarHandle
        .storeStoreFence(); // like a final field: a thread that reads the stub's reference also
    // sees its handler
    return type.cast(stub);
  }

  /**
   * Calls a method of a real object: the one that a call in Java would reach, without reflection.
   *
   * @param arguments boxed, as many as the method takes; may be {@code null} for none
   * @return the result: boxed for a primitive, {@code null} for {@code void}
   * @throws Throwable what the method throws, unchanged
   * @throws IndexOutOfBoundsException if there is no such method
   */
  public @Nullable Object invoke(int method, Object target, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    if (indirect != null && method >= 0 && method < indirect.length && indirect[method] != null) {
      return (Object) indirect[method].invokeExact(target, arguments);
    }
    return prototype.troupe$invoke(method, target, arguments);
  }

  @Override
  public String toString() {
    return "stubs of " + type.getTypeName() + " for " + kind.getName();
  }

  private Stub allocate() {
    try {
      return (Stub) InstanceAllocation.allocate(generated);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot make an object of " + generated.getName(), e);
    }
  }

  private static @Nullable MethodHandle @Nullable [] indirect(
      Class<?> type, List<StubMethod> methods, DefinitionSite home) {
    MethodHandle[] handles = null;
    for (StubMethod method : methods) {
      if (!StubGenerator.canCall(method.method(), home)) {
        if (handles == null) {
          handles = new MethodHandle[methods.size()];
        }
        handles[method.index()] = handle(type, method, home.lookup());
      }
    }
    return handles;
  }

  private static MethodHandle handle(Class<?> type, StubMethod method, @Nullable Lookup lookup) {
    try {
      if (lookup != null) {
        Method m = method.method();
        return lookup
            .findVirtual(
                type, m.getName(), MethodType.methodType(m.getReturnType(), m.getParameterTypes()))
            .asFixedArity()
            .asSpreader(Object[].class, m.getParameterCount())
            .asType(INVOKER);
      }
    } catch (ReflectiveOperationException e) {
      // refused when it is called, below: a stub may still have the method
    }
    return REFUSE.bindTo(
        "'%s' of %s is protected in a package that is not open to Troupe; %s"
            .formatted(method, type.getName(), ModuleAccess.opens(type)));
  }

  private static Object refuse(String message, Object target, Object[] arguments) {
    throw new IllegalAccessError(message);
  }

  private static MethodHandle refusal() {
    try {
      return MethodHandles.lookup()
          .findStatic(
              StubClass.class,
              "refuse",
              MethodType.methodType(Object.class, String.class, Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
