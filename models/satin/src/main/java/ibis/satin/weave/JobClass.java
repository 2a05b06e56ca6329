package ibis.satin.weave;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * The class of the jobs of one spawnable method: its fields are the receiver, the arguments and the
 * result.
 */
final class JobClass {

  static final String RESULT = "result";

  private static final String RECEIVER = "receiver";
  private static final MethodTypeDesc GUARD_TYPE = MethodTypeDesc.of(ConstantDescs.CD_boolean);

  private final ClassDesc name;
  private final JobSignature job;
  private final boolean guarded;
  private final List<Integer> shared;

  /**
   * @param guarded whether the receiver has a guard for the method
   * @param shared the positions of the parameters that are shared objects
   */
  JobClass(ClassDesc name, JobSignature job, boolean guarded, List<Integer> shared) {
    this.name = name;
    this.job = job;
    this.guarded = guarded;
    this.shared = shared;
  }

  ClassDesc name() {
    return name;
  }

  ClassDesc result() {
    return job.type().returnType();
  }

  static String guard(String method) {
    return "guard_" + method;
  }

  /**
   * Calls the factory that makes a job and spawns it; the stack has what {@link #factory} takes.
   */
  void spawn(CodeBuilder b, ResultPlace place) {
    b.invokestatic(name, factoryName(place), factory(place));
  }

  private static String factoryName(ResultPlace place) {
    return switch (place) {
      case ResultPlace.Element _ -> "spawnForElement";
      case ResultPlace.ObjectField _ -> "spawnForField";
      default -> "spawn";
    };
  }

  /**
   * The place of the result as far as it is on the stack, receiver, arguments, then the activation
   * and the number of the spawn.
   */
  private MethodTypeDesc factory(ResultPlace place) {
    MethodTypeDesc type =
        MethodTypeDesc.of(RuntimeNames.ACTIVATION, job.receiver())
            .insertParameterTypes(1, job.type().parameterArray());
    type =
        type.insertParameterTypes(
            type.parameterCount(), RuntimeNames.ACTIVATION, ConstantDescs.CD_int);
    return switch (place) {
      case ResultPlace.Element _ ->
          type.insertParameterTypes(0, ConstantDescs.CD_Object, ConstantDescs.CD_int);
      case ResultPlace.ObjectField _ -> type.insertParameterTypes(0, ConstantDescs.CD_Object);
      default -> type;
    };
  }

  byte[] write(ClassFile files) {
    return files.build(
        name,
        type -> {
          type.withVersion(ClassFile.JAVA_8_VERSION, 0)
              .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
              .withSuperclass(RuntimeNames.JOB)
              .withField(RECEIVER, job.receiver(), 0);
          for (int i = 0; i < job.type().parameterCount(); i++) {
            type.withField("argument" + i, job.type().parameterType(i), 0);
          }
          if (!result().equals(ConstantDescs.CD_void)) {
            type.withField(RESULT, result(), ClassFile.ACC_TRANSIENT);
          }
          type.withMethodBody(
              ConstantDescs.INIT_NAME,
              ConstantDescs.MTD_void,
              0,
              b ->
                  b.aload(0)
                      .invokespecial(
                          RuntimeNames.JOB, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                      .return_());
          var nowhere = new ResultPlace.Nowhere();
          type.withMethodBody(
              factoryName(nowhere),
              factory(nowhere),
              ClassFile.ACC_STATIC,
              b -> {
                int next = create(b, 0);
                b.aload(next).iload(next + 1);
                enter(b, ConstantDescs.CD_void);
              });
          if (!result().equals(ConstantDescs.CD_void)) {
            type.withMethodBody(
                "spawnForElement",
                factory(new ResultPlace.Element(TypeKind.INT, ConstantDescs.CD_Object)),
                ClassFile.ACC_STATIC,
                b -> {
                  int next = create(b, 2);
                  b.aload(next).iload(next + 1).aload(0).iload(1);
                  enter(b, ConstantDescs.CD_Object);
                });
            type.withMethodBody(
                "spawnForField",
                factory(nowhere).insertParameterTypes(0, ConstantDescs.CD_Object),
                ClassFile.ACC_STATIC,
                b -> {
                  int next = create(b, 1);
                  b.aload(next).iload(next + 1).aload(0).iconst_0();
                  enter(b, ConstantDescs.CD_Object);
                });
          }
          writeExecution(type);
        });
  }

  /** Leaves the new job on the stack; returns the slot after the arguments. */
  private int create(CodeBuilder b, int first) {
    b.new_(name).dup().invokespecial(name, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
    int slot = first;
    b.dup().aload(slot++).putfield(name, RECEIVER, job.receiver());
    for (int i = 0; i < job.type().parameterCount(); i++) {
      ClassDesc parameter = job.type().parameterType(i);
      TypeKind kind = TypeKind.from(parameter);
      b.dup().loadLocal(kind, slot).putfield(name, "argument" + i, parameter);
      slot += kind.slotSize();
    }
    return slot;
  }

  private static void enter(CodeBuilder b, ClassDesc place) {
    MethodTypeDesc type =
        MethodTypeDesc.of(
            RuntimeNames.ACTIVATION,
            RuntimeNames.JOB,
            RuntimeNames.ACTIVATION,
            ConstantDescs.CD_int);
    if (!place.equals(ConstantDescs.CD_void)) {
      type = type.insertParameterTypes(3, ConstantDescs.CD_Object, ConstantDescs.CD_int);
    }
    b.invokestatic(RuntimeNames.ACTIVATION, "spawn", type).areturn();
  }

  private void writeExecution(java.lang.classfile.ClassBuilder type) {
    type.withMethodBody(
        "call",
        ConstantDescs.MTD_void,
        ClassFile.ACC_PROTECTED,
        b -> {
          boolean returns = !result().equals(ConstantDescs.CD_void);
          if (returns) {
            b.aload(0);
          }
          arguments(b);
          b.invokevirtual(job.receiver(), job.method(), job.type());
          if (returns) {
            b.putfield(name, RESULT, result());
          }
          b.return_();
        });
    type.withMethodBody(
        "outcome",
        MethodTypeDesc.of(ConstantDescs.CD_Object),
        ClassFile.ACC_PROTECTED,
        b -> {
          if (result().equals(ConstantDescs.CD_void)) {
            b.aconst_null().areturn();
            return;
          }
          b.aload(0).getfield(name, RESULT, result());
          if (result().isPrimitive()) {
            ClassDesc box = box(result());
            b.invokestatic(box, "valueOf", MethodTypeDesc.of(box, result()));
          }
          b.areturn();
        });
    type.withMethodBody(
        "setOutcome",
        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object),
        ClassFile.ACC_PROTECTED,
        b -> {
          if (result().equals(ConstantDescs.CD_void)) {
            b.return_();
            return;
          }
          b.aload(0).aload(1);
          if (result().isPrimitive()) {
            ClassDesc box = box(result());
            b.checkcast(box)
                .invokevirtual(box, result().displayName() + "Value", MethodTypeDesc.of(result()));
          } else {
            b.checkcast(result());
          }
          b.putfield(name, RESULT, result()).return_();
        });
    if (guarded) {
      type.withMethodBody(
          "guard",
          GUARD_TYPE,
          ClassFile.ACC_PROTECTED,
          b -> {
            arguments(b);
            b.invokevirtual(
                    job.receiver(),
                    guard(job.method()),
                    job.type().changeReturnType(ConstantDescs.CD_boolean))
                .ireturn();
          });
    }
    if (!shared.isEmpty()) {
      type.withMethodBody(
          "sharedParameters",
          MethodTypeDesc.of(RuntimeNames.SHARED_OBJECT.arrayType()),
          ClassFile.ACC_PROTECTED,
          b -> {
            b.loadConstant(shared.size()).anewarray(RuntimeNames.SHARED_OBJECT);
            for (int i = 0; i < shared.size(); i++) {
              int parameter = shared.get(i);
              b.dup()
                  .loadConstant(i)
                  .aload(0)
                  .getfield(name, "argument" + parameter, job.type().parameterType(parameter))
                  .aastore();
            }
            b.areturn();
          });
    }
    type.withMethodBody(
        "method",
        MethodTypeDesc.of(ConstantDescs.CD_String),
        ClassFile.ACC_PROTECTED,
        b ->
            b.loadConstant(
                    ClassLibrary.internalName(job.receiver()).replace('/', '.')
                        + "."
                        + job.method())
                .areturn());
  }

  private void arguments(CodeBuilder b) {
    b.aload(0).getfield(name, RECEIVER, job.receiver());
    for (int i = 0; i < job.type().parameterCount(); i++) {
      b.aload(0).getfield(name, "argument" + i, job.type().parameterType(i));
    }
  }

  static ClassDesc box(ClassDesc primitive) {
    return switch (primitive.descriptorString()) {
      case "Z" -> ConstantDescs.CD_Boolean;
      case "B" -> ConstantDescs.CD_Byte;
      case "C" -> ConstantDescs.CD_Character;
      case "S" -> ConstantDescs.CD_Short;
      case "I" -> ConstantDescs.CD_Integer;
      case "J" -> ConstantDescs.CD_Long;
      case "F" -> ConstantDescs.CD_Float;
      default -> ConstantDescs.CD_Double;
    };
  }
}
