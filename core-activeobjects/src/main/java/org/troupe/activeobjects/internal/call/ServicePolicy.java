package org.troupe.activeobjects.internal.call;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.Resumable;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.UnsuitableClassException;

/** The scheduling of a class's requests, as its annotations and interfaces declare it. */
public final class ServicePolicy {

  /** The scheduling rule of one method. */
  public sealed interface Rule {

    /** The method is served one request at a time, in the order of arrival. */
    record InTurn() implements Rule {}

    /** The method is served at once, concurrently with all others. */
    record AtOnce() implements Rule {}

    /**
     * The method is served concurrently with the methods of compatible groups.
     *
     * @param group the method's own group
     * @param compatible all groups that the method may run concurrently with, possibly its own
     */
    record Beside(String group, Set<String> compatible) implements Rule {}
  }

  public static final Rule IN_TURN = new Rule.InTurn();
  public static final Rule AT_ONCE = new Rule.AtOnce();

  private static final String SIGNATURE_END = ")";

  private final Class<?> type;
  private final Map<String, Rule> bySignature;
  private final Set<Rule> rulesBeside;
  private final String immediates;
  private final Map<CallMethod, Rule> byMethod = new ConcurrentHashMap<>();

  private ServicePolicy(Class<?> type, Map<String, Rule> bySignature) {
    this.type = type;
    this.bySignature = bySignature;
    this.rulesBeside =
        bySignature.values().stream()
            .filter(Rule.Beside.class::isInstance)
            .collect(Collectors.toUnmodifiableSet());
    this.immediates =
        bySignature.entrySet().stream()
            .filter(each -> each.getValue() instanceof Rule.AtOnce)
            .map(each -> each.getKey() + SIGNATURE_END)
            .sorted()
            .collect(Collectors.joining());
  }

  static ServicePolicy of(Class<?> type) {
    var annotated =
        hierarchy(type)
            .flatMap(each -> Stream.of(each.getDeclaredMethods()))
            .filter(each -> !each.isBridge())
            .toList();
    var compatible = compatibility(annotated);
    Map<String, Rule> rules = new HashMap<>();
    for (var method : annotated) {
      var concurrent = method.getAnnotation(Concurrent.class);
      if (method.isAnnotationPresent(Immediate.class)) {
        if (concurrent != null) {
          throw new UnsuitableClassException(
              type.getName()
                  + " cannot be an active object:\n  - method '"
                  + method.getName()
                  + "' is both @Immediate and @Concurrent; an immediate method runs beside all"
                  + " others already, so remove one");
        }
        rules.putIfAbsent(signature(method), AT_ONCE);
      } else if (concurrent != null) {
        rules.putIfAbsent(
            signature(method),
            new Rule.Beside(
                concurrent.value(),
                compatible.getOrDefault(concurrent.value(), Set.of(concurrent.value()))));
      } else {
        rules.putIfAbsent(
            signature(method), IN_TURN); // an override without an annotation removes the rule
      }
    }
    rules.values().removeIf(Rule.InTurn.class::isInstance);
    return new ServicePolicy(type, Map.copyOf(rules));
  }

  /** Returns the rule for a call, independently of the type of the reference that made it. */
  public Rule rule(CallMethod method) {
    if (bySignature.isEmpty()) {
      return IN_TURN;
    }
    return byMethod.computeIfAbsent(
        method, each -> bySignature.getOrDefault(signature(each.method().method()), IN_TURN));
  }

  /** Returns all rules under which requests may be served concurrently with others. */
  public Set<Rule> rulesBeside() {
    return rulesBeside;
  }

  public boolean isConcurrent() {
    return !rulesBeside.isEmpty();
  }

  /** Returns the names of the methods that may run beside others, as {@code read(), sum()}. */
  public String concurrentMethods() {
    return bySignature.entrySet().stream()
        .filter(each -> each.getValue() instanceof Rule.Beside)
        .map(each -> each.getKey().substring(0, each.getKey().indexOf('(')) + "()")
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  public boolean hasImmediate() {
    return !immediates.isEmpty();
  }

  /**
   * Returns the signatures of the methods that bypass the queue, in the form that callers on other
   * nodes receive; empty if there are none.
   */
  public String immediates() {
    return immediates;
  }

  /** Returns whether a method is among {@link #immediates}. */
  public static boolean isAmong(String immediates, CallMethod method) {
    if (immediates.isEmpty()) {
      return false;
    }
    var signature = signature(method.method().method()) + SIGNATURE_END;
    var place = immediates.indexOf(signature);
    return place == 0 || place > 0 && immediates.contains(SIGNATURE_END + signature);
  }

  /** Returns whether the service loop may be left and entered again. */
  public boolean isResumable() {
    return type.isAnnotationPresent(Resumable.class);
  }

  public boolean hasOwnService() {
    return Service.class.isAssignableFrom(type);
  }

  private static Map<String, Set<String>> compatibility(List<Method> methods) {
    Map<String, Set<String>> compatible = new HashMap<>();
    for (var method : methods) {
      var concurrent = method.getAnnotation(Concurrent.class);
      if (concurrent == null) {
        continue;
      }
      var own = compatible.computeIfAbsent(concurrent.value(), group -> new TreeSet<>());
      own.add(concurrent.value());
      for (var other : concurrent.with()) {
        own.add(other);
        compatible.computeIfAbsent(other, group -> new TreeSet<>()).add(concurrent.value());
      }
    }
    return compatible;
  }

  /** Returns the class, its superclasses and all their interfaces, the class first. */
  private static Stream<Class<?>> hierarchy(Class<?> type) {
    Stream<Class<?>> own = Stream.of(type);
    var above =
        Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()));
    return type == Object.class
        ? Stream.of()
        : Stream.concat(own, above.flatMap(ServicePolicy::hierarchy));
  }

  private static String signature(Method method) {
    var text = new StringBuilder(method.getName()).append('(');
    for (var parameter : method.getParameterTypes()) {
      text.append(parameter.getName()).append(',');
    }
    return text.toString();
  }
}
