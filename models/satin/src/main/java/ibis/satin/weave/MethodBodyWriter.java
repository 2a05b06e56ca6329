package ibis.satin.weave;

import ibis.satin.weave.ResultPlace.Element;
import ibis.satin.weave.ResultPlace.Nowhere;
import ibis.satin.weave.ResultPlace.ObjectField;
import ibis.satin.weave.ResultPlace.StaticField;
import ibis.satin.weave.ResultPlace.Variable;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.PseudoInstruction;
import java.lang.classfile.TypeKind;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes the body of a method that spawns, or of its inlets. */
final class MethodBodyWriter {

  /*
   * Design: woven methods.
   *
   * A new local variable, the activation, is null until the first spawn. A spawn leaves on the stack
   * the operands of the call, with the array and index or the object of the result below, so it is one
   * call of a static factory, which makes the job and hands it to the activation. The store that
   * followed moves to each sync: there a loop asks the activation for the jobs that have ended, in the
   * order of their spawns, and stores the result of each by a switch over the spawns.
   *
   * Every return goes to one exit, which syncs if spawns are outstanding. An exception that leaves the
   * method passes a handler around the whole body, which cuts off the jobs that are outstanding.
   *
   * A spawn and a sync throw only what ends the method for good: that it was aborted, or that a child
   * failed. No catch of the method may see that, so the ranges of typed handlers are split around both
   * calls; those of finally, and of a try with resources, are not.
   *
   * A method with inlets keeps its variables in an object. Its inlets are a second body of the same
   * code over the same object, which begins by testing the throwable against the handlers around the
   * spawn, and jumps to the first that takes it. If none does it throws the throwable, as an inlet
   * that throws. A return of that body ends the inlet only. The code before the handler that cannot
   * be reached any more is removed by the class-file library.
   */

  private static final ClassDesc ACTIVATION = RuntimeNames.ACTIVATION;

  private final MethodAnalysis method;
  private final ClassLibrary library;
  private final CallRedirection calls;
  private final Function<JobSignature, JobClass> jobs;
  private final CodeBuilder b;
  private final VariableStore variables;

  /** The object with the variables, for a method with inlets. */
  private final @Nullable InletLocalsClass shared;

  private final boolean isInlet;
  private final String where;

  /** Slots of local variables that the woven body adds. */
  private final int holder;

  private final int activation;
  private final int job;
  private final int value;
  private final int thrown;

  private @Nullable VariableWebs webs;
  private final Label exit;
  private final List<Untouched> untouched = new ArrayList<>();

  /** A piece of the woven code that typed handlers do not cover. */
  private record Untouched(int element, Label start, Label end) {}

  private MethodBodyWriter(
      MethodAnalysis method,
      ClassLibrary library,
      CallRedirection calls,
      Function<JobSignature, JobClass> jobs,
      CodeBuilder b,
      @Nullable InletLocalsClass shared,
      boolean isInlet,
      String where) {
    this.method = method;
    this.library = library;
    this.calls = calls;
    this.jobs = jobs;
    this.b = b;
    this.shared = shared;
    this.isInlet = isInlet;
    this.where = where;
    int free =
        isInlet ? 4 : ((java.lang.classfile.attribute.CodeAttribute) method.code()).maxLocals();
    this.holder = isInlet ? 0 : free;
    this.activation = isInlet ? free : free + 1;
    this.job = activation + 1;
    this.thrown = activation + 2;
    this.value = activation + 3;
    this.variables =
        shared == null ? new VariableStore.OnStack() : new VariableStore.InObject(shared, holder);
    this.exit = b.newLabel();
  }

  /**
   * Writes the body of the method itself.
   *
   * @param shared the class of the object with its variables, or {@code null} without inlets
   * @param where what a warning calls the method
   */
  static void write(
      MethodAnalysis method,
      ClassLibrary library,
      CallRedirection calls,
      Function<JobSignature, JobClass> jobs,
      CodeBuilder b,
      @Nullable InletLocalsClass shared,
      String where) {
    new MethodBodyWriter(method, library, calls, jobs, b, shared, false, where).body();
  }

  /** Writes the body of the method's inlets. */
  static void writeInlets(
      MethodAnalysis method,
      ClassLibrary library,
      CallRedirection calls,
      Function<JobSignature, JobClass> jobs,
      CodeBuilder b,
      InletLocalsClass shared,
      String where) {
    new MethodBodyWriter(method, library, calls, jobs, b, shared, true, where).body();
  }

  private void body() {
    if (shared != null && !isInlet) {
      takeParameters(shared);
    }
    b.aconst_null().astore(activation);
    Label start = b.newBoundLabel();
    if (isInlet) {
      choose();
    }
    elements();
    exit();
    Label end = b.newBoundLabel();
    handlers();
    // A handler around the call of the superclass's constructor would see an object without one.
    if (!method.sites().isEmpty()
        && !method.method().methodName().equalsString(ConstantDescs.INIT_NAME)) {
      b.exceptionCatchAll(start, end, cutOff());
    }
  }

  private void takeParameters(InletLocalsClass locals) {
    b.new_(locals.name())
        .dup()
        .invokespecial(locals.name(), ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
        .astore(holder);
    int slot = 0;
    if (!method.method().flags().has(AccessFlag.STATIC)) {
      b.aload(slot);
      storeParameter(TypeKind.REFERENCE, slot++);
    }
    for (ClassDesc type : method.method().methodTypeSymbol().parameterList()) {
      TypeKind kind = TypeKind.from(type);
      b.loadLocal(kind, slot);
      storeParameter(kind, slot);
      slot += kind.slotSize();
    }
  }

  private void storeParameter(TypeKind kind, int slot) {
    variables.store(b, kind, slot, method.nameOfStored(-1, slot));
  }

  /** Enters the code at the first handler around the spawn that takes the throwable. */
  private void choose() {
    Map<SpawnSite, Label> entries = new LinkedHashMap<>();
    List<SwitchCase> cases = new ArrayList<>();
    Label none = b.newLabel();
    for (SpawnSite site : method.sites()) {
      if (!site.inlets().isEmpty()) {
        Label entry = b.newLabel();
        entries.put(site, entry);
        cases.add(SwitchCase.of(site.number(), entry));
      }
    }
    b.iload(2).lookupswitch(none, cases);
    entries.forEach(
        (site, entry) -> {
          b.labelBinding(entry);
          for (ExceptionCatch inlet : site.inlets()) {
            Label next = b.newLabel();
            ClassEntry type = inlet.catchType().orElseThrow();
            b.aload(3).instanceOf(type).ifeq(next);
            b.aload(3).checkcast(type).goto_(inlet.handler());
            b.labelBinding(next);
          }
          b.goto_(none);
        });
    b.labelBinding(none).aload(3).athrow();
  }

  private void elements() {
    List<CodeElement> elements = method.elements();
    int skippedTo = -1;
    for (int i = 0; i < elements.size(); i++) {
      CodeElement element = elements.get(i);
      SpawnSite site = method.spawnAt(i);
      List<SpawnSite> stored = method.syncAt(i);
      if (site != null) {
        spawn(site);
        skippedTo = site.end();
      } else if (i <= skippedTo && element instanceof Instruction) {
        continue; // the store of the result, which each sync does
      } else if (stored != null) {
        b.pop();
        sync(i, stored);
      } else if (method.isAbort(i)) {
        b.pop();
        abort();
      } else {
        element(i, element);
      }
    }
  }

  private void element(int index, CodeElement element) {
    switch (element) {
      case ReturnInstruction end -> {
        if (isInlet && end.typeKind() != TypeKind.VOID) {
          if (end.typeKind().slotSize() == 2) {
            b.pop2();
          } else {
            b.pop();
          }
        }
        b.goto_(exit);
      }
      case LoadInstruction load ->
          variables.load(
              b,
              load.typeKind(),
              load.slot(),
              method.nameOfLoaded(index, load.slot()),
              shared == null || load.typeKind() != TypeKind.REFERENCE
                  ? null
                  : held(index, load.slot()));
      case StoreInstruction store ->
          variables.store(
              b, store.typeKind(), store.slot(), method.nameOfStored(index, store.slot()));
      case IncrementInstruction by ->
          variables.increment(b, by, method.nameOfLoaded(index, by.slot()));
      case LabelTarget target -> b.labelBinding(target.label());
      case LineNumber line -> b.with(line);
      case InvokeInstruction call -> calls.write(b, call);
      case Instruction instruction -> b.with(instruction);
      case PseudoInstruction debug -> {
        // The variables of a method with inlets are no local ones any more.
        if (shared == null && !(debug instanceof ExceptionCatch)) {
          b.with(debug);
        }
      }
      default -> {} // annotations of types in the code, whose positions have changed
    }
  }

  /**
   * Returns the type of the variable that a load reads, for the object that holds all as objects.
   */
  private @Nullable ClassDesc held(int index, int slot) {
    TypeFlow.State now = method.flow().before(index);
    if (now == null) {
      return null;
    }
    Optional<ClassDesc> declared = method.declaredType(index, slot);
    if (declared.isPresent()) {
      return declared.get();
    }
    return webs().type(index).orElse(now.local(slot).isReference() ? now.local(slot).desc() : null);
  }

  private VariableWebs webs() {
    if (webs == null) {
      webs = new VariableWebs(method, library);
    }
    return webs;
  }

  private void spawn(SpawnSite site) {
    JobClass made = jobs.apply(site.job());
    if (shared != null) {
      activation(shared);
    }
    b.aload(activation).loadConstant(site.number());
    Label start = b.newBoundLabel();
    made.spawn(b, site.place());
    Label end = b.newBoundLabel();
    b.astore(activation);
    untouched.add(new Untouched(site.call(), start, end));
    if (site.clears() && site.place() instanceof Variable variable) {
      switch (variable.kind().asLoadable()) {
        case LONG -> b.lconst_0();
        case FLOAT -> b.fconst_0();
        case DOUBLE -> b.dconst_0();
        case REFERENCE -> b.aconst_null();
        default -> b.iconst_0();
      }
      storeResult(site, variable);
    }
  }

  private void storeResult(SpawnSite site, Variable variable) {
    variables.store(
        b, variable.kind(), variable.slot(), method.nameOfStored(site.end(), variable.slot()));
  }

  /** Makes the activation that knows the inlets, unless there is one. */
  private void activation(InletLocalsClass locals) {
    b.aload(activation).aload(holder);
    if (isInlet) {
      b.aload(1);
    } else {
      b.aconst_null();
    }
    b.invokestatic(
            ACTIVATION,
            "withInlets",
            MethodTypeDesc.of(ACTIVATION, ACTIVATION, RuntimeNames.LOCALS, ACTIVATION))
        .astore(activation);
  }

  private void abort() {
    b.aload(activation);
    if (isInlet) {
      b.aload(1);
    } else {
      b.aconst_null();
    }
    b.invokestatic(
        ACTIVATION, "abort", MethodTypeDesc.of(ConstantDescs.CD_void, ACTIVATION, ACTIVATION));
  }

  private void sync(int element, List<SpawnSite> stored) {
    Label start = b.newBoundLabel();
    Label done = b.newLabel();
    Label next = b.newBoundLabel();
    b.aload(activation)
        .invokestatic(ACTIVATION, "sync", MethodTypeDesc.of(RuntimeNames.JOB, ACTIVATION))
        .dup()
        .astore(job)
        .ifnull(done);
    List<SwitchCase> cases = new ArrayList<>();
    Map<SpawnSite, Label> stores = new LinkedHashMap<>();
    for (SpawnSite site : method.sites()) {
      boolean keeps =
          switch (site.place()) {
            case Nowhere _ -> false;
            case Variable _ -> stored.contains(site);
            default -> true;
          };
      if (keeps) {
        Label at = b.newLabel();
        stores.put(site, at);
        cases.add(SwitchCase.of(site.number(), at));
      }
    }
    if (cases.isEmpty()) {
      b.goto_(next);
    } else {
      b.aload(job)
          .getfield(RuntimeNames.JOB, "site", ConstantDescs.CD_int)
          .tableswitch(next, cases);
      stores.forEach(
          (site, at) -> {
            b.labelBinding(at);
            store(site);
            b.goto_(next);
          });
    }
    b.labelBinding(done);
    Label end = b.newBoundLabel();
    b.nop(); // so that a range of handlers may begin behind and end here
    untouched.add(new Untouched(element, start, end));
  }

  private void store(SpawnSite site) {
    switch (site.place()) {
      case Nowhere _ -> {}
      case Variable variable -> {
        result(site);
        storeResult(site, variable);
      }
      case Element place -> {
        target();
        b.checkcast(place.array())
            .aload(job)
            .getfield(RuntimeNames.JOB, "index", ConstantDescs.CD_int);
        result(site);
        b.arrayStore(place.kind());
      }
      case ObjectField field -> {
        target();
        b.checkcast(field.put().owner().asSymbol());
        result(site);
        b.with(field.put());
      }
      case StaticField field -> {
        result(site);
        b.with(field.put());
      }
    }
  }

  private void target() {
    b.aload(job).getfield(RuntimeNames.JOB, "target", ConstantDescs.CD_Object);
  }

  private void result(SpawnSite site) {
    JobClass made = jobs.apply(site.job());
    b.aload(job).checkcast(made.name()).getfield(made.name(), JobClass.RESULT, made.result());
    site.conversions().forEach(b::with);
  }

  private void exit() {
    TypeKind result =
        isInlet
            ? TypeKind.VOID
            : TypeKind.from(method.method().methodTypeSymbol().returnType()).asLoadable();
    b.labelBinding(exit);
    if (result != TypeKind.VOID) {
      b.storeLocal(result, value);
    }
    if (!method.sites().isEmpty()) {
      Label out = b.newLabel();
      b.aload(activation).ifnull(out);
      b.aload(activation)
          .loadConstant(where)
          .invokestatic(
              ACTIVATION,
              "leave",
              MethodTypeDesc.of(ConstantDescs.CD_void, ACTIVATION, ConstantDescs.CD_String));
      sync(-1, List.of());
      b.labelBinding(out);
    }
    if (result != TypeKind.VOID) {
      b.loadLocal(result, value);
    }
    b.return_(result);
  }

  /** Writes the handler of exceptions that leave the method. */
  private Label cutOff() {
    Label label = b.newBoundLabel();
    b.astore(thrown)
        .aload(activation)
        .invokestatic(ACTIVATION, "cutOff", MethodTypeDesc.of(ConstantDescs.CD_void, ACTIVATION))
        .aload(thrown)
        .athrow();
    return label;
  }

  private void handlers() {
    for (ExceptionCatch each : method.code().exceptionHandlers()) {
      boolean splits = each.catchType().isPresent() && !method.closesResources(each);
      Label from = each.tryStart();
      for (Untouched piece : untouched) {
        if (splits && method.covers(each, piece.element())) {
          b.exceptionCatch(from, piece.start(), each.handler(), each.catchType());
          from = piece.end();
        }
      }
      b.exceptionCatch(from, each.tryEnd(), each.handler(), each.catchType());
    }
  }
}
