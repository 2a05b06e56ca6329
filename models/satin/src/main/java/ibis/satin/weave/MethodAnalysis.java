package ibis.satin.weave;

import ibis.satin.weave.ResultPlace.Element;
import ibis.satin.weave.ResultPlace.Nowhere;
import ibis.satin.weave.ResultPlace.ObjectField;
import ibis.satin.weave.ResultPlace.StaticField;
import ibis.satin.weave.ResultPlace.Variable;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The spawns, syncs and aborts of one method: where results go, which {@code catch} is an inlet,
 * and the constructs that cannot be woven.
 */
final class MethodAnalysis {

  private static final Set<String> BOXES =
      Set.of(
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Double",
          "java/lang/Float",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Short");

  private final ClassLibrary library;
  private final ClassModel type;
  private final MethodModel method;
  private final CodeModel code;
  private final List<CodeElement> elements;
  private final TypeFlow flow;
  private final Map<Label, Integer> labels = new HashMap<>();
  private final Set<Label> targets = new HashSet<>();
  private final List<LocalVariable> variables = new ArrayList<>();

  private final TreeMap<Integer, SpawnSite> spawns = new TreeMap<>();
  private final TreeMap<Integer, List<SpawnSite>> syncs = new TreeMap<>();
  private final Set<Integer> aborts = new HashSet<>();
  private final List<WeavingProblem> problems = new ArrayList<>();

  private MethodAnalysis(
      ClassLibrary library, ClassModel type, MethodModel method, CodeModel code) {
    this.library = library;
    this.type = type;
    this.method = method;
    this.code = code;
    this.elements = code.elementList();
    this.flow = TypeFlow.of(type.thisClass().asSymbol(), method, code, elements);
    index();
    find();
  }

  /** Analyses a method; empty if it neither spawns nor syncs nor aborts. */
  static Optional<MethodAnalysis> of(ClassLibrary library, ClassModel type, MethodModel method) {
    CodeModel code = method.code().orElse(null);
    if (code == null || !concerns(library, code)) {
      return Optional.empty();
    }
    return Optional.of(new MethodAnalysis(library, type, method, code));
  }

  private static boolean concerns(ClassLibrary library, CodeModel code) {
    for (CodeElement element : code) {
      if (element instanceof InvokeInstruction call
          && (isSpawn(library, call)
              || isSatinCall(library, call, "sync")
              || isSatinCall(library, call, "abort"))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSpawn(ClassLibrary library, InvokeInstruction call) {
    return call.opcode() == Opcode.INVOKEVIRTUAL
        && library.isSpawnable(
            call.owner().asInternalName(), call.name().stringValue(), call.type().stringValue());
  }

  /** Returns whether a call is one of a method without arguments of {@code SatinObject}. */
  private static boolean isSatinCall(ClassLibrary library, InvokeInstruction call, String name) {
    return call.name().equalsString(name)
        && call.type().equalsString("()V")
        && call.opcode() != Opcode.INVOKESTATIC
        && isMethodOf(library, call, ClassLibrary.SATIN_OBJECT);
  }

  /**
   * Returns whether a call runs a method that one class declares, for every subclass that the call
   * may name.
   */
  static boolean isMethodOf(ClassLibrary library, InvokeInstruction call, String declaring) {
    String owner = call.owner().asInternalName();
    return owner.equals(declaring)
        || library.isSubclass(owner, declaring)
            && library
                .resolve(owner, call.name().stringValue(), call.type().stringValue())
                .flatMap(MethodModel::parent)
                .map(found -> found.thisClass().asInternalName().equals(declaring))
                .orElse(false);
  }

  ClassDesc owner() {
    return type.thisClass().asSymbol();
  }

  MethodModel method() {
    return method;
  }

  CodeModel code() {
    return code;
  }

  List<CodeElement> elements() {
    return elements;
  }

  TypeFlow flow() {
    return flow;
  }

  List<SpawnSite> sites() {
    return List.copyOf(spawns.values());
  }

  @Nullable SpawnSite spawnAt(int element) {
    return spawns.get(element);
  }

  /** Returns the spawns that store a variable at a sync, or {@code null} if the element is none. */
  @Nullable List<SpawnSite> syncAt(int element) {
    return syncs.get(element);
  }

  Set<Integer> syncs() {
    return syncs.keySet();
  }

  boolean isAbort(int element) {
    return aborts.contains(element);
  }

  boolean hasInlets() {
    return spawns.values().stream().anyMatch(site -> !site.inlets().isEmpty());
  }

  List<WeavingProblem> problems() {
    return problems;
  }

  /** Returns the declared type of a variable at an element, as far as debug tables tell. */
  Optional<ClassDesc> declaredType(int element, int slot) {
    return variable(element, slot).map(LocalVariable::typeSymbol);
  }

  /**
   * Returns the name of the variable that an element loads, or the empty string if none is known.
   */
  String nameOfLoaded(int element, int slot) {
    return variable(element, slot).map(each -> each.name().stringValue()).orElse("");
  }

  /**
   * Returns the name of the variable that an element stores, or the empty string if none is known.
   */
  String nameOfStored(int element, int slot) {
    return stored(element, slot).map(each -> each.name().stringValue()).orElse("");
  }

  /** Returns a variable that an element stores: its scope begins with the next instruction. */
  private Optional<LocalVariable> stored(int element, int slot) {
    return variable(nextInstruction(element), slot).or(() -> variable(element, slot));
  }

  boolean covers(ExceptionCatch handler, int element) {
    return position(handler.tryStart()) <= element && element < position(handler.tryEnd());
  }

  /**
   * Returns whether a handler closes the resources of a {@code try}: it is compiled to a {@code
   * catch}, but passes the exception on.
   */
  boolean closesResources(ExceptionCatch handler) {
    for (int i = position(handler.handler()); i < elements.size(); i++) {
      switch (elements.get(i)) {
        case InvokeInstruction call when call.name().equalsString("addSuppressed") -> {
          return true;
        }
        case ThrowInstruction _, ReturnInstruction _ -> {
          return false;
        }
        default -> {}
      }
    }
    return false;
  }

  private int position(Label label) {
    return Objects.requireNonNull(labels.get(label), "a label of this code");
  }

  private void index() {
    for (int i = 0; i < elements.size(); i++) {
      switch (elements.get(i)) {
        case LabelTarget target -> labels.put(target.label(), i);
        case BranchInstruction branch -> targets.add(branch.target());
        case TableSwitchInstruction choice -> {
          targets.add(choice.defaultTarget());
          choice.cases().forEach(each -> targets.add(each.target()));
        }
        case LookupSwitchInstruction choice -> {
          targets.add(choice.defaultTarget());
          choice.cases().forEach(each -> targets.add(each.target()));
        }
        case LocalVariable variable -> variables.add(variable);
        default -> {}
      }
    }
  }

  private void find() {
    List<Integer> waits = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof InvokeInstruction call && flow.before(i) != null) {
        if (isSpawn(library, call)) {
          spawn(i, call);
        } else if (isSatinCall(library, call, "sync")) {
          waits.add(i);
        } else if (isSatinCall(library, call, "abort")) {
          aborts.add(i);
        }
      }
    }
    for (int sync : waits) {
      syncs.put(sync, spawns.values().stream().filter(site -> isStoredAt(site, sync)).toList());
    }
    if (hasInlets() && method.methodName().equalsString(ConstantDescs.INIT_NAME)) {
      problem(
          spawns.firstKey(),
          "the constructor spawns within a try with a catch, and an inlet cannot share the variables of a constructor",
          "move spawns and sync to a method");
    }
  }

  private void spawn(int index, InvokeInstruction call) {
    String name =
        call.owner().asInternalName().replace('/', '.').replace('$', '.')
            + "."
            + call.name().stringValue();
    MethodModel target =
        library
            .resolve(
                call.owner().asInternalName(), call.name().stringValue(), call.type().stringValue())
            .orElse(null);
    if (target != null
        && (target.flags().has(AccessFlag.PRIVATE) || target.flags().has(AccessFlag.STATIC))) {
      problem(
          index,
          "'%s' is spawned but %s"
              .formatted(name, target.flags().has(AccessFlag.PRIVATE) ? "private" : "static"),
          "make it a public instance method, as its interface declares it");
    }
    if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
      problem(
          index,
          "'%s' is spawned in a synchronized method, whose lock a job would not hold"
              .formatted(name),
          "spawn in a method that is not synchronized");
    }
    List<ExceptionCatch> inlets = inlets(index, name);
    List<CodeElement> conversions = new ArrayList<>();
    int end = index;
    ResultPlace place = new Nowhere();
    if (!call.typeSymbol().returnType().equals(ConstantDescs.CD_void)) {
      end = endOfConversions(index, conversions);
      Optional<ResultPlace> found = place(end);
      if (found.isEmpty()) {
        problem(
            index,
            "the result of the spawn '%s' is %s".formatted(name, use(end)),
            "assign it to a variable, an array element or a field, and use that after sync()");
        return;
      }
      place = found.get();
    }
    spawns.put(
        index,
        new SpawnSite(
            spawns.size(),
            index,
            end,
            new JobSignature(call.owner().asSymbol(), call.name().stringValue(), call.typeSymbol()),
            place,
            conversions,
            inlets,
            place instanceof Variable variable
                && clears(index, variable, converted(call, conversions))));
  }

  private List<ExceptionCatch> inlets(int index, String name) {
    List<ExceptionCatch> inlets = new ArrayList<>();
    Set<Label> told = new HashSet<>();
    for (ExceptionCatch handler : code.exceptionHandlers()) {
      if (!covers(handler, index)) {
        continue;
      }
      boolean resources = handler.catchType().isPresent() && closesResources(handler);
      if (handler.catchType().isEmpty() || resources) {
        if (told.add(handler.handler())) {
          String around =
              resources
                  ? "a try with resources"
                  : releasesLock(handler) ? "a synchronized block" : "a finally";
          problem(
              index,
              "'%s' is spawned within %s, which would end before the job".formatted(name, around),
              "put spawn and sync() into a method of their own, and call that there");
        }
      } else {
        inlets.add(handler);
      }
    }
    return inlets;
  }

  private boolean releasesLock(ExceptionCatch handler) {
    for (int i = position(handler.handler()); i < elements.size(); i++) {
      switch (elements.get(i)) {
        case MonitorInstruction _ -> {
          return true;
        }
        case ThrowInstruction _, ReturnInstruction _ -> {
          return false;
        }
        default -> {}
      }
    }
    return false;
  }

  /** Returns the element that uses the converted result. */
  private int endOfConversions(int call, List<CodeElement> conversions) {
    int i = call + 1;
    for (; i < elements.size(); i++) {
      CodeElement element = elements.get(i);
      if (isConversion(element)) {
        conversions.add(element);
      } else if (element instanceof Instruction || isTarget(element)) {
        break;
      }
    }
    return i;
  }

  private boolean isTarget(CodeElement element) {
    return element instanceof LabelTarget target && targets.contains(target.label());
  }

  private static boolean isConversion(CodeElement element) {
    return switch (element) {
      case ConvertInstruction _ -> true;
      case TypeCheckInstruction check -> check.opcode() == Opcode.CHECKCAST;
      case InvokeInstruction call ->
          BOXES.contains(call.owner().asInternalName())
              && (call.name().equalsString("valueOf")
                      && call.typeSymbol().parameterCount() == 1
                      && call.typeSymbol().parameterType(0).isPrimitive()
                  || call.name().stringValue().endsWith("Value")
                      && call.typeSymbol().parameterCount() == 0);
      default -> false;
    };
  }

  private Optional<ResultPlace> place(int end) {
    if (end == elements.size()) {
      return Optional.empty();
    }
    return switch (elements.get(end)) {
      case StoreInstruction store -> Optional.of(new Variable(store.slot(), store.typeKind()));
      case ArrayStoreInstruction store -> {
        var before = Objects.requireNonNull(flow.before(end), "follows a call that is reached");
        ClassDesc array = before.peek(store.typeKind().slotSize() + 1).desc();
        yield Optional.of(
            new Element(
                store.typeKind(),
                array.isArray() ? array : store.typeKind().upperBound().arrayType()));
      }
      case FieldInstruction put when put.opcode() == Opcode.PUTFIELD ->
          Optional.of(new ObjectField(put));
      case FieldInstruction put when put.opcode() == Opcode.PUTSTATIC ->
          Optional.of(new StaticField(put));
      default -> Optional.empty();
    };
  }

  private String use(int end) {
    return switch (elements.get(end)) {
      case ReturnInstruction _ -> "returned at once, before the job has ended";
      case StackInstruction move when move.opcode() == Opcode.POP || move.opcode() == Opcode.POP2 ->
          "dropped";
      case StackInstruction _ -> "used twice";
      case InvokeInstruction _ -> "passed on before the job has ended";
      case LabelTarget _, BranchInstruction _ -> "part of a condition";
      default -> "computed with before the job has ended";
    };
  }

  private static ClassDesc converted(InvokeInstruction call, List<CodeElement> conversions) {
    ClassDesc result = call.typeSymbol().returnType();
    for (CodeElement each : conversions) {
      result =
          switch (each) {
            case TypeCheckInstruction check -> check.type().asSymbol();
            case InvokeInstruction box -> box.typeSymbol().returnType();
            case ConvertInstruction convert -> convert.toType().upperBound();
            default -> result;
          };
    }
    return result;
  }

  /** Returns whether the slot of a variable holds no value of that variable before the spawn. */
  private boolean clears(int call, Variable variable, ClassDesc stored) {
    SlotType now = Objects.requireNonNull(flow.before(call), "reached").local(variable.slot());
    if (!isOfKind(now, variable.kind())) {
      return true;
    }
    Optional<LocalVariable> declared = variable(call, variable.slot());
    if (!variables.isEmpty()) {
      return declared.isEmpty();
    }
    return now.kind() == SlotType.Kind.REFERENCE && !library.isAssignable(now.desc(), stored);
  }

  private static boolean isOfKind(SlotType type, TypeKind kind) {
    return kind == TypeKind.REFERENCE
        ? type.isReference()
        : type.kind() == SlotType.Kind.PRIMITIVE
            && TypeKind.from(type.desc()).asLoadable() == kind.asLoadable();
  }

  /** Returns whether a sync stores the result of a spawn in a variable. */
  private boolean isStoredAt(SpawnSite site, int sync) {
    if (!(site.place() instanceof Variable variable)) {
      return false;
    }
    SlotType now = Objects.requireNonNull(flow.before(sync), "reached").local(variable.slot());
    if (!isOfKind(now, variable.kind())) {
      return false;
    }
    if (variables.isEmpty()) {
      return reaches(site, sync, variable.slot());
    }
    // A slot may hold one variable after the other: the result is for that of the spawn.
    Optional<LocalVariable> stored = stored(site.end(), variable.slot());
    Optional<LocalVariable> there = variable(sync, variable.slot());
    return stored.isPresent()
        && there.isPresent()
        && stored.get().name().equals(there.get().name())
        && stored.get().type().equals(there.get().type());
  }

  private int nextInstruction(int element) {
    int i = element + 1;
    while (i < elements.size() && !(elements.get(i) instanceof Instruction)) {
      i++;
    }
    return i;
  }

  private Optional<LocalVariable> variable(int element, int slot) {
    return variables.stream()
        .filter(each -> each.slot() == slot)
        .filter(
            each -> position(each.startScope()) <= element && element < position(each.endScope()))
        .findFirst();
  }

  /**
   * Returns whether a way leads from a spawn to a sync on which the slot is not written. Without
   * debug tables a slot that is written in between is taken for another variable's.
   */
  private boolean reaches(SpawnSite site, int sync, int slot) {
    var seen = new BitSet();
    var left = new ArrayDeque<Integer>();
    left.add(site.end() + 1);
    while (!left.isEmpty()) {
      int i = left.remove();
      if (i >= elements.size() || seen.get(i)) {
        continue;
      }
      seen.set(i);
      if (i == sync) {
        return true;
      }
      CodeElement element = elements.get(i);
      if (element instanceof StoreInstruction store && store.slot() == slot && !isResult(i)) {
        continue;
      }
      left.addAll(handlersAt(i));
      left.addAll(successors(i));
    }
    return false;
  }

  /** Returns whether a store is that of a spawn's result, which happens at a sync. */
  boolean isResult(int store) {
    return spawns.values().stream().anyMatch(site -> site.end() == store);
  }

  /** Returns the first elements of the handlers around an element. */
  List<Integer> handlersAt(int i) {
    if (!(elements.get(i) instanceof Instruction)) {
      return List.of();
    }
    return code.exceptionHandlers().stream()
        .filter(handler -> covers(handler, i))
        .map(handler -> position(handler.handler()))
        .toList();
  }

  /** Returns the elements that may follow one, unless it throws. */
  List<Integer> successors(int i) {
    return switch (elements.get(i)) {
      case BranchInstruction branch ->
          branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W
              ? List.of(position(branch.target()))
              : List.of(position(branch.target()), i + 1);
      case TableSwitchInstruction choice -> cases(choice.defaultTarget(), choice.cases());
      case LookupSwitchInstruction choice -> cases(choice.defaultTarget(), choice.cases());
      case ReturnInstruction _, ThrowInstruction _ -> List.of();
      default -> List.of(i + 1);
    };
  }

  private List<Integer> cases(Label otherwise, List<SwitchCase> cases) {
    List<Integer> all = new ArrayList<>();
    all.add(position(otherwise));
    cases.forEach(each -> all.add(position(each.target())));
    return all;
  }

  private void problem(int element, String what, String remedy) {
    problems.add(new WeavingProblem(SourcePlace.of(type, method, line(element)), what, remedy));
  }

  private int line(int element) {
    for (int i = element; i >= 0; i--) {
      if (elements.get(i) instanceof LineNumber number) {
        return number.line();
      }
    }
    return 0;
  }
}
