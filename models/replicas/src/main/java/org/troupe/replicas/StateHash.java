package org.troupe.replicas;

import java.lang.reflect.Array;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.stubs.Stubs;

/**
 * Hashes the state of an object, that is, all that can be reached from it. Replicas with the same
 * state have the same hash: identities, the order in hash tables and stubs of other objects do not
 * count.
 */
final class StateHash {

  private static final int DEPTH = 500; // deeper objects do not count

  private final Map<Object, Boolean> path = new IdentityHashMap<>(); // cycles end here
  private final Map<Object, Long> done = new IdentityHashMap<>();

  private StateHash() {}

  /** Returns the hash of an object; never 0. */
  static long of(Object object) {
    var hash = new StateHash().hash(object);
    return hash == 0 ? 1 : hash;
  }

  private long hash(@Nullable Object object) {
    if (object == null || Stubs.handlerOf(object) != null) {
      return 1;
    }
    var known = done.get(object);
    if (known != null) {
      return known;
    }
    var type = object.getClass();
    var result = (long) type.getName().hashCode();
    if (path.size() == DEPTH || path.put(object, true) != null) {
      return result;
    }
    result = mixed(result, contents(object, type));
    path.remove(object);
    done.put(object, result);
    return result;
  }

  private long contents(Object object, Class<?> type) {
    return switch (object) {
      case Enum<?> constant -> constant.name().hashCode();
      case Class<?> named -> named.getName().hashCode();
      case Map<?, ?> map when isOfPlatform(type) -> {
        long sum = 0;
        for (var entry : map.entrySet()) {
          sum += mixed(hash(entry.getKey()), hash(entry.getValue()));
        }
        yield sum;
      }
      case Set<?> set when isOfPlatform(type) -> set.stream().mapToLong(this::hash).sum();
      case Collection<?> elements when isOfPlatform(type) -> {
        long result = 0;
        for (var element : elements) {
          result = mixed(result, hash(element));
        }
        yield result;
      }
      case Object array when type.isArray() -> {
        long result = Array.getLength(array);
        for (var i = 0; i < Array.getLength(array); i++) {
          result = mixed(result, hash(Array.get(array, i)));
        }
        yield result;
      }
      case Object value when isOfPlatform(type) -> text(value).hashCode();
      case Object other -> fields(other);
    };
  }

  /** Returns the text of a value of the platform; of others it has their identity. */
  private static String text(Object value) {
    var text = value.toString();
    return text.endsWith("@" + Integer.toHexString(System.identityHashCode(value))) ? "" : text;
  }

  private long fields(Object object) {
    long result = 0;
    for (Class<?> each = object.getClass(); each != null; each = each.getSuperclass()) {
      for (var field : each.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())
            && !Modifier.isTransient(field.getModifiers())) {
          try {
            field.setAccessible(true);
            result = mixed(result, hash(field.get(object)));
          } catch (InaccessibleObjectException | IllegalAccessException e) {
            // a module that keeps its fields to itself: they do not count
          }
        }
      }
    }
    return result;
  }

  private static boolean isOfPlatform(Class<?> type) {
    return type.getClassLoader() == null;
  }

  private static long mixed(long result, long next) {
    return (result ^ next) * 0x9E3779B97F4A7C15L + Long.rotateLeft(result, 31);
  }
}
