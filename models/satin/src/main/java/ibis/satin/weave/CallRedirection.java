package ibis.satin.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;

/**
 * The calls of the Satin interface that do something only in a woven program: they go to the
 * run-time classes instead.
 */
final class CallRedirection {

  private static final Set<String> OF_NODES = Set.of("pause", "resume", "needMoreJobs", "localJob");

  private final ClassLibrary library;

  CallRedirection(ClassLibrary library) {
    this.library = library;
  }

  boolean concerns(InvokeInstruction call) {
    return target(call) != Target.NONE;
  }

  /** Writes a call, to where it goes in a woven program. */
  void write(CodeBuilder b, InvokeInstruction call) {
    switch (target(call)) {
      case NONE -> b.with(call);
      case NODES ->
          b.invokestatic(RuntimeNames.SATIN, call.name().stringValue(), call.typeSymbol());
      case RUNNING ->
          b.invokestatic(RuntimeNames.SATIN, "running", MethodTypeDesc.of(RuntimeNames.SATIN));
      case EXPORT ->
          b.invokestatic(
              RuntimeNames.SHARED_WRITE,
              "exportObject",
              MethodTypeDesc.of(ConstantDescs.CD_void, ClassDesc.of("ibis.satin.SharedObject")));
    }
  }

  private enum Target {
    NONE,
    NODES,
    RUNNING,
    EXPORT
  }

  private Target target(InvokeInstruction call) {
    String name = call.name().stringValue();
    if (call.opcode() == Opcode.INVOKESTATIC) {
      if (call.owner().asInternalName().equals("ibis/satin/impl/Satin")) {
        return name.equals("getSatin") ? Target.RUNNING : Target.NONE;
      }
      return OF_NODES.contains(name)
              && MethodAnalysis.isMethodOf(library, call, ClassLibrary.SATIN_OBJECT)
          ? Target.NODES
          : Target.NONE;
    }
    return name.equals("exportObject")
            && call.type().equalsString("()V")
            && MethodAnalysis.isMethodOf(library, call, ClassLibrary.SHARED_OBJECT)
        ? Target.EXPORT
        : Target.NONE;
  }
}
