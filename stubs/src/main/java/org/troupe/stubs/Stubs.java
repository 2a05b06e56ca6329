package org.troupe.stubs;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes stubs: objects of a class or interface whose every call goes to a {@link CallHandler}. */
public final class Stubs {

  /*
   * Class unloading. A generated class must not keep a class loader alive. So the cache entry is
   * attached to the class that is unloaded first: the type if its loader sees the handler kind,
   * else the kind if its loader sees the type (types of the JDK). If neither sees the other, the
   * entry is weak, and the class may have to be generated again.
   */
  private static final ClassValue<Map<Class<?>, StubClass<?>>> STRONG =
      perClass(ConcurrentHashMap::new);
  private static final ClassValue<Map<Class<?>, WeakReference<StubClass<?>>>> WEAK =
      perClass(WeakHashMap::new);

  private Stubs() {}

  /** Returns the stub class of a type, for handlers that take every call boxed. */
  public static <T> StubClass<T> define(Class<T> type) {
    return define(type, CallHandler.class);
  }

  /**
   * Returns the stub class of a type, generated at its first use, for handlers of one {@linkplain
   * CallHandler kind}.
   *
   * @throws NotReifiableException if calls or reads could miss the handler; has every reason
   * @throws IllegalArgumentException if the kind is not accessible to the generated class
   */
  public static <T> StubClass<T> define(Class<T> type, Class<? extends CallHandler> kind) {
    return cast(find(type, kind, true));
  }

  /**
   * Returns the stub class of a type whose suitability has been tested before, as of a class that a
   * library has for itself: its byte code is not read, which would take a few milliseconds in the
   * start of a JVM.
   *
   * @throws IllegalArgumentException if the kind is not accessible to the generated class
   */
  public static <T> StubClass<T> defineTested(Class<T> type, Class<? extends CallHandler> kind) {
    return cast(find(type, kind, false));
  }

  private static StubClass<?> find(
      Class<?> type, Class<? extends CallHandler> kind, boolean check) {
    StubClass<?> known = STRONG.get(type).get(kind);
    if (known == null) {
      known = STRONG.get(kind).get(type);
    }
    return known != null ? known : generate(type, kind, check);
  }

  private static StubClass<?> generate(
      Class<?> type, Class<? extends CallHandler> kind, boolean check) {
    if (DefinitionSite.sees(type.getClassLoader(), kind)) {
      return STRONG.get(type).computeIfAbsent(kind, k -> StubClass.generate(type, kind, check));
    }
    if (DefinitionSite.sees(kind.getClassLoader(), type)) {
      return STRONG.get(kind).computeIfAbsent(type, t -> StubClass.generate(type, kind, check));
    }
    Map<Class<?>, WeakReference<StubClass<?>>> passing = WEAK.get(type);
    synchronized (passing) {
      WeakReference<StubClass<?>> reference = passing.get(kind);
      StubClass<?> made = reference == null ? null : reference.get();
      if (made == null) {
        made = StubClass.generate(type, kind, check);
        passing.put(kind, new WeakReference<>(made));
      }
      return made;
    }
  }

  /** Returns the handler behind a stub; {@code null} if the object is {@code null} or no stub. */
  public static @Nullable CallHandler handlerOf(@Nullable Object o) {
    return o instanceof Stub stub ? stub.troupe$handler() : null;
  }

  /**
   * Returns the class or interface that a stub stands for.
   *
   * @throws IllegalArgumentException if the object is no stub
   */
  public static Class<?> typeOf(Object stub) {
    if (Objects.requireNonNull(stub, "stub") instanceof Stub made) {
      return made.troupe$type();
    }
    throw new IllegalArgumentException(
        "an object of " + stub.getClass().getName() + " is no stub; ask handlerOf first");
  }

  @SuppressWarnings("unchecked") // the maps hold the stub class of T under T
  private static <T> StubClass<T> cast(StubClass<?> stubClass) {
    return (StubClass<T>) stubClass;
  }

  private static <V> ClassValue<Map<Class<?>, V>> perClass(Supplier<Map<Class<?>, V>> empty) {
    return new ClassValue<>() {
      @Override
      protected Map<Class<?>, V> computeValue(Class<?> c) {
        return empty.get();
      }
    };
  }
}
