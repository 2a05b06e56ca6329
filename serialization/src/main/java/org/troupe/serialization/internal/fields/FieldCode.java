package org.troupe.serialization.internal.fields;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassFields;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;

/** Byte code that writes and reads the fields of one class, for the generators of its classes. */
abstract class FieldCode {

  /*
   * Hidden classes. Generated classes are hidden classes in this package, independent of the loader
   * of the class they serve; they access the fields through method handles with erased types, which
   * are constants of their class data. The JIT sees through them, so access to private and final
   * fields costs no more than direct access. (A nestmate of the user's class could not write final
   * fields, and could not be defined for classes of other loaders and modules.) Nothing but the
   * user's class itself keeps a generated class alive, so an application can be unloaded.
   */

  static final ClassDesc BASE = Codec.class.describeConstable().orElseThrow();
  static final ClassDesc ENCODER = Encoder.class.describeConstable().orElseThrow();
  static final ClassDesc DECODER = Decoder.class.describeConstable().orElseThrow();

  private static final DirectMethodHandleDesc CLASS_DATA_AT =
      ConstantDescs.ofConstantBootstrap(
          MethodHandles.class.describeConstable().orElseThrow(), "classDataAt", CD_Object, CD_int);

  /** The local variable with the encoder or the decoder. */
  static final int CODER = 1;

  /** The local variable with the object whose fields are accessed. */
  static final int OWNER = 2;

  /** The local variable with the position of the reserved bytes. */
  private static final int PLACE = 3;

  private final FieldCodec.Shape shape;
  private final List<Object> classData = new ArrayList<>();

  /**
   * The end of the fields for which bytes are reserved, and the number of these bytes already used.
   */
  private int groupEnd;

  private int offset;

  FieldCode(FieldCodec.Shape shape) {
    this.shape = shape;
  }

  final FieldCodec.Shape shape() {
    return shape;
  }

  final ClassFields fields() {
    return shape.fields();
  }

  /** Returns the name of a class that serves the class, in this package. */
  final ClassDesc name(String purpose) {
    // Of the arguments of calls, which are in an array, any name will do.
    String served = shape.type().isArray() ? "Call" : shape.type().getName();
    return ClassDesc.of(
        "%s.%s$%s"
            .formatted(
                FieldCode.class.getPackageName(),
                served.replace('.', '_').replace('/', '_'),
                purpose));
  }

  /** Defines a generated class and creates an object by its constructor with one parameter. */
  final Object instance(byte[] bytes, Class<?> parameter, Object argument) {
    try {
      MethodHandles.Lookup hidden =
          MethodHandles.lookup().defineHiddenClassWithClassData(bytes, classData, true);
      return hidden
          .findConstructor(hidden.lookupClass(), MethodType.methodType(void.class, parameter))
          .invoke(argument);
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    }
  }

  /** Adds to the class data; returns the index. */
  final int add(@Nullable Object datum) {
    classData.add(datum);
    return classData.size() - 1;
  }

  final DynamicConstantDesc<MethodHandle> constant(@Nullable MethodHandle handle) {
    return DynamicConstantDesc.ofNamed(
        CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, CD_MethodHandle, add(handle));
  }

  /** Begins the code of a method. */
  final void begin() {
    groupEnd = 0;
  }

  /** Pushes the value of a field of the owner. */
  final void get(CodeBuilder b, int i) {
    b.ldc(constant(fields().getters()[i])).aload(OWNER);
    b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(type(i), CD_Object));
  }

  /** Calls the setter of a field, which is on the stack with the object and the value. */
  final void set(CodeBuilder b, int i) {
    b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_void, CD_Object, type(i)));
  }

  /** Calls and returns from the constructor of a record, on the stack with the components. */
  final void construct(CodeBuilder b) {
    List<ClassDesc> types = Stream.of(fields().types()).map(FieldCode::erased).toList();
    b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_Object, types));
    b.areturn();
  }

  /** Writes a field of the owner that holds a number. */
  final void writeNumber(CodeBuilder b, int i) {
    boolean inGroup = reserve(b, i, ENCODER);
    b.aload(CODER);
    if (inGroup) {
      b.iload(PLACE).loadConstant(offset).iadd();
      offset += width(i);
    }
    get(b, i);
    if (inGroup) {
      b.invokevirtual(ENCODER, "put" + suffix(i), MethodTypeDesc.of(CD_void, CD_int, type(i)));
    } else {
      b.invokevirtual(ENCODER, "write" + suffix(i), MethodTypeDesc.of(CD_void, type(i)));
    }
  }

  /** Reads a number and pushes it. */
  final void readNumber(CodeBuilder b, int i) {
    boolean inGroup = reserve(b, i, DECODER);
    b.aload(CODER);
    if (inGroup) {
      b.iload(PLACE).loadConstant(offset).iadd();
      offset += width(i);
      b.invokevirtual(DECODER, "get" + suffix(i), MethodTypeDesc.of(type(i), CD_int));
    } else {
      b.invokevirtual(DECODER, "read" + suffix(i), MethodTypeDesc.of(type(i)));
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
    while (end < fields().types().length && width(end) > 0) {
      bytes += width(end++);
    }
    if (end - i < 2) {
      return false;
    }
    groupEnd = end;
    offset = 0;
    b.aload(CODER).loadConstant(bytes);
    b.invokevirtual(by, "reserve", MethodTypeDesc.of(CD_int, CD_int)).istore(PLACE);
    return true;
  }

  /** Returns the fixed size of a field in bytes, or 0. */
  private int width(int i) {
    return switch (fields().types()[i].descriptorString()) {
      case "Z", "B" -> 1;
      case "S", "C" -> 2;
      case "F" -> 4;
      case "D" -> 8;
      default -> 0;
    };
  }

  final ClassDesc type(int i) {
    return erased(fields().types()[i]);
  }

  static void refuse(CodeBuilder b) {
    ClassDesc error = AssertionError.class.describeConstable().orElseThrow();
    b.new_(error).dup().invokespecial(error, INIT_NAME, MethodTypeDesc.of(CD_void)).athrow();
  }

  private static ClassDesc erased(Class<?> type) {
    return type.isPrimitive() ? type.describeConstable().orElseThrow() : CD_Object;
  }

  private String suffix(int i) {
    String name = fields().types()[i].getName();
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
