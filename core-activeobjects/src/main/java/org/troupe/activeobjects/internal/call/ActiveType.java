package org.troupe.activeobjects.internal.call;

import java.lang.System.Logger.Level;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.troupe.activeobjects.UnsuitableClassException;
import org.troupe.activeobjects.hosting.MiddlewareObject;
import org.troupe.stubs.NotReifiableException;
import org.troupe.stubs.StubClass;
import org.troupe.stubs.StubMethod;
import org.troupe.stubs.Stubs;

/** A class or interface by which active objects are called: its stubs and its call table. */
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
  private volatile ServicePolicy scheduling;

  private ActiveType(Class<T> type) {
    this.type = type;
    try {
      this.stubs = Stubs.define(type, ActiveObjectHandler.class);
    } catch (NotReifiableException e) {
      throw new UnsuitableClassException(
          e.getMessage().replace("cannot have a stub:", "cannot be an active object:"));
    }
    this.isMiddleware = MiddlewareObject.class.isAssignableFrom(type);
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
                        givesElements(method)))
            .toList();
  }

  /**
   * Returns what is known of a type.
   *
   * @throws UnsuitableClassException with every reason and remedy, if it can have no stub
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
   * Warns, once, of methods whose results can hardly reach a caller.
   *
   * @return those that it has warned of
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

  /** Says whether no option of the user's applies to its calls. */
  public boolean isMiddleware() {
    return isMiddleware;
  }

  public StubClass<T> stubs() {
    return stubs;
  }

  /** The name that messages use: {@code Solver}. */
  public String name() {
    return type.getSimpleName().isEmpty() ? type.getName() : type.getSimpleName();
  }

  List<CallMethod> methods() {
    return methods;
  }

  public CallMethod method(int index) {
    return methods.get(index);
  }

  /** The method with one more argument; what comes back is of no declared type. */
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
                plain.givesElements()));
  }

  /** Finds a method by its name and descriptor, as they travel. */
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
            + ": it is another version than the caller's; give both the same class path");
  }

  /** How requests to objects of this very class are scheduled. */
  public ServicePolicy scheduling() {
    var known = scheduling;
    if (known == null) {
      known = ServicePolicy.of(type);
      scheduling = known;
    }
    return known;
  }
}
