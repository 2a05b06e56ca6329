package org.troupe.replicas;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.stubs.Effect;

/** Finds out which methods of a class change nothing. */
final class ReadMethods {

  /*
   * Design: proof by byte code
   *
   * A method is a read if it stores to nothing but objects that it has created, and calls only methods of which
   * the same holds. A call must reach a known method: of this object, whose class is known, static, private, of a
   * final class, or of the platform's values. All else is a doubt, and doubt means write. A method that
   * is being examined counts as a read in its own recursion, since a change anywhere in the cycle is found at its place;
   * if one is found, the methods that were taken for reads on the way are examined again.
   */

  /**
   * The verdict on a method.
   *
   * @param isRead whether it is served by one replica
   * @param isProved whether the byte code proves that
   * @param why what makes it a write, or a read
   */
  record Verdict(boolean isRead, boolean isProved, String why) {}

  private static final ClassValue<ReadMethods> KNOWN =
      new ClassValue<>() {
        @Override
        protected ReadMethods computeValue(Class<?> type) {
          return new ReadMethods(type);
        }
      };

  /** Classes of the platform whose methods change nothing if their parameters are values, too. */
  private static final Set<String> VALUES =
      Set.of(
          "java/lang/String",
          "java/lang/Math",
          "java/lang/StrictMath",
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Short",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Float",
          "java/lang/Double",
          "java/math/MathContext",
          "java/math/RoundingMode",
          "java/time/Duration",
          "java/time/Instant",
          "java/time/LocalDate",
          "java/time/LocalDateTime",
          "java/time/LocalTime");

  /** Their methods that depend on the clock or the system. */
  private static final Set<String> IMPURE =
      Set.of("now", "getInteger", "getLong", "getBoolean", "random", "getChars", "getBytes");

  /** Single methods, as {@code owner.name}. */
  private static final Set<String> PURE =
      Set.of(
          "java/lang/Object.<init>",
          "java/lang/Record.<init>",
          "java/lang/Object.getClass",
          "java/lang/Enum.ordinal",
          "java/lang/Enum.name",
          "java/util/Objects.requireNonNull",
          "java/util/Optional.empty",
          "java/util/Optional.of",
          "java/util/Optional.ofNullable",
          "java/util/Optional.get",
          "java/util/Optional.isPresent",
          "java/util/Optional.isEmpty",
          "java/util/Optional.orElse");

  /** Methods that change only the object on which they are called, if it is fresh. */
  private static final Set<String> OWN_STATE =
      Set.of(
          "java/lang/StringBuilder.append",
          "java/lang/StringBuilder.toString",
          "java/lang/StringBuilder.length",
          "java/lang/StringBuilder.<init>",
          "java/util/ArrayList.<init>",
          "java/util/ArrayList.add",
          "java/util/ArrayList.get",
          "java/util/ArrayList.size");

  private record Target(Class<?> owner, String name, String type) {}

  private final Class<?> root;
  private final Map<Target, String> reasons = new HashMap<>(); // "" for a read
  private final Map<Class<?>, ClassModel> models = new HashMap<>();

  private ReadMethods(Class<?> root) {
    this.root = root;
  }

  static ReadMethods of(Class<?> type) {
    return KNOWN.get(type);
  }

  synchronized Verdict verdict(Method method) {
    var name = method.getName();
    var type =
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .descriptorString();
    var why = reasonOf(new Target(root, name, type));
    models.clear();
    if (why.isEmpty()) {
      return new Verdict(true, true, "its byte code changes nothing");
    }
    reasons.values().removeIf(String::isEmpty); // may have been taken for reads in a recursion
    return isDeclared(method)
        ? new Verdict(true, false, "it is declared with @Reads")
        : new Verdict(false, false, why);
  }

  private boolean isDeclared(Method method) {
    for (Class<?> each = root; each != null; each = each.getSuperclass()) {
      if (declares(each, method, false)) {
        return true;
      }
      for (var face : each.getInterfaces()) {
        if (isDeclaredBy(face, method)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isDeclaredBy(Class<?> face, Method method) {
    if (declares(face, method, face.isAnnotationPresent(Reads.class))) {
      return true;
    }
    for (var parent : face.getInterfaces()) {
      if (isDeclaredBy(parent, method)) {
        return true;
      }
    }
    return false;
  }

  private static boolean declares(Class<?> type, Method method, boolean declaresAll) {
    try {
      var own = type.getDeclaredMethod(method.getName(), method.getParameterTypes());
      return declaresAll || own.isAnnotationPresent(Reads.class);
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /** Returns why a method may change something; empty if it does not. */
  private String reasonOf(Target target) {
    var known = reasons.putIfAbsent(target, "");
    if (known != null) {
      return known;
    }
    var reason = examined(target);
    reasons.put(target, reason);
    return reason;
  }

  private String examined(Target target) {
    var place = find(target);
    if (place == null) {
      return "the byte code of "
          + target.owner().getSimpleName()
          + "."
          + target.name()
          + " is not known";
    }
    var model = place.model();
    if (model.code().isEmpty()) {
      return place.owner().getSimpleName() + "." + target.name() + " is native or abstract";
    }
    for (var effect : Effect.of(model)) {
      var reason = reasonOf(effect, place.owner());
      if (!reason.isEmpty()) {
        var isNamed = reason.endsWith(")");
        return isNamed
            ? reason
            : reason + " (" + sourceOf(place.owner()) + ":" + effect.line() + ")";
      }
    }
    return "";
  }

  private String reasonOf(Effect effect, Class<?> owner) {
    return switch (effect) {
      case Effect.FieldStore store -> "it stores to the field '" + store.field() + "'";
      case Effect.ElementStore _ -> "it stores to an element of an array";
      case Effect.DynamicCall(String bootstrap, MethodTypeDesc type, int _) ->
          switch (bootstrap) {
            case "makeConcatWithConstants", "makeConcat" ->
                areValues(type) ? "" : "it makes text of an object, whose toString() is not known";
            case "metafactory", "altMetafactory" -> "";
            default -> "it calls what '" + bootstrap + "' links";
          };
      case Effect.Call call -> reasonOf(call, owner);
    };
  }

  private String reasonOf(Effect.Call call, Class<?> caller) {
    var name = call.owner() + "." + call.name();
    if (PURE.contains(name)
        || OWN_STATE.contains(name) && isFresh(call) && areValuesOrKept(call)
        || VALUES.contains(call.owner()) && !IMPURE.contains(call.name()) && areValues(call.type())
        || isExceptionMade(call)) {
      return "";
    }
    var doubt = "it calls " + name.replaceAll("^.*[/$]([^/$.]+\\.[^.]+)$", "$1");
    Class<?> owner;
    try {
      owner = Class.forName(call.owner().replace('/', '.'), false, caller.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return doubt + ", whose class is not known";
    }
    if (owner.isArray()) {
      return call.name().equals("clone") ? "" : doubt;
    }
    if (isOfPlatform(owner)) {
      return doubt + ", of which it is not known whether it changes something";
    }
    var type = call.type().descriptorString();
    var isThis =
        call.receiver() == Effect.Receiver.THIS
            && owner.isAssignableFrom(root)
            && caller.isAssignableFrom(root)
            && !isInner(caller);
    if (call.isExact()) {
      return nested(doubt, reasonOf(new Target(owner, call.name(), type)));
    }
    if (isThis) {
      return nested(doubt, reasonOf(new Target(root, call.name(), type)));
    }
    var place = find(new Target(owner, call.name(), type));
    if (place != null
        && (Modifier.isFinal(owner.getModifiers())
            || place.model().flags().has(AccessFlag.FINAL)
            || place.model().flags().has(AccessFlag.PRIVATE))) {
      return nested(doubt, reasonOf(new Target(owner, call.name(), type)));
    }
    return doubt + ", which a subclass may define otherwise";
  }

  private static String nested(String call, String reason) {
    return reason.isEmpty() ? "" : call + ": " + reason;
  }

  private static boolean isFresh(Effect.Call call) {
    return call.receiver() == Effect.Receiver.FRESH;
  }

  private static boolean areValuesOrKept(Effect.Call call) {
    return call.owner().equals("java/util/ArrayList")
        ? call.type().parameterList().stream()
            .allMatch(type -> type.isPrimitive() || type.equals(ConstantDescs.CD_Object))
        : areValues(call.type());
  }

  private static boolean isExceptionMade(Effect.Call call) {
    return call.name().equals("<init>")
        && call.owner().startsWith("java/")
        && (call.owner().endsWith("Exception") || call.owner().endsWith("Error"))
        && areValues(call.type());
  }

  private static boolean areValues(MethodTypeDesc type) {
    return type.parameterList().stream().allMatch(ReadMethods::isValue);
  }

  private static boolean isValue(ClassDesc type) {
    if (type.isPrimitive()) {
      return true;
    }
    var name = type.descriptorString();
    return name.startsWith("L") && VALUES.contains(name.substring(1, name.length() - 1));
  }

  private static boolean isOfPlatform(Class<?> type) {
    var loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }

  private static boolean isInner(Class<?> type) {
    return type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers());
  }

  private record Found(Class<?> owner, MethodModel model) {}

  /** Returns the method that a call on an object of exactly the owner's class reaches. */
  private @Nullable Found find(Target target) {
    for (Class<?> each = target.owner(); each != null; each = each.getSuperclass()) {
      var found = declared(each, target);
      if (found != null) {
        return found;
      }
    }
    for (Class<?> each = target.owner(); each != null; each = each.getSuperclass()) {
      for (var face : each.getInterfaces()) {
        var found = inherited(face, target);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private @Nullable Found inherited(Class<?> face, Target target) {
    var found = declared(face, target);
    for (var parent : face.getInterfaces()) {
      found = found == null || found.model().code().isEmpty() ? inherited(parent, target) : found;
    }
    return found;
  }

  private @Nullable Found declared(Class<?> type, Target target) {
    var model = isOfPlatform(type) ? null : models.computeIfAbsent(type, ReadMethods::parsed);
    if (model != null) {
      for (var method : model.methods()) {
        if (method.methodName().equalsString(target.name())
            && method.methodType().equalsString(target.type())) {
          return new Found(type, method);
        }
      }
    }
    return null;
  }

  private String sourceOf(Class<?> type) {
    var model = models.computeIfAbsent(type, ReadMethods::parsed);
    return Optional.ofNullable(model)
        .flatMap(known -> known.findAttribute(Attributes.sourceFile()))
        .map(file -> file.sourceFile().stringValue())
        .orElse(type.getName());
  }

  private static @Nullable ClassModel parsed(Class<?> type) {
    var name = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
    try (var file = type.getResourceAsStream(name)) {
      return file == null ? null : ClassFile.of().parse(file.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the byte code of " + type.getName(), e);
    }
  }
}
