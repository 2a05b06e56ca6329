package ibis.satin.weave;

import java.lang.classfile.Attributes;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.ObjectVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.UninitializedVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The types of local variables and stack before each element of a method's code, as the verifier
 * derives them: stack maps where paths meet, the effect of each instruction in between.
 */
final class TypeFlow {

  /** The types before one element. Long and double take two slots. */
  record State(SlotType[] locals, List<SlotType> stack) {

    State copy() {
      return new State(locals.clone(), new ArrayList<>(stack));
    }

    SlotType local(int slot) {
      return slot < locals.length ? locals[slot] : SlotType.NONE;
    }

    /** Returns the type of the slot so many below the top of the stack; 0 is the top. */
    SlotType peek(int below) {
      return stack.get(stack.size() - 1 - below);
    }
  }

  private final List<CodeElement> elements;
  private final @Nullable State[] before;
  private final Map<Label, StackMapFrameInfo> frames = new HashMap<>();
  private final Map<Label, Integer> labels = new HashMap<>();
  private final int maxLocals;
  private final ClassDesc owner;

  private TypeFlow(ClassDesc owner, CodeModel code, List<CodeElement> elements) {
    this.owner = owner;
    this.elements = elements;
    this.before = new State[elements.size() + 1];
    this.maxLocals = ((CodeAttribute) code).maxLocals();
    code.findAttribute(Attributes.stackMapTable())
        .ifPresent(table -> table.entries().forEach(frame -> frames.put(frame.target(), frame)));
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LabelTarget target) {
        labels.put(target.label(), i);
      }
    }
  }

  /**
   * Derives the types of a method's code.
   *
   * @param elements the elements of {@code code}, in their order
   * @throws IllegalArgumentException if the code has instructions of before Java 6
   */
  static TypeFlow of(
      ClassDesc owner, MethodModel method, CodeModel code, List<CodeElement> elements) {
    var flow = new TypeFlow(owner, code, elements);
    flow.run(flow.entry(method));
    return flow;
  }

  /** Returns the types before an element, or {@code null} if it cannot be reached. */
  @Nullable State before(int element) {
    return before[element];
  }

  private State entry(MethodModel method) {
    SlotType[] locals = new SlotType[maxLocals];
    Arrays.fill(locals, SlotType.NONE);
    int slot = 0;
    if (!method.flags().has(AccessFlag.STATIC)) {
      locals[slot++] =
          method.methodName().equalsString(ConstantDescs.INIT_NAME)
              ? SlotType.uninitialized(owner, -1)
              : SlotType.of(owner);
    }
    for (ClassDesc type : method.methodTypeSymbol().parameterList()) {
      locals[slot] = SlotType.of(type);
      slot += TypeKind.from(type).slotSize();
    }
    return new State(locals, new ArrayList<>());
  }

  private void run(State start) {
    State current = start;
    for (int i = 0; i < elements.size(); i++) {
      CodeElement element = elements.get(i);
      if (element instanceof LabelTarget target && frames.containsKey(target.label())) {
        current = at(Objects.requireNonNull(frames.get(target.label()), "present"));
      }
      before[i] = current == null ? null : current.copy();
      if (current != null && !new Step(current, i).apply(element)) {
        current = null;
      }
    }
    before[elements.size()] = current;
  }

  private State at(StackMapFrameInfo frame) {
    SlotType[] locals = new SlotType[maxLocals];
    Arrays.fill(locals, SlotType.NONE);
    int slot = 0;
    for (VerificationTypeInfo info : frame.locals()) {
      SlotType type = type(info);
      locals[slot] = type;
      slot += width(type);
    }
    List<SlotType> stack = new ArrayList<>();
    for (VerificationTypeInfo info : frame.stack()) {
      push(stack, type(info));
    }
    return new State(locals, stack);
  }

  private SlotType type(VerificationTypeInfo info) {
    return switch (info) {
      case ObjectVerificationTypeInfo object -> SlotType.of(object.classSymbol());
      case UninitializedVerificationTypeInfo made -> {
        int at = Objects.requireNonNull(labels.get(made.newTarget()), "a label of this code");
        yield SlotType.uninitialized(ConstantDescs.CD_Object, at);
      }
      case SimpleVerificationTypeInfo simple ->
          switch (simple) {
            case INTEGER -> SlotType.of(ConstantDescs.CD_int);
            case FLOAT -> SlotType.of(ConstantDescs.CD_float);
            case LONG -> SlotType.of(ConstantDescs.CD_long);
            case DOUBLE -> SlotType.of(ConstantDescs.CD_double);
            case NULL -> SlotType.NULL;
            case UNINITIALIZED_THIS -> SlotType.uninitialized(owner, -1);
            case TOP -> SlotType.NONE;
          };
    };
  }

  private static int width(SlotType type) {
    return type.kind() == SlotType.Kind.PRIMITIVE ? TypeKind.from(type.desc()).slotSize() : 1;
  }

  private static void push(List<SlotType> stack, SlotType type) {
    stack.add(type);
    if (width(type) == 2) {
      stack.add(SlotType.NONE);
    }
  }

  /** Applies one element to the types before it. */
  private static final class Step {

    private final SlotType[] locals;
    private final List<SlotType> stack;
    private final int index;

    Step(State state, int index) {
      this.locals = state.locals();
      this.stack = state.stack();
      this.index = index;
    }

    /** Returns whether the next element follows. */
    boolean apply(CodeElement element) {
      switch (element) {
        case BranchInstruction branch -> {
          pop(operands(branch.opcode()));
          return branch.opcode() != Opcode.GOTO && branch.opcode() != Opcode.GOTO_W;
        }
        case TableSwitchInstruction _,
            LookupSwitchInstruction _,
            ReturnInstruction _,
            ThrowInstruction _ -> {
          return false;
        }
        case LoadInstruction load -> load(load);
        case StoreInstruction store -> store(store);
        case ConstantInstruction constant -> constant(constant);
        case FieldInstruction field -> {
          switch (field.opcode()) {
            case GETSTATIC -> push(SlotType.of(field.typeSymbol()));
            case PUTSTATIC -> pop(slots(field.typeSymbol()));
            case PUTFIELD -> pop(slots(field.typeSymbol()) + 1);
            default -> {
              pop(1);
              push(SlotType.of(field.typeSymbol()));
            }
          }
        }
        case InvokeInstruction call -> {
          pop(argumentSlots(call.typeSymbol()));
          if (call.opcode() != Opcode.INVOKESTATIC) {
            SlotType target = pop();
            if (call.name().equalsString(ConstantDescs.INIT_NAME)) {
              initialize(target, call.owner().asSymbol());
            }
          }
          pushResult(call.typeSymbol());
        }
        case InvokeDynamicInstruction call -> {
          pop(argumentSlots(call.typeSymbol()));
          pushResult(call.typeSymbol());
        }
        case NewObjectInstruction made ->
            push(SlotType.uninitialized(made.className().asSymbol(), index));
        case NewPrimitiveArrayInstruction array -> {
          pop(1);
          push(SlotType.of(array.typeKind().upperBound().arrayType()));
        }
        case NewReferenceArrayInstruction array -> {
          pop(1);
          push(SlotType.of(array.componentType().asSymbol().arrayType()));
        }
        case NewMultiArrayInstruction array -> {
          pop(array.dimensions());
          push(SlotType.of(array.arrayType().asSymbol()));
        }
        case ArrayLoadInstruction load -> {
          pop(1);
          SlotType array = pop();
          push(
              load.typeKind() != TypeKind.REFERENCE
                  ? SlotType.of(load.typeKind().upperBound())
                  : array.desc().isArray() ? SlotType.of(array.desc().componentType()) : array);
        }
        case ArrayStoreInstruction store -> pop(2 + store.typeKind().slotSize());
        case StackInstruction move -> move(move.opcode());
        case OperatorInstruction operator -> operate(operator);
        case ConvertInstruction convert -> {
          pop(convert.fromType().slotSize());
          push(SlotType.of(convert.toType().upperBound()));
        }
        case TypeCheckInstruction check -> {
          SlotType value = pop();
          if (check.opcode() == Opcode.INSTANCEOF) {
            push(SlotType.of(ConstantDescs.CD_int));
          } else {
            push(value.kind() == SlotType.Kind.NULL ? value : SlotType.of(check.type().asSymbol()));
          }
        }
        case MonitorInstruction _ -> pop(1);
        case DiscontinuedInstruction _ ->
            throw new IllegalArgumentException("instructions of before Java 6");
        default -> {} // labels, lines, increments and the like
      }
      return true;
    }

    private void load(LoadInstruction load) {
      push(
          load.typeKind() == TypeKind.REFERENCE
              ? locals[load.slot()]
              : SlotType.of(load.typeKind().upperBound()));
    }

    private void store(StoreInstruction store) {
      int slots = store.typeKind().slotSize();
      pop(slots - 1);
      locals[store.slot()] = pop();
      if (slots == 2) {
        locals[store.slot() + 1] = SlotType.NONE;
      }
      if (store.slot() > 0 && width(locals[store.slot() - 1]) == 2) {
        locals[store.slot() - 1] = SlotType.NONE;
      }
    }

    private void constant(ConstantInstruction constant) {
      if (constant.opcode() == Opcode.ACONST_NULL) {
        push(SlotType.NULL);
      } else if (constant.typeKind() != TypeKind.REFERENCE) {
        push(SlotType.of(constant.typeKind().upperBound()));
      } else {
        push(
            SlotType.of(
                switch (constant.constantValue()) {
                  case String _ -> ConstantDescs.CD_String;
                  case ClassDesc _ -> ConstantDescs.CD_Class;
                  case MethodTypeDesc _ -> ConstantDescs.CD_MethodType;
                  case DirectMethodHandleDesc _ -> ConstantDescs.CD_MethodHandle;
                  case DynamicConstantDesc<?> dynamic -> dynamic.constantType();
                  default -> ConstantDescs.CD_Object;
                }));
      }
    }

    private void initialize(SlotType target, ClassDesc called) {
      // The constructor of the superclass initializes an object of the class itself.
      SlotType made = SlotType.of(target.origin() < 0 ? target.desc() : called);
      for (int i = 0; i < locals.length; i++) {
        if (isSame(locals[i], target)) {
          locals[i] = made;
        }
      }
      stack.replaceAll(each -> isSame(each, target) ? made : each);
    }

    private static boolean isSame(SlotType one, SlotType other) {
      return one.kind() == SlotType.Kind.UNINITIALIZED
          && other.kind() == SlotType.Kind.UNINITIALIZED
          && one.origin() == other.origin();
    }

    private void move(Opcode opcode) {
      switch (opcode) {
        case POP -> pop(1);
        case POP2 -> pop(2);
        case DUP -> duplicate(1, 0);
        case DUP_X1 -> duplicate(1, 1);
        case DUP_X2 -> duplicate(1, 2);
        case DUP2 -> duplicate(2, 0);
        case DUP2_X1 -> duplicate(2, 1);
        case DUP2_X2 -> duplicate(2, 2);
        default -> {
          SlotType top = pop();
          SlotType below = pop();
          stack.add(top);
          stack.add(below);
        }
      }
    }

    private void operate(OperatorInstruction operator) {
      int slots = operator.typeKind().slotSize();
      switch (operator.opcode()) {
        case ARRAYLENGTH -> {
          pop(1);
          push(SlotType.of(ConstantDescs.CD_int));
        }
        case INEG, LNEG, FNEG, DNEG -> {}
        case ISHL, ISHR, IUSHR, LSHL, LSHR, LUSHR -> pop(1); // the distance is an int
        case LCMP, FCMPL, FCMPG, DCMPL, DCMPG -> {
          pop(2 * slots);
          push(SlotType.of(ConstantDescs.CD_int));
        }
        default -> pop(slots);
      }
    }

    private static int operands(Opcode branch) {
      return switch (branch) {
        case GOTO, GOTO_W -> 0;
        case IF_ACMPEQ,
            IF_ACMPNE,
            IF_ICMPEQ,
            IF_ICMPNE,
            IF_ICMPLT,
            IF_ICMPGE,
            IF_ICMPGT,
            IF_ICMPLE ->
            2;
        default -> 1;
      };
    }

    private void duplicate(int count, int skip) {
      List<SlotType> top = new ArrayList<>(stack.subList(stack.size() - count, stack.size()));
      stack.addAll(stack.size() - count - skip, top);
    }

    private void pushResult(MethodTypeDesc type) {
      if (slots(type.returnType()) > 0) {
        push(SlotType.of(type.returnType()));
      }
    }

    private void push(SlotType type) {
      TypeFlow.push(stack, type);
    }

    private SlotType pop() {
      return stack.removeLast();
    }

    private void pop(int slots) {
      for (int i = 0; i < slots; i++) {
        stack.removeLast();
      }
    }
  }

  /** Returns how many slots the arguments of a call take. */
  static int argumentSlots(MethodTypeDesc type) {
    return type.parameterList().stream().mapToInt(TypeFlow::slots).sum();
  }

  static int slots(ClassDesc type) {
    return TypeKind.from(type).slotSize();
  }
}
