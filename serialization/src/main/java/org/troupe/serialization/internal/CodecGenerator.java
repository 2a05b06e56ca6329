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
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.CodecFailure;

/**
 * Generates the codec of one class: straight-line code for its fields, in the order of its layout.
 */
final class CodecGenerator {

  /*
   * Hidden classes. The codec is a hidden class in this package, independent of the loader of the
   * class it serves; it accesses the fields through method handles with erased types, which are
   * constants of its class data. The JIT sees through them, so private and final fields cost what
   * direct access costs. (A nestmate of the user's class could not write final fields, and could
   * not be defined for classes of other loaders and modules.) Nothing but the user's class itself
   * keeps the codec alive, so an application can be unloaded.
   */

  private static final ClassDesc CODEC = FieldCodec.class.describeConstable().orElseThrow();
  private static final ClassDesc BASE = Codec.class.describeConstable().orElseThrow();
  private static final ClassDesc ENCODER = Encoder.class.describeConstable().orElseThrow();
  private static final ClassDesc DECODER = Decoder.class.describeConstable().orElseThrow();
  private static final ClassDesc SHAPE = FieldCodec.Shape.class.describeConstable().orElseThrow();
  private static final DirectMethodHandleDesc CLASS_DATA_AT =
      ConstantDescs.ofConstantBootstrap(
          MethodHandles.class.describeConstable().orElseThrow(), "classDataAt", CD_Object, CD_int);

  private static final DirectMethodHandleDesc CODEC_AT =
      ConstantDescs.ofConstantBootstrap(
          CodecGenerator.class.describeConstable().orElseThrow(), "codec", BASE, CD_int);
  private static final MethodTypeDesc WRITE_SLOT =
      MethodTypeDesc.of(CD_void, CD_Object, BASE, CD_int);
  private static final MethodTypeDesc READ_SLOT =
      MethodTypeDesc.of(CD_Object, BASE, CD_Object, CD_int);

  /** The local variable with the position of the reserved bytes. */
  private static final int PLACE = 3;

  private final FieldCodec.Shape shape;
  private final List<Object> classData = new ArrayList<>();

  /**
   * The end of the fields for which bytes are reserved, and the number of these bytes already used.
   */
  private int groupEnd;

  private int offset;

  private CodecGenerator(FieldCodec.Shape shape) {
    this.shape = shape;
  }

  /**
   * Returns a codec; of a record if there is a constructor, as {@code (erased components)Object}.
   */
  static FieldCodec codec(FieldCodec.Shape shape, @Nullable MethodHandle constructor) {
    return new CodecGenerator(shape).define(constructor);
  }

  private FieldCodec define(@Nullable MethodHandle constructor) {
    // Of the arguments of calls, which are in an array, any name will do.
    String served = shape.type().isArray() ? "Call" : shape.type().getName();
    ClassDesc name =
        ClassDesc.of(
            "%s.%s$Codec"
                .formatted(
                    CodecGenerator.class.getPackageName(),
                    served.replace('.', '_').replace('/', '_')));
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
                      constructor == null ? this::readFields : CodecGenerator::refuse);
                  c.withMethodBody(
                      "construct",
                      MethodTypeDesc.of(CD_Object, DECODER),
                      0,
                      constructor == null
                          ? CodecGenerator::refuse
                          : b -> construct(b, constructor));
                  c.withMethodBody(
                      "allocate",
                      MethodTypeDesc.of(CD_Object),
                      0,
                      shape.allocator() == null ? CodecGenerator::refuse : this::allocate);
                  c.withMethodBody(
                      "tail",
                      MethodTypeDesc.of(CD_Object, CD_Object),
                      0,
                      shape.tail() < 0 ? CodecGenerator::refuse : this::tail);
                  c.withMethodBody(
                      "setTail",
                      MethodTypeDesc.of(CD_void, CD_Object, CD_Object),
                      0,
                      shape.tail() < 0 ? CodecGenerator::refuse : this::setTail);
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
      return codec;
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    }
  }

  private void writeFields(CodeBuilder b) {
    groupEnd = 0;
    for (int i = 0; i < shape.types().length; i++) {
      if (i == shape.tail()) {
        continue;
      }
      Class<?> declared = shape.types()[i];
      ClassDesc type = erased(declared);
      boolean inGroup = reserve(b, i, ENCODER);
      b.aload(1);
      if (inGroup) {
        b.iload(PLACE).loadConstant(offset).iadd();
        offset += width(i);
      }
      b.ldc(constant(shape.getters()[i])).aload(2);
      b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(type, CD_Object));
      if (inGroup) {
        b.invokevirtual(
            ENCODER, "put" + suffix(declared), MethodTypeDesc.of(CD_void, CD_int, type));
      } else if (type != CD_Object) {
        b.invokevirtual(ENCODER, "write" + suffix(declared), MethodTypeDesc.of(CD_void, type));
      } else {
        writeReference(b, i);
      }
    }
    b.return_();
  }

  private void writeReference(CodeBuilder b, int i) {
    b.aload(0).loadConstant(i);
    if (shape.types()[i] == String.class) {
      b.invokevirtual(ENCODER, "writeStringSlot", WRITE_SLOT);
    } else if (isOuterReference(shape.names()[i])) {
      b.invokevirtual(ENCODER, "writeOuterSlot", WRITE_SLOT);
    } else if (CodecRegistry.canGuess(shape.guesses()[i])) {
      guess(b, shape.guesses()[i]);
      b.invokevirtual(ENCODER, "writeSlot", WRITE_SLOT.insertParameterTypes(3, BASE));
    } else {
      b.invokevirtual(ENCODER, "writeSlot", WRITE_SLOT);
    }
  }

  /**
   * Sets room for several numbers of fixed width aside at once, where the first of them comes, or
   * finds it; a check for each would cost more than the number itself.
   *
   * @return whether a field is one of several such numbers
   */
  private boolean reserve(CodeBuilder b, int i, ClassDesc by) {
    if (i < groupEnd) {
      return true;
    }
    int end = i;
    int bytes = 0;
    while (end < shape.types().length && width(end) > 0) {
      bytes += width(end++);
    }
    if (end - i < 2) {
      return false;
    }
    groupEnd = end;
    offset = 0;
    b.aload(1).loadConstant(bytes);
    b.invokevirtual(by, "reserve", MethodTypeDesc.of(CD_int, CD_int)).istore(PLACE);
    return true;
  }

  /** Returns the fixed size of a field in bytes, or 0. */
  private int width(int i) {
    return switch (shape.types()[i].descriptorString()) {
      case "Z", "B" -> 1;
      case "S", "C" -> 2;
      case "F" -> 4;
      case "D" -> 8;
      default -> 0;
    };
  }

  private void guess(CodeBuilder b, Class<?> declared) {
    if (declared == shape.type() && shape.allocator() != null) {
      b.aload(0);
      return;
    }
    classData.add(declared);
    b.ldc(DynamicConstantDesc.ofNamed(CODEC_AT, "codec", BASE, classData.size() - 1));
  }

  /**
   * Finds the codec of a class in the class data of a generated codec, when that first needs it.
   */
  static @Nullable Codec codec(MethodHandles.Lookup lookup, String name, Class<?> type, int index)
      throws IllegalAccessException {
    return CodecRegistry.guess(
        MethodHandles.classDataAt(lookup, ConstantDescs.DEFAULT_NAME, Class.class, index));
  }

  private void allocate(CodeBuilder b) {
    b.ldc(constant(shape.allocator()));
    b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_Object)).areturn();
  }

  private void tail(CodeBuilder b) {
    b.ldc(constant(shape.getters()[shape.tail()])).aload(1);
    b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_Object, CD_Object));
    b.areturn();
  }

  private void setTail(CodeBuilder b) {
    b.ldc(constant(shape.setters()[shape.tail()])).aload(1).aload(2);
    b.invokevirtual(
        CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_void, CD_Object, CD_Object));
    b.return_();
  }

  /** Returns whether the compiler added a field for the outer object of an inner class. */
  private static boolean isOuterReference(String field) {
    return field.startsWith("this$");
  }

  private void readFields(CodeBuilder b) {
    groupEnd = 0;
    for (int i = 0; i < shape.types().length; i++) {
      if (i == shape.tail()) {
        continue;
      }
      ClassDesc type = erased(shape.types()[i]);
      if (shape.type().isArray() && type == CD_Object) {
        b.aload(1).loadConstant(i);
        b.invokevirtual(DECODER, "beginArgument", MethodTypeDesc.of(CD_void, CD_int));
      }
      boolean inGroup = reserve(b, i, DECODER);
      b.ldc(constant(shape.setters()[i])).aload(2);
      read(b, i, type, true, inGroup);
      b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_void, CD_Object, type));
    }
    b.return_();
  }

  private void construct(CodeBuilder b, MethodHandle constructor) {
    List<ClassDesc> types = new ArrayList<>();
    groupEnd = 0;
    b.ldc(constant(constructor));
    for (int i = 0; i < shape.types().length; i++) {
      ClassDesc type = erased(shape.types()[i]);
      types.add(type);
      read(b, i, type, false, reserve(b, i, DECODER));
    }
    b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_Object, types));
    b.areturn();
  }

  private void read(CodeBuilder b, int i, ClassDesc type, boolean canFillLater, boolean inGroup) {
    b.aload(1);
    if (inGroup) {
      b.iload(PLACE).loadConstant(offset).iadd();
      offset += width(i);
      b.invokevirtual(DECODER, "get" + suffix(shape.types()[i]), MethodTypeDesc.of(type, CD_int));
      return;
    }
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
    Class<?> declared = shape.types()[i];
    if (declared == String.class) {
      b.invokevirtual(DECODER, "readStringSlot", READ_SLOT);
    } else if (CodecRegistry.canGuess(shape.guesses()[i])) {
      guess(b, shape.guesses()[i]);
      b.invokevirtual(DECODER, "readSlot", READ_SLOT.insertParameterTypes(3, BASE));
    } else {
      b.invokevirtual(DECODER, "readSlot", READ_SLOT);
    }
  }

  private static void refuse(CodeBuilder b) {
    ClassDesc error = AssertionError.class.describeConstable().orElseThrow();
    b.new_(error).dup().invokespecial(error, INIT_NAME, MethodTypeDesc.of(CD_void)).athrow();
  }

  private DynamicConstantDesc<MethodHandle> constant(@Nullable MethodHandle handle) {
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
