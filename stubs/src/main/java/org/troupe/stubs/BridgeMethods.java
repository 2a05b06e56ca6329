package org.troupe.stubs;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.reflect.Method;
import java.util.Optional;

/** Resolves bridge methods, which a compiler adds where erased signatures differ. */
final class BridgeMethods {

  private BridgeMethods() {}

  /**
   * Returns the descriptor of the method that a bridge calls on {@code this}; empty if the method
   * does anything but cast its arguments and call one of the same name.
   */
  static Optional<String> target(Method bridge, String descriptor, ClassFileCache files) {
    return files
        .of(bridge.getDeclaringClass())
        .flatMap(file -> ClassFileCache.method(file, bridge.getName(), descriptor))
        .flatMap(MethodModel::code)
        .flatMap(code -> target(code, bridge.getName()))
        .filter(target -> !target.equals(descriptor));
  }

  private static Optional<String> target(CodeModel code, String name) {
    String target = null;
    int nextSlot = 0;
    for (CodeElement element : code) {
      if (!(element instanceof Instruction)) {
        continue;
      }
      if (target != null) {
        return element instanceof ReturnInstruction ? Optional.of(target) : Optional.empty();
      }
      if (element instanceof LoadInstruction load && load.slot() == nextSlot) {
        nextSlot += load.typeKind().slotSize();
      } else if (element instanceof InvokeInstruction call && isVirtual(call, name)) {
        target = call.type().stringValue();
      } else if (!isCast(element)) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static boolean isCast(CodeElement element) {
    return element instanceof TypeCheckInstruction check && check.opcode() == Opcode.CHECKCAST;
  }

  private static boolean isVirtual(InvokeInstruction call, String name) {
    return call.name().equalsString(name)
        && (call.opcode() == Opcode.INVOKEVIRTUAL || call.opcode() == Opcode.INVOKEINTERFACE);
  }
}
