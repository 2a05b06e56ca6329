package org.troupe.serialization.internal.fields;

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
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.codecs.SlotGuess;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.CodecFinder;

/**
 * Generates the codec of one class: straight-line code for its fields, in the order of its layout.
 */
public final class CodecGenerator extends FieldCode {

  private static final ClassDesc CODEC = FieldCodec.class.describeConstable().orElseThrow();
  private static final ClassDesc SHAPE = FieldCodec.Shape.class.describeConstable().orElseThrow();

  private static final DirectMethodHandleDesc CODEC_AT =
      ConstantDescs.ofConstantBootstrap(
          CodecGenerator.class.describeConstable().orElseThrow(), "codec", BASE, CD_int);
  private static final MethodTypeDesc WRITE_SLOT =
      MethodTypeDesc.of(CD_void, CD_Object, BASE, CD_int);
  private static final MethodTypeDesc READ_SLOT =
      MethodTypeDesc.of(CD_Object, BASE, CD_Object, CD_int);

  private record Guess(Class<?> declared, CodecFinder codecs) {}

  private CodecGenerator(FieldCodec.Shape shape) {
    super(shape);
  }

  /**
   * Returns a codec; of a record if there is a constructor, as {@code (erased components)Object}.
   */
  public static FieldCodec codec(FieldCodec.Shape shape, @Nullable MethodHandle constructor) {
    return new CodecGenerator(shape).define(constructor);
  }

  private FieldCodec define(@Nullable MethodHandle constructor) {
    ClassDesc name = name("Codec");
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
                      ClassFile.ACC_PUBLIC,
                      this::writeFields);
                  if (constructor == null) {
                    c.withMethodBody(
                        "readFields",
                        MethodTypeDesc.of(CD_void, DECODER, CD_Object),
                        ClassFile.ACC_PUBLIC,
                        this::readFields);
                  } else {
                    c.withMethodBody(
                        "construct",
                        MethodTypeDesc.of(CD_Object, DECODER),
                        0,
                        b -> construct(b, constructor));
                  }
                  if (shape().allocator() != null) {
                    c.withMethodBody("allocate", MethodTypeDesc.of(CD_Object), 0, this::allocate);
                  }
                  if (shape().tail() >= 0) {
                    c.withMethodBody(
                        "tail", MethodTypeDesc.of(CD_Object, CD_Object), 0, this::tail);
                  }
                  if (shape().tail() >= 0 && constructor == null) {
                    c.withMethodBody(
                        "setTail",
                        MethodTypeDesc.of(CD_void, CD_Object, CD_Object),
                        0,
                        this::setTail);
                  }
                });
    return (FieldCodec) instance(bytes, FieldCodec.Shape.class, shape());
  }

  private void writeFields(CodeBuilder b) {
    begin();
    for (int i = 0; i < fields().types().length; i++) {
      if (i == shape().tail()) {
        continue;
      }
      if (fields().types()[i].isPrimitive()) {
        writeNumber(b, i);
      } else {
        b.aload(CODER);
        get(b, i);
        writeReference(b, i);
      }
    }
    b.return_();
  }

  private void writeReference(CodeBuilder b, int i) {
    b.aload(0).loadConstant(i);
    if (fields().types()[i] == String.class) {
      b.invokevirtual(ENCODER, "writeStringSlot", WRITE_SLOT);
    } else if (isOuterReference(fields().names()[i])) {
      b.invokevirtual(ENCODER, "writeOuterSlot", WRITE_SLOT);
    } else if (SlotGuess.isPossible(shape().guesses()[i])) {
      guess(b, shape().guesses()[i]);
      b.invokevirtual(ENCODER, "writeSlot", WRITE_SLOT.insertParameterTypes(3, BASE));
    } else {
      b.invokevirtual(ENCODER, "writeSlot", WRITE_SLOT);
    }
  }

  private void guess(CodeBuilder b, Class<?> declared) {
    if (declared == shape().type() && shape().allocator() != null) {
      b.aload(0);
      return;
    }
    b.ldc(
        DynamicConstantDesc.ofNamed(
            CODEC_AT, "codec", BASE, add(new Guess(declared, shape().codecs()))));
  }

  /**
   * Finds the codec of a guess in the class data of a generated codec, when that first needs it.
   */
  static @Nullable Codec codec(MethodHandles.Lookup lookup, String name, Class<?> type, int index)
      throws IllegalAccessException {
    Guess guess = MethodHandles.classDataAt(lookup, ConstantDescs.DEFAULT_NAME, Guess.class, index);
    return SlotGuess.codec(guess.declared, guess.codecs);
  }

  private void allocate(CodeBuilder b) {
    b.ldc(constant(shape().allocator()));
    b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_Object)).areturn();
  }

  private void tail(CodeBuilder b) {
    b.ldc(constant(fields().getters()[shape().tail()])).aload(1);
    b.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_Object, CD_Object));
    b.areturn();
  }

  private void setTail(CodeBuilder b) {
    b.ldc(constant(fields().setters()[shape().tail()])).aload(1).aload(2);
    b.invokevirtual(
        CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_void, CD_Object, CD_Object));
    b.return_();
  }

  /** Returns whether the compiler added a field for the outer object of an inner class. */
  private static boolean isOuterReference(String field) {
    return field.startsWith("this$");
  }

  private void readFields(CodeBuilder b) {
    begin();
    for (int i = 0; i < fields().types().length; i++) {
      if (i == shape().tail()) {
        continue;
      }
      boolean isNumber = fields().types()[i].isPrimitive();
      if (shape().type().isArray() && !isNumber) {
        b.aload(CODER).loadConstant(i);
        b.invokevirtual(DECODER, "beginArgument", MethodTypeDesc.of(CD_void, CD_int));
      }
      b.ldc(constant(fields().setters()[i])).aload(OWNER);
      if (isNumber) {
        readNumber(b, i);
      } else {
        readReference(b, i, true);
      }
      set(b, i);
    }
    b.return_();
  }

  private void construct(CodeBuilder b, MethodHandle constructor) {
    begin();
    b.ldc(constant(constructor));
    for (int i = 0; i < fields().types().length; i++) {
      if (fields().types()[i].isPrimitive()) {
        readNumber(b, i);
      } else {
        readReference(b, i, false);
      }
    }
    construct(b);
  }

  private void readReference(CodeBuilder b, int i, boolean canFillLater) {
    b.aload(CODER).aload(0);
    if (canFillLater) {
      b.aload(OWNER);
    } else {
      b.aconst_null();
    }
    b.loadConstant(i);
    if (fields().types()[i] == String.class) {
      b.invokevirtual(DECODER, "readStringSlot", READ_SLOT);
    } else if (SlotGuess.isPossible(shape().guesses()[i])) {
      guess(b, shape().guesses()[i]);
      b.invokevirtual(DECODER, "readSlot", READ_SLOT.insertParameterTypes(3, BASE));
    } else {
      b.invokevirtual(DECODER, "readSlot", READ_SLOT);
    }
  }
}
