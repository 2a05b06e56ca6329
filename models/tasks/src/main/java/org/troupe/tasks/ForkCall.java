package org.troupe.tasks;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Spawn;

/**
 * A call of a method {@code fork} in a class file.
 *
 * @param passed the method of the lambda, or the class of the object, that it passes: {@code
 *     owner.name(parameters)result}, or an internal name; {@code null} if that is not known
 */
record ForkCall(StackTraceElement line, @Nullable String passed) {

  private static final ClassDesc TASK = Task.class.describeConstable().orElseThrow();
  private static final Set<ClassDesc> FORKED =
      Set.of(
          Fork.class.describeConstable().orElseThrow(),
          Spawn.class.describeConstable().orElseThrow());

  /** Returns the calls in a class; none if its file cannot be read. */
  static List<ForkCall> in(Class<?> type) {
    try (var in = type.getResourceAsStream("/" + internalName(type) + ".class")) {
      if (in == null) {
        return List.of();
      }
      var file = ClassFile.of().parse(in.readAllBytes());
      var source =
          file.findAttribute(Attributes.sourceFile())
              .map(each -> each.sourceFile().stringValue())
              .orElse(null);
      var calls = new ArrayList<ForkCall>();
      for (var method : file.methods()) {
        var name = method.methodName().stringValue();
        method
            .findAttribute(Attributes.code())
            .ifPresent(
                code ->
                    addCalls(
                        code,
                        (line, passed) ->
                            calls.add(
                                new ForkCall(
                                    new StackTraceElement(type.getName(), name, source, line),
                                    passed))));
      }
      return List.copyOf(calls);
    } catch (IOException | IllegalArgumentException e) {
      return List.of();
    }
  }

  static String internalName(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  /** Returns what {@link #passed} is for a lambda. */
  static String method(String owner, String name, String descriptor) {
    return owner + '.' + name + descriptor;
  }

  /** Receives a call. */
  private interface Calls {
    void add(int line, @Nullable String passed);
  }

  private static void addCalls(CodeAttribute code, Calls calls) {
    var targets = targets(code);
    var at = 0;
    var line = -1;
    String passed = null; // by the next call, if it is a fork
    for (var element : code) {
      if (element instanceof LineNumber number) {
        line = number.line();
      } else if (element instanceof Instruction instruction) {
        if (targets.contains(at)) {
          passed = null;
        }
        if (instruction instanceof InvokeInstruction call && isFork(call)) {
          calls.add(line, passed);
        }
        passed = passedAfter(instruction, passed);
        at += instruction.sizeInBytes();
      }
    }
  }

  /** Returns the positions to which jumps lead. */
  private static Set<Integer> targets(CodeAttribute code) {
    var targets = new HashSet<Integer>();
    for (var element : code) {
      if (element instanceof BranchInstruction jump) {
        targets.add(code.labelToBci(jump.target()));
      }
    }
    return targets;
  }

  /** Returns what a fork passes that is the next call after an instruction. */
  private static @Nullable String passedAfter(Instruction instruction, @Nullable String before) {
    return switch (instruction) {
      case InvokeDynamicInstruction link -> isTask(link) ? method(link) : before;
      case InvokeInstruction call ->
          call.name().equalsString("<init>") ? call.owner().asInternalName() : null;
      case StoreInstruction _ -> null;
      case ArrayStoreInstruction _ -> null;
      case BranchInstruction _ -> null;
      case FieldInstruction field ->
          field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC ? null : before;
      case StackInstruction stack ->
          stack.opcode() == Opcode.POP || stack.opcode() == Opcode.POP2 ? null : before;
      default -> before;
    };
  }

  private static boolean isFork(InvokeInstruction call) {
    return call.name().equalsString("fork") && FORKED.contains(call.typeSymbol().returnType());
  }

  private static boolean isTask(InvokeDynamicInstruction link) {
    return link.typeSymbol().returnType().equals(TASK);
  }

  private static @Nullable String method(InvokeDynamicInstruction link) {
    var arguments = link.bootstrapArgs();
    if (arguments.size() < 2 || !(arguments.get(1) instanceof DirectMethodHandleDesc method)) {
      return null;
    }
    var owner = method.owner().descriptorString(); // Lpackage/Name;
    return method(
        owner.substring(1, owner.length() - 1), method.methodName(), method.lookupDescriptor());
  }
}
