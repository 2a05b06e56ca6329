package org.troupe.stubs;

import static java.lang.classfile.ClassFile.ACC_FINAL;
import static java.lang.classfile.ClassFile.ACC_PRIVATE;
import static java.lang.classfile.ClassFile.ACC_PROTECTED;
import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.classfile.ClassFile.ACC_STATIC;
import static java.lang.classfile.ClassFile.ACC_SUPER;
import static java.lang.classfile.ClassFile.ACC_SYNTHETIC;
import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the class file of a stub class. */
final class StubGenerator {

  /*
   * Generated code. Each overriding method loads the handler, pushes index and arguments, makes one
   * call and casts the result. The calls on a target object are small static methods, one per
   * method, behind a switch: HotSpot never compiles a method of more than 8000 bytes.
   */

  private static final ClassDesc CD_STUB = desc(Stub.class);
  private static final ClassDesc CD_HANDLER = desc(CallHandler.class);
  private static final ClassDesc CD_OBJECTS = CD_Object.arrayType();
  private static final String HANDLER = "troupe$handler";
  private static final String INVOKE = "troupe$invoke";
  private static final MethodTypeDesc ON_TARGET =
      MethodTypeDesc.of(CD_Object, CD_Object, CD_OBJECTS);

  private final Class<?> type;
  private final Class<? extends CallHandler> kind;
  private final List<StubMethod> methods;
  private final boolean finalizer;
  private final Set<String> overloads = new HashSet<>();

  StubGenerator(
      Class<?> type,
      Class<? extends CallHandler> kind,
      List<StubMethod> methods,
      boolean finalizer) {
    this.type = type;
    this.kind = kind;
    this.methods = methods;
    this.finalizer = finalizer;
    for (Method method : kind.getMethods()) {
      if (method.getName().equals("call") && !Modifier.isStatic(method.getModifiers())) {
        overloads.add(MethodTable.descriptorOf(method));
      }
    }
  }

  /** Returns whether code at this site may call a method on any object of the type. */
  static boolean canCall(Method method, DefinitionSite home) {
    if (Modifier.isProtected(method.getModifiers())
        && !home.sharesPackageWith(method.getDeclaringClass())) {
      return false; // the verifier permits such a call on a stub only
    }
    return Arrays.stream(method.getParameterTypes()).allMatch(home::canAccess);
  }

  /** Returns the class file; {@code indirect} has the methods, by index, that it need not call. */
  byte[] classFile(String name, @Nullable MethodHandle @Nullable [] indirect) {
    ClassDesc self = ClassDesc.of(name);
    return ClassFile.of().build(self, file -> write(file, self, indirect));
  }

  private void write(
      ClassBuilder file, ClassDesc self, @Nullable MethodHandle @Nullable [] indirect) {
    file.withFlags(ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC);
    if (type.isInterface()) {
      file.withInterfaceSymbols(desc(type), CD_STUB);
    } else {
      file.withSuperclass(desc(type)).withInterfaceSymbols(CD_STUB);
    }
    file.withField(HANDLER, desc(kind), ACC_PRIVATE);
    writeOwnMethods(file, self);
    for (StubMethod method : methods) {
      writeOverride(file, self, method);
    }
    var called = new ArrayList<StubMethod>();
    for (StubMethod method : methods) {
      if (indirect == null || indirect[method.index()] == null) {
        called.add(method);
        writeCall(file, method);
      }
    }
    writeSwitch(file, self, called);
  }

  private void writeOwnMethods(ClassBuilder file, ClassDesc self) {
    file.withMethodBody(
        HANDLER,
        MethodTypeDesc.of(CD_HANDLER),
        ACC_PUBLIC,
        code -> code.aload(0).getfield(self, HANDLER, desc(kind)).areturn());
    file.withMethodBody(
        HANDLER,
        MethodTypeDesc.of(CD_void, CD_HANDLER),
        ACC_PUBLIC,
        code ->
            code.aload(0)
                .aload(1)
                .checkcast(desc(kind))
                .putfield(self, HANDLER, desc(kind))
                .return_());
    file.withMethodBody(
        "troupe$type",
        MethodTypeDesc.of(CD_Class),
        ACC_PUBLIC,
        code -> code.ldc(desc(type)).areturn());
    if (finalizer) { // an empty one is not even registered with the collector
      file.withMethodBody(
          "finalize", MethodTypeDesc.of(CD_void), ACC_PROTECTED, CodeBuilder::return_);
    }
  }

  private void writeOverride(ClassBuilder file, ClassDesc self, StubMethod method) {
    int access = method.method().getModifiers() & (ACC_PUBLIC | ACC_PROTECTED);
    MethodTypeDesc methodType = MethodTable.typeOf(method);
    file.withMethodBody(
        method.name(),
        methodType,
        access,
        code -> {
          code.aload(0).getfield(self, HANDLER, desc(kind)).loadConstant(method.index());
          MethodTypeDesc overload = overloadFor(methodType);
          if (overloads.contains(overload.descriptorString())) {
            for (int i = 0; i < methodType.parameterCount(); i++) {
              code.loadLocal(TypeKind.from(methodType.parameterType(i)), code.parameterSlot(i));
            }
          } else {
            overload = MethodTypeDesc.of(CD_Object, CD_int, CD_OBJECTS);
            pushBoxed(code, methodType);
          }
          if (kind.isInterface()) {
            code.invokeinterface(desc(kind), "call", overload);
          } else {
            code.invokevirtual(desc(kind), "call", overload);
          }
          returnUnboxed(code, methodType.returnType());
        });
  }

  private static MethodTypeDesc overloadFor(MethodTypeDesc method) {
    var parameters = new ArrayList<ClassDesc>();
    parameters.add(CD_int);
    for (ClassDesc parameter : method.parameterList()) {
      parameters.add(parameter.isPrimitive() ? parameter : CD_Object);
    }
    return MethodTypeDesc.of(CD_Object, parameters);
  }

  private static void pushBoxed(CodeBuilder code, MethodTypeDesc method) {
    code.loadConstant(method.parameterCount()).anewarray(CD_Object);
    for (int i = 0; i < method.parameterCount(); i++) {
      ClassDesc parameter = method.parameterType(i);
      code.dup().loadConstant(i);
      code.loadLocal(TypeKind.from(parameter), code.parameterSlot(i));
      box(code, parameter);
      code.aastore();
    }
  }

  private static void returnUnboxed(CodeBuilder code, ClassDesc result) {
    if (result.equals(CD_void)) {
      code.pop().return_();
      return;
    }
    castTo(code, result);
    code.return_(TypeKind.from(result));
  }

  /** A static method that calls a real object: {@code Object troupe$invoke$7(Object, Object[])}. */
  private void writeCall(ClassBuilder file, StubMethod method) {
    MethodTypeDesc methodType = MethodTable.typeOf(method);
    boolean ofObject = method.method().getDeclaringClass() == Object.class;
    ClassDesc owner = ofObject ? CD_Object : desc(type);
    file.withMethodBody(
        callName(method),
        ON_TARGET,
        ACC_PRIVATE | ACC_STATIC,
        code -> {
          code.aload(0);
          castTo(code, owner);
          for (int i = 0; i < methodType.parameterCount(); i++) {
            code.aload(1).loadConstant(i).aaload();
            castTo(code, methodType.parameterType(i));
          }
          if (type.isInterface() && !ofObject) {
            code.invokeinterface(owner, method.name(), methodType);
          } else {
            code.invokevirtual(owner, method.name(), methodType);
          }
          box(code, methodType.returnType());
          code.areturn();
        });
  }

  private static void writeSwitch(ClassBuilder file, ClassDesc self, List<StubMethod> called) {
    file.withMethodBody(
        INVOKE,
        MethodTypeDesc.of(CD_Object, CD_int, CD_Object, CD_OBJECTS),
        ACC_PUBLIC,
        code -> {
          Label none = code.newLabel();
          var cases = new ArrayList<SwitchCase>();
          for (StubMethod method : called) {
            cases.add(SwitchCase.of(method.index(), code.newLabel()));
          }
          code.iload(1).tableswitch(none, cases);
          for (int i = 0; i < cases.size(); i++) {
            code.labelBinding(cases.get(i).target())
                .aload(2)
                .aload(3)
                .invokestatic(self, callName(called.get(i)), ON_TARGET)
                .areturn();
          }
          ClassDesc error = desc(IndexOutOfBoundsException.class);
          code.labelBinding(none)
              .new_(error)
              .dup()
              .iload(1)
              .invokespecial(error, ConstantDescs.INIT_NAME, MethodTypeDesc.of(CD_void, CD_int))
              .athrow();
        });
  }

  private static String callName(StubMethod method) {
    return INVOKE + "$" + method.index();
  }

  private static void castTo(CodeBuilder code, ClassDesc target) {
    if (target.isPrimitive()) {
      ClassDesc box = boxOf(target);
      code.checkcast(box)
          .invokevirtual(box, target.displayName() + "Value", MethodTypeDesc.of(target));
    } else if (!target.equals(CD_Object)) {
      code.checkcast(target);
    }
  }

  private static void box(CodeBuilder code, ClassDesc value) {
    if (value.equals(CD_void)) {
      code.aconst_null();
    } else if (value.isPrimitive()) {
      ClassDesc box = boxOf(value);
      code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, value));
    }
  }

  private static ClassDesc boxOf(ClassDesc primitive) {
    return switch (TypeKind.from(primitive)) {
      case BOOLEAN -> ConstantDescs.CD_Boolean;
      case BYTE -> ConstantDescs.CD_Byte;
      case CHAR -> ConstantDescs.CD_Character;
      case SHORT -> ConstantDescs.CD_Short;
      case INT -> ConstantDescs.CD_Integer;
      case LONG -> ConstantDescs.CD_Long;
      case FLOAT -> ConstantDescs.CD_Float;
      case DOUBLE -> ConstantDescs.CD_Double;
      case REFERENCE, VOID -> throw new IllegalArgumentException(primitive + " has no box");
    };
  }

  private static ClassDesc desc(Class<?> c) {
    return ClassDesc.ofDescriptor(c.descriptorString());
  }
}
