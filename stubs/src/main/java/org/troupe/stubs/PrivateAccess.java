package org.troupe.stubs;

import static java.lang.classfile.ClassFile.ACC_PRIVATE;
import static java.lang.classfile.ClassFile.ACC_STATIC;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.troupe.stubs.Reifiable.Problem;

/** Finds byte code that accesses private members of an object which may be a stub. */
final class PrivateAccess {

  /*
   * Scope. Only a class and its nest mates (nested classes of one top-level class) can access
   * private members; classes compiled before Java 11 use static accessor methods of the class
   * itself, which are inspected as well. An access is a problem unless the object is `this`, was
   * created in the same method, or is the object around `this`.
   *
   * Outer objects. The object around `this` is as safe as `this` if only the nest can create the
   * inner object, because `other.new Inner()` in the nest is found. A non-private inner class can
   * be instantiated by other code around a stub.
   *
   * Not inspected. Private methods of interfaces can only call other methods, which the stub passes
   * on. Accesses by reflection and by native code to objects other than arguments are not found.
   */

  /** The private instance members of one class. */
  private record Secrets(Class<?> owner, Set<String> fields, Set<String> methods) {

    static Secrets of(Class<?> c) {
      return new Secrets(
          c,
          Arrays.stream(c.getDeclaredFields())
              .filter(f -> isInstancePrivate(f.getModifiers()) && !f.isSynthetic())
              .map(Field::getName)
              .collect(toSet()),
          Arrays.stream(c.getDeclaredMethods())
              .filter(m -> isInstancePrivate(m.getModifiers()))
              .map(m -> m.getName() + MethodTable.descriptorOf(m))
              .collect(toSet()));
    }

    private static boolean isInstancePrivate(int flags) {
      return Modifier.isPrivate(flags) && !Modifier.isStatic(flags);
    }

    boolean isEmpty() {
      return fields.isEmpty() && methods.isEmpty();
    }
  }

  private final ClassFileCache files;
  private final List<Problem> problems;
  private final Map<String, Secrets> secrets = new LinkedHashMap<>();
  private final Set<String> family = new LinkedHashSet<>();
  private final Set<String> said = new LinkedHashSet<>();

  /** Whether the nest being read has handles or updaters for our fields. */
  private boolean accessors;

  private PrivateAccess(ClassFileCache files, List<Problem> problems) {
    this.files = files;
    this.problems = problems;
  }

  /** Adds a problem for each method that accesses private members of another instance of a type. */
  static void inspect(Class<?> type, ClassFileCache files, List<Problem> problems) {
    new PrivateAccess(files, problems).inspect(type);
  }

  private void inspect(Class<?> type) {
    List<Class<?>> types = MethodTable.superclasses(type);
    for (Class<?> c : types) {
      family.add(internalName(c));
      var ofC = Secrets.of(c);
      if (!ofC.isEmpty()) {
        secrets.put(internalName(c), ofC);
      }
    }
    for (Class<?> c : types) {
      inspectNativeMethods(c);
    }
    var seen = new LinkedHashSet<String>();
    for (Secrets s : List.copyOf(secrets.values())) {
      inspectNest(s.owner(), seen);
    }
  }

  private void inspectNativeMethods(Class<?> c) {
    for (Method method : c.getDeclaredMethods()) {
      boolean takesOne =
          Stream.of(method.getParameterTypes()).anyMatch(p -> family.contains(internalName(p)));
      if (Modifier.isNative(method.getModifiers()) && takesOne) {
        String where = files.where(method);
        add(
            "method '%s' of %s%s is native and takes one, whose empty fields it may read"
                .formatted(
                    StubMethod.signature(method.getName(), method.getParameterTypes()),
                    c.getTypeName(),
                    at(where)),
            where,
            "pass it the values instead");
      }
    }
  }

  private void inspectNest(Class<?> owner, Set<String> seen) {
    ClassModel own = files.of(owner).orElse(null);
    if (own == null) {
      add(
          "the byte code of %s cannot be read, so accesses to its private fields cannot be checked"
              .formatted(owner.getTypeName()),
          "",
          "let its class loader give class files as resources");
      return;
    }
    String host =
        own.findAttribute(Attributes.nestHost())
            .map(a -> a.nestHost().asInternalName())
            .orElse(internalName(owner));
    var nest = new LinkedHashSet<String>();
    nest.add(internalName(owner));
    nest.add(host);
    files.of(owner, host).flatMap(f -> f.findAttribute(Attributes.nestMembers())).stream()
        .flatMap(a -> a.nestMembers().stream())
        .map(ClassEntry::asInternalName)
        .forEach(nest::add);
    nest.removeIf(name -> !seen.add(name));
    accessors =
        nest.stream()
            .flatMap(name -> files.of(owner, name).stream())
            .anyMatch(this::makesAccessors);
    for (String name : nest) {
      files
          .of(owner, name)
          .ifPresentOrElse(
              file -> file.methods().forEach(m -> new Reader(file, owner, m).inspect()),
              () ->
                  add(
                      "the byte code of %s, which may read private fields, cannot be read"
                          .formatted(name.replace('/', '.')),
                      "",
                      "let the class loader give class files as resources"));
    }
  }

  /** Returns whether a method makes a handle or updater and names one of the types. */
  private boolean makesAccessors(ClassModel file) {
    for (MethodModel method : file.methods()) {
      boolean makes = false;
      boolean ours = false;
      for (CodeElement element :
          method.code().stream().flatMap(CodeModel::elementStream).toList()) {
        if (element instanceof InvokeInstruction call) {
          String name = call.name().stringValue();
          makes |= name.equals("newUpdater") || name.equals("findVarHandle");
        } else if (element instanceof ConstantInstruction constant
            && constant.constantValue() instanceof ClassDesc c) {
          ours |= secrets.containsKey(internalName(c));
        }
      }
      if (makes && ours) {
        return true;
      }
    }
    return false;
  }

  private void add(String what, String where, String remedy) {
    var problem = new Problem(what, where, remedy);
    if (said.add(what)) {
      problems.add(problem);
    }
  }

  private static String internalName(Class<?> c) {
    return c.getName().replace('.', '/');
  }

  private static String internalName(ClassDesc c) {
    String descriptor = c.descriptorString();
    return c.isClassOrInterface() ? descriptor.substring(1, descriptor.length() - 1) : descriptor;
  }

  private static String at(String where) {
    return where.isEmpty() ? "" : " (" + where + ")";
  }

  private static String simpleName(String internalName) {
    return internalName.substring(internalName.lastIndexOf('/') + 1).replace('$', '.');
  }

  /** Reads a method of one class of a nest. */
  private final class Reader {

    private final ClassModel file;
    private final Class<?> neighbour;
    private final String name;
    private final MethodModel method;
    private int line;

    Reader(ClassModel file, Class<?> neighbour, MethodModel method) {
      this.file = file;
      this.neighbour = neighbour;
      this.method = method;
      this.name = file.thisClass().asInternalName();
    }

    void inspect() {
      try {
        DataFlow.follow(method, takesOuter(file, method), this::visit);
      } catch (IllegalArgumentException e) {
        line = 0;
        report("cannot be understood: " + e.getMessage(), "compile it with a newer compiler");
      }
    }

    private void visit(Instruction instruction, TypeState before, int at) {
      line = at;
      switch (instruction) {
        case FieldInstruction field -> visitField(field, before);
        case InvokeInstruction call -> visitCall(call, before);
        case InvokeDynamicInstruction call -> {
          int slots = DataFlow.argumentSlots(call.typeSymbol());
          byte receiver = slots == 0 ? TypeState.OTHER : before.peek(slots - 1);
          for (ConstantDesc argument : call.bootstrapArgs()) {
            visitConstant(argument, receiver);
          }
        }
        case ConstantInstruction constant ->
            visitConstant(constant.constantValue(), TypeState.OTHER);
        default -> {}
      }
    }

    private void visitField(FieldInstruction field, TypeState before) {
      boolean write = field.opcode() == Opcode.PUTFIELD;
      if (!write && field.opcode() != Opcode.GETFIELD) {
        return;
      }
      Secrets known = secrets.get(field.owner().asInternalName());
      if (known != null && known.fields().contains(field.name().stringValue())) {
        byte object = before.peek(write ? DataFlow.slots(field.typeSymbol()) : 0);
        reached(
            object,
            "%s private field '%s'".formatted(write ? "writes" : "reads", field.name()),
            known);
      }
    }

    private void visitCall(InvokeInstruction call, TypeState before) {
      if (call.opcode() == Opcode.INVOKESTATIC) {
        return;
      }
      MethodTypeDesc type = call.typeSymbol();
      int slots = DataFlow.argumentSlots(type);
      String owner = call.owner().asInternalName();
      String called = call.name().stringValue();
      if (called.equals("<init>")) {
        visitConstruction(owner, type, slots, before);
      } else if (isFieldAccessor(owner) && slots > 0) {
        visitAccessor(type, before.peek(slots - 1));
      } else {
        visitPrivateCall(owner, called, type.descriptorString(), before.peek(slots));
      }
    }

    private void visitConstruction(String made, MethodTypeDesc type, int slots, TypeState before) {
      if (slots == 0 || !type.parameterType(0).isClassOrInterface()) {
        return;
      }
      Secrets outer = secrets.get(internalName(type.parameterType(0)));
      if (outer == null || before.peek(slots - 1) != TypeState.OTHER) {
        return;
      }
      Optional<ClassModel> inner = isNear(made) ? files.of(neighbour, made) : Optional.empty();
      boolean takesOuter =
          inner
              .filter(
                  f ->
                      ClassFileCache.method(f, "<init>", type.descriptorString())
                          .filter(m -> takesOuter(f, m))
                          .isPresent())
              .isPresent();
      if (takesOuter) {
        report(
            "makes a %s inside another %s, where it would see empty fields"
                .formatted(simpleName(made), outer.owner().getSimpleName()),
            "let a method of that other object make it");
      }
    }

    /** A VarHandle or field updater accesses the field of its first argument. */
    private void visitAccessor(MethodTypeDesc type, byte object) {
      String first = internalName(type.parameterType(0));
      boolean ours = secrets.containsKey(first);
      boolean unknown = first.equals("java/lang/Object") && accessors;
      if (object == TypeState.OTHER && (ours || unknown)) {
        report(
            "reads or writes through a field accessor an object that may be a stub",
            "call a method of that object instead, such as a getter");
      }
    }

    private void visitPrivateCall(String owner, String called, String type, byte object) {
      Secrets known = secrets.get(owner);
      if (known != null && known.methods().contains(called + type)) {
        reached(object, "calls private method '%s'".formatted(called), known);
      }
    }

    private void visitConstant(ConstantDesc constant, byte receiver) {
      if (constant instanceof DirectMethodHandleDesc handle) {
        String owner = internalName(handle.owner());
        visitPrivateCall(owner, handle.methodName(), handle.lookupDescriptor(), receiver);
        Secrets known = secrets.get(owner);
        boolean field =
            switch (handle.kind()) {
              case GETTER, SETTER -> true;
              default -> false;
            };
        if (field && known != null && known.fields().contains(handle.methodName())) {
          reached(
              TypeState.OTHER, "reads private field '%s'".formatted(handle.methodName()), known);
        }
      }
    }

    private void reached(byte object, String does, Secrets of) {
      String owner = of.owner().getSimpleName();
      if (object == TypeState.OTHER) {
        report(
            "%s of another %s, which would be empty in a stub".formatted(does, owner),
            "call a method of that object instead, such as a getter");
      } else if (object == TypeState.OUTER && isMadeByAnybody(internalName(of.owner()))) {
        report(
            "%s of the %s around it, which is a stub after 'stub.new %s(..)'"
                .formatted(does, owner, simpleName(name).replaceFirst(".*\\.", "")),
            "make the inner class private or static");
      }
    }

    private void report(String does, String remedy) {
      String where = ClassFileCache.where(file, line);
      add("%s of %s%s %s".formatted(describe(), simpleName(name), at(where), does), where, remedy);
    }

    private String describe() {
      String called = method.methodName().stringValue();
      if (called.equals("<clinit>")) {
        return "static initializer";
      }
      String parameters =
          method.methodTypeSymbol().parameterList().stream()
              .map(p -> p.displayName().replace('$', '.'))
              .collect(joining(", ", "(", ")"));
      if (called.equals("<init>")) {
        return "constructor '%s%s'"
            .formatted(simpleName(name).replaceFirst(".*\\.", ""), parameters);
      }
      if (called.equals("$deserializeLambda$")) {
        return "a serializable lambda"; // its captured `this` may come back as a stub
      }
      if (called.startsWith("lambda$")) {
        return "a lambda in '%s'".formatted(called.split("\\$")[1]);
      }
      return "method '%s%s'".formatted(called, parameters);
    }

    private boolean isNear(String other) {
      return packageOf(other).equals(packageOf(name));
    }

    private static String packageOf(String internalName) {
      return internalName.substring(0, internalName.lastIndexOf('/') + 1);
    }

    private static boolean isFieldAccessor(String owner) {
      return owner.equals("java/lang/invoke/VarHandle")
          || owner.startsWith("java/util/concurrent/atomic/") && owner.endsWith("FieldUpdater");
    }

    /** Returns whether the first argument of a method is the object around the new one. */
    private boolean takesOuter(ClassModel of, MethodModel m) {
      MethodTypeDesc type = m.methodTypeSymbol();
      if (!m.methodName().equalsString("<init>")
          || type.parameterCount() == 0
          || !type.parameterType(0).isClassOrInterface()) {
        return false;
      }
      String first = internalName(type.parameterType(0));
      var member = innerInfo(of).filter(i -> i.outerClass().isPresent());
      if (member.isPresent()) {
        return !member.get().has(AccessFlag.STATIC)
            && member.get().outerClass().get().asInternalName().equals(first);
      }
      return of.fields().stream()
              .anyMatch(
                  f ->
                      f.fieldName().stringValue().startsWith("this$")
                          && f.fieldTypeSymbol().equals(type.parameterType(0)))
          || isInInstanceMethod(of, first);
    }

    /** A local class drops its field for the object around it if only its constructor uses it. */
    private boolean isInInstanceMethod(ClassModel of, String outer) {
      return of.findAttribute(Attributes.enclosingMethod())
          .filter(a -> a.enclosingClass().asInternalName().equals(outer))
          .flatMap(
              a ->
                  a.enclosingMethod()
                      .flatMap(
                          m ->
                              files
                                  .of(neighbour, outer)
                                  .flatMap(
                                      f ->
                                          ClassFileCache.method(
                                              f, m.name().stringValue(), m.type().stringValue()))))
          .filter(m -> (m.flags().flagsMask() & ACC_STATIC) == 0)
          .isPresent();
    }

    /** Returns whether code outside the nest can make an inner class around an outermost object. */
    private boolean isMadeByAnybody(String outermost) {
      Optional<ClassModel> current = Optional.of(file);
      while (current.isPresent()) {
        ClassModel c = current.get();
        Optional<InnerClassInfo> info = innerInfo(c);
        Optional<String> outer = outerName(c, info);
        if (outer.filter(outermost::equals).isPresent()) {
          return info.filter(i -> isOpenMember(c, i)).isPresent();
        }
        current = outer.flatMap(name -> files.of(neighbour, name));
      }
      return true; // not where a compiler would put it
    }

    private static boolean isOpenMember(ClassModel c, InnerClassInfo info) {
      return info.outerClass().isPresent()
          && !info.has(AccessFlag.PRIVATE)
          && c.methods().stream()
              .anyMatch(
                  m ->
                      m.methodName().equalsString("<init>")
                          && (m.flags().flagsMask() & ACC_PRIVATE) == 0);
    }

    private static Optional<String> outerName(ClassModel c, Optional<InnerClassInfo> info) {
      return info.flatMap(InnerClassInfo::outerClass)
          .or(() -> c.findAttribute(Attributes.enclosingMethod()).map(a -> a.enclosingClass()))
          .map(ClassEntry::asInternalName);
    }

    private static Optional<InnerClassInfo> innerInfo(ClassModel c) {
      return c.findAttribute(Attributes.innerClasses()).stream()
          .flatMap(a -> a.classes().stream())
          .filter(i -> i.innerClass().asInternalName().equals(c.thisClass().asInternalName()))
          .findFirst();
    }
  }
}
