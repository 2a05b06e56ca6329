package org.troupe.serialization.internal;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/** Makes the codec of one class: straight code for its fields, in the order of its layout. */
final class Generator {

  /*
   * The codec is a hidden class in this package, whoever loaded the class it serves; it reaches the
   * fields through method handles with erased types, which are constants of its class data. The JIT
   * sees through them, so private and final fields cost what direct access costs. (A nestmate of
   * the user's class could not write final fields, and could not be defined for classes of other
   * loaders and modules.) Nothing but the user's class itself keeps the codec alive, so an
   * application can be unloaded.
   */

  private static final ClassDesc CODEC = FieldCodec.class.describeConstable().orElseThrow();
  private static final ClassDesc BASE = Codec.class.describeConstable().orElseThrow();
  private static final ClassDesc ENCODER = Encoder.class.describeConstable().orElseThrow();
  private static final ClassDesc DECODER = Decoder.class.describeConstable().orElseThrow();
  private static final ClassDesc SHAPE = FieldCodec.Shape.class.describeConstable().orElseThrow();
  private static final DirectMethodHandleDesc CLASS_DATA_AT =
      ConstantDescs.ofConstantBootstrap(
          MethodHandles.class.describeConstable().orElseThrow(), "classDataAt", CD_Object, CD_int);

  private final FieldCodec.Shape shape;
  private final List<MethodHandle> classData = new ArrayList<>();

  private Generator(FieldCodec.Shape shape) {
    this.shape = shape;
  }

  /**
   * Returns a codec; of a record if there is a constructor, as {@code (erased components)Object}.
   */
  static FieldCodec codec(FieldCodec.Shape shape, MethodHandle constructor) {
    return new Generator(shape).define(constructor);
  }

  private FieldCodec define(MethodHandle constructor) {
    ClassDesc name =
        ClassDesc.of(
            "%s.%s$Codec"
                .formatted(
                    Generator.class.getPackageName(),
                    shape.type().getName().replace('.', '_').replace('/', '_')));
    byte[] bytes =
        ClassFile.of()
            .build(
                name,
                c -> {
                  c.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER).withSuperclass(CODEC);
                  c.withMethodBody(
                      INIT_NAME,
                      MethodTypeDesc.of(CD_void, SHAPE),
                      0,
                      b ->
                          b.aload(0)
                              .aload(1)
                              .invokespecial(CODEC, INIT_NAME, MethodTypeDesc.of(CD_void, SHAPE))
                              .return_());
                  c.withMethodBody(
                      "writeFields",
                      MethodTypeDesc.of(CD_void, ENCODER, CD_Object),
                      0,
                      this::writeFields);
                  c.withMethodBody(
                      "readFields",
                      MethodTypeDesc.of(CD_void, DECODER, CD_Object),
                      0,
                      constructor == null ? this::readFields : Generator::refuse);
                  c.withMethodBody(
                      "construct",
                      MethodTypeDesc.of(CD_Object, DECODER),
                      0,
                      constructor == null ? Generator::refuse : b -> construct(b, constructor));
                });
    try {
      MethodHandles.Lookup hidden =
          MethodHandles.lookup().defineHiddenClassWithClassData(bytes, classData, true);
      FieldCodec codec =
          (FieldCodec)
              hidden
                  .findConstructor(
                      hidden.lookupClass(),
                      MethodType.methodType(void.class, FieldCodec.Shape.class))
                  .invoke(shape);
      codec.rehearse();
      return codec;
    } catch (Throwable t) {
      throw Failure.of(t);
    }
  }

  private void writeFields(CodeBuilder b) {
    for (int i = 0; i < shape.types().length; i++) {
      MethodHandle getter = shape.getters()[i];
      ClassDesc type = erased(shape.types()[i]);
      b.aload(1);
      b.ldc(constant(getter)).aload(2);
      b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(type, CD_Object));
      if (type == CD_Object) {
        b.aload(0).loadConstant(i);
        b.invokevirtual(
            ENCODER,
            isOuterReference(shape.names()[i]) ? "writeOuterSlot" : "writeSlot",
            MethodTypeDesc.of(CD_void, CD_Object, BASE, CD_int));
      } else {
        b.invokevirtual(
            ENCODER, "write" + suffix(shape.types()[i]), MethodTypeDesc.of(CD_void, type));
      }
    }
    b.return_();
  }

  /** Says whether a field is the one in which the compiler keeps an inner object's outer one. */
  private static boolean isOuterReference(String field) {
    return field.startsWith("this$");
  }

  private void readFields(CodeBuilder b) {
    for (int i = 0; i < shape.types().length; i++) {
      ClassDesc type = erased(shape.types()[i]);
      b.ldc(constant(shape.setters()[i])).aload(2);
      read(b, i, type, true);
      b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_void, CD_Object, type));
    }
    b.return_();
  }

  private void construct(CodeBuilder b, MethodHandle constructor) {
    List<ClassDesc> types = new ArrayList<>();
    b.ldc(constant(constructor));
    for (int i = 0; i < shape.types().length; i++) {
      ClassDesc type = erased(shape.types()[i]);
      types.add(type);
      read(b, i, type, false);
    }
    b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_Object, types));
    b.areturn();
  }

  private void read(CodeBuilder b, int i, ClassDesc type, boolean canFillLater) {
    b.aload(1);
    if (type != CD_Object) {
      b.invokevirtual(DECODER, "read" + suffix(shape.types()[i]), MethodTypeDesc.of(type));
      return;
    }
    b.aload(0);
    if (canFillLater) {
      b.aload(2);
    } else {
      b.aconst_null();
    }
    b.loadConstant(i);
    b.invokevirtual(DECODER, "readSlot", MethodTypeDesc.of(CD_Object, BASE, CD_Object, CD_int));
  }

  private static void refuse(CodeBuilder b) {
    ClassDesc error = AssertionError.class.describeConstable().orElseThrow();
    b.new_(error).dup().invokespecial(error, INIT_NAME, MethodTypeDesc.of(CD_void)).athrow();
  }

  private DynamicConstantDesc<MethodHandle> constant(MethodHandle handle) {
    classData.add(handle);
    return DynamicConstantDesc.ofNamed(
        CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, CD_MethodHandle, classData.size() - 1);
  }

  static Class<?> erasure(Class<?> type) {
    return type.isPrimitive() ? type : Object.class;
  }

  private static ClassDesc erased(Class<?> type) {
    return type.isPrimitive() ? type.describeConstable().orElseThrow() : CD_Object;
  }

  private static String suffix(Class<?> primitive) {
    String name = primitive.getName();
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
