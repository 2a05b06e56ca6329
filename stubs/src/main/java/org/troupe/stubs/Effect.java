package org.troupe.stubs;

import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that the byte code of a method does beyond objects that it has created itself: a store
 * or a call.
 */
public sealed interface Effect {

  /** Returns its line in the source, or 0. */
  int line();

  /** Stores to a field of an object that was not created in the method, or to a static field. */
  record FieldStore(String field, int line) implements Effect {}

  /** Stores to an element of an array that was not created in the method. */
  record ElementStore(int line) implements Effect {}

  /**
   * Calls a method or a constructor.
   *
   * @param owner the internal name of the class that the call names
   * @param isExact whether the call reaches the method of that class for an object of any class
   * @param receiver the origin of the object
   */
  record Call(
      String owner, String name, MethodTypeDesc type, boolean isExact, Receiver receiver, int line)
      implements Effect {}

  /**
   * Calls what a bootstrap method has linked.
   *
   * @param bootstrap the name of the bootstrap method
   */
  record DynamicCall(String bootstrap, MethodTypeDesc type, int line) implements Effect {}

  /** Where the object comes from on which a method is called. */
  enum Receiver {
    /** It is {@code this}, or the object around it. */
    THIS,
    /** It was created in the method. */
    FRESH,
    /** It is any other object, or there is none. */
    OTHER
  }

  /**
   * Returns the effects of a method, along every path. In a constructor {@code this} counts as
   * created by it.
   *
   * @throws IllegalArgumentException if the code has instructions of before Java 6
   */
  static List<Effect> of(MethodModel method) {
    var isConstructor = method.methodName().equalsString("<init>");
    List<Effect> effects = new ArrayList<>();
    DataFlow.follow(
        method,
        isConstructor ? TypeState.OWN : TypeState.OUTER,
        false,
        (instruction, before, line) -> {
          switch (instruction) {
            case FieldInstruction field -> {
              var name = field.name().stringValue();
              var isOfFresh =
                  field.opcode() == Opcode.PUTFIELD
                      && before.peek(DataFlow.slots(field.typeSymbol())) == TypeState.OWN;
              var isStore = field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC;
              if (isStore && !isOfFresh) {
                effects.add(new FieldStore(name, line));
              }
            }
            case ArrayStoreInstruction store -> {
              if (before.peek(store.typeKind().slotSize() + 1) != TypeState.OWN) {
                effects.add(new ElementStore(line));
              }
            }
            case InvokeInstruction call -> {
              var isExact =
                  call.opcode() == Opcode.INVOKESTATIC || call.opcode() == Opcode.INVOKESPECIAL;
              var receiver =
                  call.opcode() == Opcode.INVOKESTATIC
                      ? Receiver.OTHER
                      : receiver(before.peek(DataFlow.argumentSlots(call.typeSymbol())));
              effects.add(
                  new Call(
                      call.owner().asInternalName(),
                      call.name().stringValue(),
                      call.typeSymbol(),
                      isExact,
                      receiver,
                      line));
            }
            case InvokeDynamicInstruction call ->
                effects.add(
                    new DynamicCall(call.bootstrapMethod().methodName(), call.typeSymbol(), line));
            default -> {}
          }
        });
    return effects;
  }

  private static Receiver receiver(byte origin) {
    return switch (origin) {
      case TypeState.OWN -> Receiver.FRESH;
      case TypeState.OUTER -> Receiver.THIS;
      default -> Receiver.OTHER;
    };
  }
}
