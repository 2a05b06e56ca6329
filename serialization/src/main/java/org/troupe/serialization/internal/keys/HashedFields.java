package org.troupe.serialization.internal.keys;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassKinds;

/** Finds which fields of an object its {@code hashCode}, {@code equals} and comparisons read. */
final class HashedFields {

  /*
   * Code analysis. A vertex of a graph is often a key: its hashCode returns its number, while a
   * field leads to its neighbours, and so to the whole graph. Only the byte code distinguishes it
   * from a key that hashes its neighbours too. The analysis follows calls within the class's own
   * hierarchy; where the object is passed to other code, every field counts as read.
   */

  private static final Set<String> ROOTS = Set.of("hashCode", "equals", "compareTo", "compare");
  private static final String RECORD_METHODS = "java/lang/runtime/ObjectMethods";

  private record Method(String name, MethodTypeDesc type) {}

  private final Map<String, ClassModel> hierarchy = new HashMap<>();
  private final Deque<Method> toRead = new ArrayDeque<>();
  private final Set<Method> found = new HashSet<>();
  private final Set<String> fields = new HashSet<>();

  private boolean isStraight = true;

  /** Whether all fields are read by a method that the compiler generated for a record. */
  private boolean isGenerated;

  private HashedFields() {}

  /**
   * The result of an analysis.
   *
   * @param fields the names of the fields that are read, or null if that may be any
   * @param isStraight whether its cost is proportional to the fields read: there are no loops and
   *     no calls of foreign code
   */
  record Found(@Nullable Set<String> fields, boolean isStraight) {}

  private static final Found ANYTHING = new Found(null, false);

  /** Reads the code of a class of a program. */
  static Found of(Class<?> type) {
    try {
      HashedFields search = new HashedFields();
      for (Class<?> c = type; !ClassKinds.isPlatform(c); c = c.getSuperclass()) {
        search.hierarchy.put(internalName(c), model(c));
      }
      if (inheritsFromOthers(type)) {
        return ANYTHING;
      }
      return search.readsAll()
          ? ANYTHING
          : new Found(search.isGenerated ? null : search.fields, search.isStraight);
    } catch (IOException | IllegalArgumentException | IllegalStateException | LinkageError e) {
      return ANYTHING; // a class without a class file, or of a later version
    }
  }

  /**
   * Returns whether such a method is inherited from a platform class or an interface, and so calls
   * unknown methods.
   */
  private static boolean inheritsFromOthers(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> ROOTS.contains(method.getName()))
        .map(java.lang.reflect.Method::getDeclaringClass)
        .anyMatch(c -> c != Object.class && (c.isInterface() || ClassKinds.isPlatform(c)));
  }

  private static String internalName(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static ClassModel model(Class<?> type) throws IOException {
    String name = type.getName();
    try (InputStream in =
        type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
      if (in == null) {
        throw new IOException("no class file of " + name);
      }
      return ClassFile.of().parse(in.readAllBytes());
    }
  }

  private boolean readsAll() {
    for (ClassModel model : hierarchy.values()) {
      for (MethodModel method : model.methods()) {
        if (ROOTS.contains(method.methodName().stringValue())) {
          add(method.methodName().stringValue(), method.methodTypeSymbol());
        }
      }
    }
    while (!toRead.isEmpty()) {
      Method method = toRead.pop();
      boolean inherited = true;
      for (ClassModel model : hierarchy.values()) {
        for (MethodModel each : model.methods()) {
          boolean same =
              each.methodName().equalsString(method.name)
                  && each.methodTypeSymbol().equals(method.type);
          inherited &= !same;
          if (same && readsAll(each)) {
            return true;
          }
        }
      }
      if (inherited) {
        return true;
      }
    }
    return false;
  }

  private boolean add(String name, MethodTypeDesc type) {
    Method method = new Method(name, type);
    if (!found.add(method)) {
      return false;
    }
    toRead.push(method);
    return true;
  }

  private boolean readsAll(MethodModel method) {
    if (method.code().isEmpty()) {
      return false;
    }
    Set<Label> passed = new HashSet<>();
    for (CodeElement element : method.code().get()) {
      boolean all =
          switch (element) {
            case FieldInstruction field -> {
              if (field.opcode() == Opcode.GETFIELD && isOwn(field.owner().asInternalName())) {
                fields.add(field.name().stringValue());
              }
              yield false;
            }
            case LabelTarget target -> {
              passed.add(target.label());
              yield false;
            }
            case BranchInstruction branch -> {
              isStraight &= !passed.contains(branch.target());
              yield false;
            }
            case InvokeDynamicInstruction made -> readsAll(made);
            case InvokeInstruction call ->
                readsAll(
                    call.owner().asInternalName(), call.name().stringValue(), call.typeSymbol());
            default -> false;
          };
      if (all) {
        return true;
      }
    }
    return false;
  }

  private boolean isOwn(String owner) {
    return hierarchy.containsKey(owner);
  }

  private boolean readsAll(InvokeDynamicInstruction made) {
    if (made.bootstrapMethod().owner().descriptorString().equals("L" + RECORD_METHODS + ";")) {
      isGenerated = true;
      return false;
    }
    for (var argument : made.invokedynamic().bootstrap().arguments()) {
      if (argument instanceof MethodHandleEntry handle
          && readsAll(
              handle.reference().owner().asInternalName(),
              handle.reference().name().stringValue(),
              MethodTypeDesc.ofDescriptor(handle.reference().type().stringValue()))) {
        return true;
      }
    }
    return false;
  }

  /** Follows a call of the class's own methods; another method might receive the object itself. */
  private boolean readsAll(String owner, String name, MethodTypeDesc type) {
    if (isOwn(owner)) {
      isStraight &= add(name, type) || ROOTS.contains(name);
      return false;
    }
    if (owner.startsWith("java/")) {
      return owner.startsWith("java/lang/reflect/") || owner.startsWith("java/lang/invoke/");
    }
    isStraight &= ROOTS.contains(name);
    return !ROOTS.contains(name) && type.parameterList().stream().anyMatch(this::mayBeItself);
  }

  private boolean mayBeItself(ClassDesc parameter) {
    return parameter.isClassOrInterface()
        && (!parameter.packageName().startsWith("java.")
            || parameter.descriptorString().equals("Ljava/lang/Object;"));
  }
}
