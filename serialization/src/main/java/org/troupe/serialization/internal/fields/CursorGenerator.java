package org.troupe.serialization.internal.fields;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.ReferenceCursor;

/** Generates the cursors over the fields of one class, as coroutines that stop at references. */
final class CursorGenerator extends FieldCode {

  /*
   * Form. Between two references, the code is that of the generated codec. advance() continues by a
   * switch over the slot of the last reference. A cursor that reads a record has a field for each
   * component, since the record can be created only when all of them are known.
   *
   * Failures. While a number is written or read, the slot is its field; while a string is, the
   * cursor has no slot, because the encoder or decoder itself adds the field to the path.
   */

  private static final ClassDesc WRITING =
      ReferenceCursor.FieldWriting.class.describeConstable().orElseThrow();
  private static final ClassDesc READING =
      ReferenceCursor.FieldReading.class.describeConstable().orElseThrow();

  private static final int NO_SLOT = -1;

  private final ClassDesc name;
  private final ClassDesc superclass;
  private final @Nullable MethodHandle constructor;

  private CursorGenerator(
      FieldCodec.Shape shape, ClassDesc superclass, @Nullable MethodHandle constructor) {
    super(shape);
    this.name = name("Cursor");
    this.superclass = superclass;
    this.constructor = constructor;
  }

  /** Returns a cursor that begins others, which write. */
  static ReferenceCursor.FieldWriting writing(FieldCodec codec) {
    var generator = new CursorGenerator(codec.shape(), WRITING, null);
    return (ReferenceCursor.FieldWriting) generator.define(codec, generator::addWriting);
  }

  /**
   * Returns a cursor that begins others, which read.
   *
   * @param constructor that of a record, as {@code (erased components)Object}, or null
   */
  static ReferenceCursor.FieldReading reading(
      FieldCodec codec, @Nullable MethodHandle constructor) {
    var generator = new CursorGenerator(codec.shape(), READING, constructor);
    return (ReferenceCursor.FieldReading) generator.define(codec, generator::addReading);
  }

  private interface Methods {
    void addTo(ClassBuilder c);
  }

  private Object define(FieldCodec codec, Methods methods) {
    byte[] bytes =
        ClassFile.of()
            .build(
                name,
                c -> {
                  c.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER).withSuperclass(superclass);
                  methods.addTo(c);
                });
    return instance(bytes, Codec.class, codec);
  }

  private void addWriting(ClassBuilder c) {
    addConstructors(c, MethodTypeDesc.of(CD_void, BASE, CD_Object));
    c.withMethodBody(
        "begin",
        MethodTypeDesc.of(WRITING, CD_Object),
        ClassFile.ACC_PUBLIC,
        b -> {
          b.new_(name).dup().aload(0).getfield(superclass, "codec", BASE).aload(1);
          b.invokespecial(name, INIT_NAME, MethodTypeDesc.of(CD_void, BASE, CD_Object)).areturn();
        });
    c.withMethodBody(
        "advance",
        MethodTypeDesc.of(CD_boolean, ENCODER),
        ClassFile.ACC_PUBLIC,
        b -> advance(b, "value", i -> writeValue(b, i)));
    c.withMethodBody("next", MethodTypeDesc.of(CD_Object), ClassFile.ACC_PUBLIC, this::next);
  }

  private void addReading(ClassBuilder c) {
    if (constructor != null) {
      for (int i = 0; i < fields().types().length; i++) {
        c.withField(component(i), type(i), 0);
      }
    }
    addConstructors(c, MethodTypeDesc.of(CD_void, BASE, CD_int, CD_Object));
    c.withMethodBody(
        "begin",
        MethodTypeDesc.of(READING, CD_int, CD_Object),
        ClassFile.ACC_PUBLIC,
        b -> {
          b.new_(name).dup().aload(0).getfield(superclass, "codec", BASE).iload(1).aload(2);
          b.invokespecial(name, INIT_NAME, MethodTypeDesc.of(CD_void, BASE, CD_int, CD_Object));
          b.areturn();
        });
    c.withMethodBody(
        "advance",
        MethodTypeDesc.of(CD_boolean, DECODER),
        ClassFile.ACC_PUBLIC,
        b -> advance(b, "owner", i -> readValue(b, i)));
    c.withMethodBody(
        "put", MethodTypeDesc.of(CD_void, DECODER, CD_Object), ClassFile.ACC_PUBLIC, this::put);
    c.withMethodBody("end", MethodTypeDesc.of(CD_Object, DECODER), ClassFile.ACC_PUBLIC, this::end);
  }

  /** Adds a constructor for a cursor that only begins others, and one for those. */
  private void addConstructors(ClassBuilder c, MethodTypeDesc type) {
    c.withMethodBody(
        INIT_NAME,
        MethodTypeDesc.of(CD_void, BASE),
        0,
        b -> {
          b.aload(0).aload(1);
          if (type.parameterCount() > 2) {
            b.loadConstant(-1);
          }
          b.aconst_null().invokespecial(superclass, INIT_NAME, type).return_();
        });
    c.withMethodBody(
        INIT_NAME,
        type,
        0,
        b -> {
          b.aload(0).aload(1);
          if (type.parameterCount() > 2) {
            b.iload(2).aload(3);
          } else {
            b.aload(2);
          }
          b.invokespecial(superclass, INIT_NAME, type).return_();
        });
  }

  private void advance(CodeBuilder b, String owner, IntConsumer value) {
    begin();
    if (constructor == null) {
      b.aload(0).getfield(superclass, owner, CD_Object).astore(OWNER);
    }
    List<SwitchCase> cases = new ArrayList<>();
    Label impossible = b.newLabel();
    cases.add(SwitchCase.of(NO_SLOT, b.newLabel()));
    for (int i = 0; i < fields().types().length; i++) {
      if (isReference(i)) {
        cases.add(SwitchCase.of(i, b.newLabel()));
      }
    }
    slot(b).lookupswitch(impossible, cases);
    for (SwitchCase last : cases) {
      b.labelBinding(last.target());
      int i = last.caseValue() + 1;
      for (; i < fields().types().length && !isReference(i); i++) {
        setSlot(b, fields().types()[i].isPrimitive() ? i : NO_SLOT);
        value.accept(i);
      }
      boolean stops = i < fields().types().length;
      setSlot(b, stops ? i : NO_SLOT);
      b.loadConstant(stops ? 1 : 0).ireturn();
    }
    b.labelBinding(impossible);
    refuse(b);
  }

  private void writeValue(CodeBuilder b, int i) {
    if (fields().types()[i].isPrimitive()) {
      writeNumber(b, i);
      return;
    }
    b.aload(CODER);
    get(b, i);
    b.aload(0).getfield(superclass, "codec", BASE).loadConstant(i);
    b.invokevirtual(
        ENCODER, "writeStringSlot", MethodTypeDesc.of(CD_void, CD_Object, BASE, CD_int));
  }

  private void readValue(CodeBuilder b, int i) {
    if (constructor == null) {
      b.ldc(constant(fields().setters()[i])).aload(OWNER);
    } else {
      b.aload(0);
    }
    if (fields().types()[i].isPrimitive()) {
      readNumber(b, i);
    } else {
      b.aload(CODER).aload(0).getfield(superclass, "codec", BASE);
      b.aload(0).getfield(superclass, "owner", CD_Object).loadConstant(i);
      b.invokevirtual(
          DECODER, "readStringSlot", MethodTypeDesc.of(CD_Object, BASE, CD_Object, CD_int));
    }
    keep(b, i);
  }

  /**
   * Sets a field, or keeps a component; below the value on the stack is the operand that this
   * needs.
   */
  private void keep(CodeBuilder b, int i) {
    if (constructor == null) {
      set(b, i);
    } else {
      b.putfield(name, component(i), type(i));
    }
  }

  private void next(CodeBuilder b) {
    b.aload(0).getfield(superclass, "value", CD_Object).astore(OWNER);
    atReference(
        b,
        i -> {
          get(b, i);
          b.areturn();
        });
  }

  private void put(CodeBuilder b) {
    atReference(
        b,
        i -> {
          if (constructor == null) {
            b.ldc(constant(fields().setters()[i]))
                .aload(0)
                .getfield(superclass, "owner", CD_Object);
          } else {
            b.aload(0);
          }
          b.aload(2);
          keep(b, i);
          b.return_();
        });
  }

  private void end(CodeBuilder b) {
    if (constructor == null) {
      b.aload(0).getfield(superclass, "owner", CD_Object).areturn();
      return;
    }
    b.ldc(constant(constructor));
    for (int i = 0; i < fields().types().length; i++) {
      b.aload(0).getfield(name, component(i), type(i));
    }
    construct(b);
  }

  /** Continues with the code for the reference in the slot. */
  private void atReference(CodeBuilder b, IntConsumer code) {
    List<SwitchCase> cases = new ArrayList<>();
    for (int i = 0; i < fields().types().length; i++) {
      if (isReference(i)) {
        cases.add(SwitchCase.of(i, b.newLabel()));
      }
    }
    Label impossible = b.newLabel();
    slot(b).lookupswitch(impossible, cases);
    for (SwitchCase each : cases) {
      b.labelBinding(each.target());
      code.accept(each.caseValue());
    }
    b.labelBinding(impossible);
    refuse(b);
  }

  private CodeBuilder slot(CodeBuilder b) {
    return b.aload(0).getfield(superclass, "slot", CD_int);
  }

  private void setSlot(CodeBuilder b, int slot) {
    b.aload(0).loadConstant(slot).putfield(superclass, "slot", CD_int);
  }

  private boolean isReference(int i) {
    return FieldCodec.kind(fields().types()[i]) == FieldCodec.REFERENCE;
  }

  private static String component(int i) {
    return "component" + i;
  }
}
