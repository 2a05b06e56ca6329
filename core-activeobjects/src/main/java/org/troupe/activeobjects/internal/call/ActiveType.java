package org.troupe.activeobjects.internal.call;

import java.lang.System.Logger.Level;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.UnsuitableClassException;
import org.troupe.activeobjects.hosting.MiddlewareObject;
import org.troupe.stubs.CallHandler;
import org.troupe.stubs.NotReifiableException;
import org.troupe.stubs.StubClass;
import org.troupe.stubs.StubMethod;
import org.troupe.stubs.Stubs;

/**
 * A class or interface through which active objects are called, with its stubs and its call table.
 */
public final class ActiveType<T> {

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final ClassValue<ActiveType<?>> KNOWN =
      new ClassValue<>() {
        @Override
        protected ActiveType<?> computeValue(Class<?> type) {
          return new ActiveType<>(type);
        }
      };

  private final Class<T> type;
  private final StubClass<T> stubs;
  private final List<CallMethod> methods;
  private final boolean isMiddleware;
  private final Map<CallMethod, CallMethod> onward = new ConcurrentHashMap<>();
  private final AtomicBoolean isWarned = new AtomicBoolean();
  private volatile @Nullable ServicePolicy scheduling; // determined on first use

  private ActiveType(Class<T> type) {
    this.type = type;
    this.isMiddleware = MiddlewareObject.class.isAssignableFrom(type);
    try {
      this.stubs = stubs(ActiveObjectHandler.class);
    } catch (NotReifiableException e) {
      throw new UnsuitableClassException(
          Objects.requireNonNull(e.getMessage(), "the reasons")
              .replace("cannot have a stub:", "cannot be an active object:"));
    }
    this.methods =
        stubs.methods().stream()
            .map(
                method ->
                    new CallMethod(
                        this,
                        method,
                        CallKind.of(method.method()),
                        type.getName() + "#" + method.name() + method.descriptor(),
                        false,
                        givesElements(method),
                        method.method().isAnnotationPresent(LendsArguments.class),
                        method.method().isAnnotationPresent(ServedOnReceipt.class),
                        new ServicePace()))
            .toList();
  }

  /**
   * Returns the active type of a class or interface.
   *
   * @throws UnsuitableClassException with every reason and remedy, if the type can have no stub
   */
  @SuppressWarnings("unchecked") // the key is the type's own class
  public static <T> ActiveType<T> of(Class<T> type) {
    Objects.requireNonNull(type, "the class is null");
    return (ActiveType<T>) KNOWN.get(type);
  }

  public Class<T> type() {
    return type;
  }

  private boolean givesElements(StubMethod method) {
    return Iterable.class.isAssignableFrom(type)
        && method.name().equals("iterator")
        && method.method().getParameterCount() == 0
        && method.method().getReturnType() == Iterator.class;
  }

  /**
   * Logs a warning, once, for each method whose results probably cannot be sent to a caller.
   *
   * @return the methods warned about
   */
  List<String> warn() {
    if (!isWarned.compareAndSet(false, true)) {
      return List.of();
    }
    var doubtful = methods.stream().filter(method -> method.doubt() != null).toList();
    for (var method : doubtful) {
      LOG.log(Level.WARNING, "a call of {0}: {1}", method, method.doubt());
    }
    return doubtful.stream().map(CallMethod::toString).toList();
  }

  /**
   * Returns whether the type belongs to the middleware, so that a program's call options do not
   * apply.
   */
  public boolean isMiddleware() {
    return isMiddleware;
  }

  public StubClass<T> stubs() {
    return stubs;
  }

  /**
   * Returns the stub class of the type for a kind of handler. Tests of this library check its own
   * types, so that the start of a JVM need not.
   */
  StubClass<T> stubs(Class<? extends CallHandler> kind) {
    return isMiddleware && type.getClassLoader() == ActiveType.class.getClassLoader()
        ? Stubs.defineTested(type, kind)
        : Stubs.define(type, kind);
  }

  /** Returns the name that messages use, such as {@code Solver}. */
  public String name() {
    return type.getSimpleName().isEmpty() ? type.getName() : type.getSimpleName();
  }

  List<CallMethod> methods() {
    return methods;
  }

  public CallMethod method(int index) {
    return methods.get(index);
  }

  /**
   * Returns the variant of a method that takes a {@link
   * org.troupe.activeobjects.collective.ReplyInterceptor} as a further argument, and whose result
   * has no declared type.
   */
  CallMethod onward(CallMethod method) {
    return onward.computeIfAbsent(
        method,
        plain ->
            new CallMethod(
                this,
                plain.method(),
                CallKind.COMPLETABLE,
                plain.symbol() + CallMethod.ONWARD,
                true,
                plain.givesElements(),
                plain.lendsArguments(),
                false,
                new ServicePace()));
  }

  /** Finds a method by its name and descriptor on the wire. */
  public CallMethod method(String nameAndDescriptor) {
    if (nameAndDescriptor.endsWith(CallMethod.ONWARD)) {
      var plain = nameAndDescriptor.length() - CallMethod.ONWARD.length();
      return method(nameAndDescriptor.substring(0, plain)).onward();
    }
    for (var each : methods) {
      if (each.symbol()
              .regionMatches(
                  type.getName().length() + 1, nameAndDescriptor, 0, nameAndDescriptor.length())
          && each.symbol().length() == type.getName().length() + 1 + nameAndDescriptor.length()) {
        return each;
      }
    }
    throw new NoSuchElementException(
        "this node's "
            + type.getName()
            + " has no method "
            + nameAndDescriptor
            + ": the caller has another version of the class; give both the same class path");
  }

  /** Returns how requests to objects of exactly this class are scheduled. */
  public ServicePolicy scheduling() {
    var known = scheduling;
    if (known == null) {
      known = ServicePolicy.of(type);
      scheduling = known;
    }
    return known;
  }
}
