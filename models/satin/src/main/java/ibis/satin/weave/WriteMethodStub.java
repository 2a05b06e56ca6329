package ibis.satin.weave;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * A write method of a shared object: it runs the body that the program has written and, if the
 * object is shared, sends the call to the other replicas.
 */
final class WriteMethodStub {

  private final ClassDesc owner;
  private final MethodModel method;
  private final String body;

  WriteMethodStub(ClassDesc owner, MethodModel method, String body) {
    this.owner = owner;
    this.method = method;
    this.body = body;
  }

  void write(ClassBuilder b) {
    b.withMethod(
        method.methodName(),
        method.methodType(),
        method.flags().flagsMask(),
        m -> {
          method
              .elementStream()
              .filter(each -> each instanceof java.lang.classfile.Attribute<?>)
              .filter(each -> !(each instanceof CodeAttribute))
              .forEach(m::with);
          m.withCode(this::code);
        });
  }

  private void code(CodeBuilder b) {
    TypeKind result = TypeKind.from(method.methodTypeSymbol().returnType()).asLoadable();
    Label shared = b.newLabel();
    b.aload(0)
        .invokevirtual(owner, "isUnshared", MethodTypeDesc.of(ConstantDescs.CD_boolean))
        .ifeq(shared);
    call(b);
    b.return_(result);

    b.labelBinding(shared);
    int write = b.allocateLocal(TypeKind.REFERENCE);
    int value = b.allocateLocal(TypeKind.DOUBLE); // of any kind
    int thrown = b.allocateLocal(TypeKind.REFERENCE);
    b.aload(0)
        .loadConstant(method.methodName().stringValue())
        .loadConstant(method.methodType().stringValue());
    arguments(b);
    b.invokestatic(
            RuntimeNames.SHARED_WRITE,
            "begin",
            MethodTypeDesc.of(
                RuntimeNames.SHARED_WRITE,
                RuntimeNames.SHARED_OBJECT,
                ConstantDescs.CD_String,
                ConstantDescs.CD_String,
                ConstantDescs.CD_Object.arrayType()))
        .astore(write);
    Label start = b.newBoundLabel();
    call(b);
    Label end = b.newBoundLabel();
    if (result != TypeKind.VOID) {
      b.storeLocal(result, value);
    }
    end(b, write);
    if (result != TypeKind.VOID) {
      b.loadLocal(result, value);
    }
    b.return_(result);
    Label handler = b.newBoundLabel();
    b.astore(thrown);
    end(b, write);
    b.aload(thrown).athrow();
    b.exceptionCatchAll(start, end, handler);
  }

  private void call(CodeBuilder b) {
    b.aload(0);
    int slot = 1;
    for (ClassDesc type : method.methodTypeSymbol().parameterList()) {
      TypeKind kind = TypeKind.from(type);
      b.loadLocal(kind, slot);
      slot += kind.slotSize();
    }
    b.invokespecial(owner, body, method.methodTypeSymbol());
  }

  private void arguments(CodeBuilder b) {
    b.loadConstant(method.methodTypeSymbol().parameterCount()).anewarray(ConstantDescs.CD_Object);
    int slot = 1;
    int i = 0;
    for (ClassDesc type : method.methodTypeSymbol().parameterList()) {
      TypeKind kind = TypeKind.from(type);
      b.dup().loadConstant(i++).loadLocal(kind, slot);
      if (type.isPrimitive()) {
        ClassDesc box = JobClass.box(type);
        b.invokestatic(box, "valueOf", MethodTypeDesc.of(box, type));
      }
      b.aastore();
      slot += kind.slotSize();
    }
  }

  private static void end(CodeBuilder b, int write) {
    b.aload(write)
        .invokestatic(
            RuntimeNames.SHARED_WRITE,
            "end",
            MethodTypeDesc.of(ConstantDescs.CD_void, RuntimeNames.SHARED_WRITE));
  }
}
