package org.troupe.stubs;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Data-flow analysis of one method's byte code: tracks where its object references come from, along
 * every path.
 */
final class DataFlow {

  /*
   * Abstract interpretation over the three values of TypeState, which form a chain. A state is kept
   * per instruction, in slots: long and double take two. Where paths meet, a slot takes the smaller
   * value; values only decrease, so the work list algorithm terminates (Kildall, POPL 1973).
   */

  /** Receives each reachable instruction with the state before it. */
  interface Observer {
    void visit(Instruction instruction, TypeState before, int line);
  }

  private final List<CodeElement> elements;
  private final Map<Label, Integer> labels = new HashMap<>();
  private final List<ExceptionCatch> handlers;
  private final TypeState[] before;
  private final ArrayDeque<Integer> work = new ArrayDeque<>();

  private DataFlow(CodeAttribute code) {
    elements = code.elementList();
    handlers = code.exceptionHandlers();
    before = new TypeState[elements.size() + 1];
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LabelTarget target) {
        labels.put(target.label(), i);
      }
    }
  }

  /**
   * Shows every reachable instruction of a method to an observer, in the order of the code.
   *
   * @param outerInSlot1 whether the method is the constructor of an inner class, which gets the
   *     object around it first
   * @throws IllegalArgumentException if the code has instructions of before Java 6
   */
  static void follow(MethodModel method, boolean outerInSlot1, Observer observer) {
    follow(method, TypeState.OWN, outerInSlot1, observer);
  }

  /** Shows the instructions of a method in which {@code this} is of a given origin. */
  static void follow(MethodModel method, byte self, boolean outerInSlot1, Observer observer) {
    CodeAttribute code = method.findAttribute(Attributes.code()).orElse(null);
    if (code == null) {
      return;
    }
    var start = new TypeState(code.maxLocals(), code.maxStack());
    if ((method.flags().flagsMask() & ClassFile.ACC_STATIC) == 0) {
      start.setLocal(0, self);
    }
    if (outerInSlot1) {
      start.setLocal(1, TypeState.OUTER);
    }
    var flow = new DataFlow(code);
    flow.run(start);
    flow.show(observer);
  }

  private void run(TypeState start) {
    flowTo(0, start);
    while (!work.isEmpty()) {
      int i = work.remove();
      TypeState frame = before[i];
      for (ExceptionCatch handler : handlers) {
        if (index(handler.tryStart()) <= i && i < index(handler.tryEnd())) {
          flowTo(index(handler.handler()), frame.atHandler());
        }
      }
      if (i < elements.size()) {
        step(i, frame.copy());
      }
    }
  }

  private void show(Observer observer) {
    int line = 0;
    for (int i = 0; i < elements.size(); i++) {
      CodeElement element = elements.get(i);
      if (element instanceof LineNumber number) {
        line = number.line();
      } else if (element instanceof Instruction instruction && before[i] != null) {
        observer.visit(instruction, before[i], line);
      }
    }
  }

  private int index(Label label) {
    return Objects.requireNonNull(labels.get(label), "the label is in this code");
  }

  private void flowTo(int i, TypeState frame) {
    if (before[i] == null) {
      before[i] = frame.copy();
      work.add(i);
    } else if (before[i].meet(frame)) {
      work.add(i);
    }
  }

  /**
   * Applies one instruction to the state before it, and propagates the result to its successors.
   */
  private void step(int i, TypeState frame) {
    boolean goesOn = true;
    switch (elements.get(i)) {
      case BranchInstruction branch -> {
        frame.pop(operands(branch.opcode()));
        flowTo(index(branch.target()), frame);
        goesOn = branch.opcode() != Opcode.GOTO && branch.opcode() != Opcode.GOTO_W;
      }
      case TableSwitchInstruction choice -> {
        choose(frame, choice.defaultTarget(), choice.cases());
        goesOn = false;
      }
      case LookupSwitchInstruction choice -> {
        choose(frame, choice.defaultTarget(), choice.cases());
        goesOn = false;
      }
      case ReturnInstruction _, ThrowInstruction _ -> goesOn = false;
      case Instruction instruction -> apply(instruction, frame);
      default -> {} // labels, lines and the like
    }
    if (goesOn) {
      flowTo(i + 1, frame);
    }
  }

  private void choose(TypeState frame, Label otherwise, List<SwitchCase> cases) {
    frame.pop();
    flowTo(index(otherwise), frame);
    for (SwitchCase c : cases) {
      flowTo(index(c.target()), frame);
    }
  }

  private static int operands(Opcode branch) {
    return switch (branch) {
      case GOTO, GOTO_W -> 0;
      case IF_ACMPEQ, IF_ACMPNE, IF_ICMPEQ, IF_ICMPNE, IF_ICMPLT, IF_ICMPGE, IF_ICMPGT, IF_ICMPLE ->
          2;
      default -> 1;
    };
  }

  private static void apply(Instruction instruction, TypeState frame) {
    switch (instruction) {
      case LoadInstruction load -> {
        if (load.typeKind() == TypeKind.REFERENCE) {
          frame.push(frame.local(load.slot()));
        } else {
          frame.pushOther(load.typeKind().slotSize());
        }
      }
      case StoreInstruction store -> {
        if (store.typeKind() == TypeKind.REFERENCE) {
          frame.setLocal(store.slot(), frame.pop());
        } else {
          int slots = store.typeKind().slotSize();
          frame.pop(slots);
          for (int i = 0; i < slots; i++) {
            frame.setLocal(store.slot() + i, TypeState.OTHER);
          }
        }
      }
      case ConstantInstruction constant -> {
        if (constant.opcode() == Opcode.ACONST_NULL) {
          frame.push(TypeState.OWN);
        } else {
          frame.pushOther(constant.typeKind().slotSize());
        }
      }
      case FieldInstruction field -> applyField(field, frame);
      case InvokeInstruction call -> {
        frame.pop(argumentSlots(call.typeSymbol()));
        if (call.opcode() != Opcode.INVOKESTATIC) {
          frame.pop();
        }
        frame.pushOther(slots(call.typeSymbol().returnType()));
      }
      case InvokeDynamicInstruction call -> {
        frame.pop(argumentSlots(call.typeSymbol()));
        frame.pushOther(slots(call.typeSymbol().returnType()));
      }
      case NewObjectInstruction _ -> frame.push(TypeState.OWN);
      case NewPrimitiveArrayInstruction _, NewReferenceArrayInstruction _ -> {
        frame.pop();
        frame.push(TypeState.OWN);
      }
      case NewMultiArrayInstruction array -> {
        frame.pop(array.dimensions());
        frame.push(TypeState.OWN);
      }
      case ArrayLoadInstruction load -> {
        frame.pop(2);
        frame.pushOther(load.typeKind().slotSize());
      }
      case ArrayStoreInstruction store -> frame.pop(2 + store.typeKind().slotSize());
      case StackInstruction stack -> applyStack(stack.opcode(), frame);
      case OperatorInstruction operator -> applyOperator(operator, frame);
      case ConvertInstruction convert -> {
        frame.pop(convert.fromType().slotSize());
        frame.pushOther(convert.toType().slotSize());
      }
      case TypeCheckInstruction check -> {
        if (check.opcode() == Opcode.INSTANCEOF) {
          frame.pop();
          frame.push(TypeState.OTHER);
        }
      }
      case MonitorInstruction _ -> frame.pop();
      case IncrementInstruction _, NopInstruction _ -> {}
      case DiscontinuedInstruction _ ->
          throw new IllegalArgumentException("instructions of before Java 6");
      default -> throw new IllegalArgumentException("unknown instruction " + instruction.opcode());
    }
  }

  private static void applyField(FieldInstruction field, TypeState frame) {
    int slots = slots(field.typeSymbol());
    switch (field.opcode()) {
      case GETSTATIC -> frame.pushOther(slots);
      case PUTSTATIC -> frame.pop(slots);
      case PUTFIELD -> frame.pop(slots + 1);
      default -> {
        boolean outer = isOuterField(field) && frame.peek(0) != TypeState.OTHER;
        frame.pop();
        if (outer) {
          frame.push(TypeState.OUTER);
        } else {
          frame.pushOther(slots);
        }
      }
    }
  }

  /** Returns whether a field holds the object around one of an inner class. */
  static boolean isOuterField(FieldInstruction field) {
    return field.name().stringValue().startsWith("this$");
  }

  private static void applyStack(Opcode opcode, TypeState frame) {
    switch (opcode) {
      case POP -> frame.pop();
      case POP2 -> frame.pop(2);
      case DUP -> frame.duplicate(1, 0);
      case DUP_X1 -> frame.duplicate(1, 1);
      case DUP_X2 -> frame.duplicate(1, 2);
      case DUP2 -> frame.duplicate(2, 0);
      case DUP2_X1 -> frame.duplicate(2, 1);
      case DUP2_X2 -> frame.duplicate(2, 2);
      case SWAP -> frame.swap();
      default -> throw new IllegalArgumentException("unknown instruction " + opcode);
    }
  }

  private static void applyOperator(OperatorInstruction operator, TypeState frame) {
    int slots = operator.typeKind().slotSize();
    switch (operator.opcode()) {
      case ARRAYLENGTH -> {
        frame.pop();
        frame.push(TypeState.OTHER);
      }
      case INEG, LNEG, FNEG, DNEG -> {}
      case ISHL, ISHR, IUSHR, LSHL, LSHR, LUSHR -> frame.pop(); // the distance is an int
      case LCMP, FCMPL, FCMPG, DCMPL, DCMPG -> {
        frame.pop(2 * slots);
        frame.push(TypeState.OTHER);
      }
      default -> frame.pop(slots);
    }
  }

  /** Returns how many slots the arguments of a call take. */
  static int argumentSlots(MethodTypeDesc type) {
    return type.parameterList().stream().mapToInt(DataFlow::slots).sum();
  }

  static int slots(ClassDesc type) {
    return TypeKind.from(type).slotSize();
  }
}
