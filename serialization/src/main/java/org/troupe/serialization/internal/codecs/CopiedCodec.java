package org.troupe.serialization.internal.codecs;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.troupe.serialization.TypeFilter;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.classes.PlatformReflection;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;

/**
 * Views of the platform's collections, such as {@code subList} and {@code keySet}: a plain copy
 * travels in their place.
 */
public final class CopiedCodec extends Codec {

  private static final MethodHandle COPY;

  static {
    try {
      COPY =
          MethodHandles.lookup()
              .findStatic(
                  CopiedCodec.class, "copy", MethodType.methodType(Object.class, Object.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  public CopiedCodec(Class<?> type) {
    super(type);
  }

  /** Returns whether a class is a view: one without a public name that receivers do not know. */
  public static boolean isView(Class<?> type) {
    boolean collects =
        Collection.class.isAssignableFrom(type)
            || Map.class.isAssignableFrom(type)
            || Map.Entry.class.isAssignableFrom(type);
    return collects
        && ClassKinds.isPlatform(type)
        && !Modifier.isPublic(type.getModifiers())
        && !TypeFilter.platform().allows(type)
        && !PlatformReflection.hasWriteReplace(type);
  }

  private static Object copy(Object view) {
    return switch (view) {
      case SortedMap<?, ?> map -> new TreeMap<>(map);
      case Map<?, ?> map -> new LinkedHashMap<>(map);
      case SortedSet<?> set -> new TreeSet<>(set);
      case Set<?> set -> new LinkedHashSet<>(set);
      case List<?> list when list instanceof Deque -> new LinkedList<>(list);
      case Deque<?> deque -> new ArrayDeque<>(deque);
      case Collection<?> list -> new ArrayList<>(list);
      case Map.Entry<?, ?> entry -> new AbstractMap.SimpleEntry<>(entry);
      default -> throw new AssertionError(view.getClass());
    };
  }

  @Override
  public void write(Encoder out, Object value) {
    throw new AssertionError("a copy travels");
  }

  @Override
  public Object read(Decoder in, int handle) {
    throw new CodecFailure(
        "a view of type '%s' never travels; the bytes are damaged".formatted(type().getName()));
  }

  @Override
  public MethodHandle writeReplace() {
    return COPY;
  }

  @Override
  public ClassLayout layout() {
    return ClassLayout.of(ClassLayout.Kind.LISTED, type());
  }
}
