package ibis.satin.weave;

import java.lang.classfile.ClassFile;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.TreeMap;

/**
 * The class of the object that holds the local variables of a method with inlets. It also starts
 * the inlets: their body is a static method of the class that is woven.
 */
final class InletLocalsClass {

  private static final String INLET = "inlet";
  private static final MethodTypeDesc INLET_TYPE =
      MethodTypeDesc.of(
          ConstantDescs.CD_void,
          RuntimeNames.ACTIVATION,
          ConstantDescs.CD_int,
          ConstantDescs.CD_Throwable);

  private final ClassDesc name;
  private final TreeMap<String, ClassDesc> fields = new TreeMap<>();

  InletLocalsClass(ClassDesc name) {
    this.name = name;
  }

  /** A field for one variable, or for one slot and one kind of value. */
  record Field(String name, ClassDesc type) {}

  ClassDesc name() {
    return name;
  }

  Field field(TypeKind kind, int slot, String variable) {
    TypeKind held = kind.asLoadable();
    ClassDesc type = held.upperBound();
    String field =
        (held == TypeKind.REFERENCE
                ? "a"
                : type.descriptorString().toLowerCase(java.util.Locale.ROOT))
            + slot
            + variable;
    fields.put(field, type);
    return new Field(field, type);
  }

  /** Returns the type of the static method that is the body of the inlets. */
  MethodTypeDesc bodyType() {
    return INLET_TYPE.insertParameterTypes(0, name);
  }

  /** Writes the class, once all fields are known. */
  byte[] write(ClassFile files, ClassDesc owner, boolean isInterface, String body) {
    return files.build(
        name,
        type -> {
          type.withVersion(ClassFile.JAVA_8_VERSION, 0)
              .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
              .withSuperclass(RuntimeNames.LOCALS);
          fields.forEach((field, held) -> type.withField(field, held, 0));
          type.withMethodBody(
              ConstantDescs.INIT_NAME,
              ConstantDescs.MTD_void,
              0,
              b ->
                  b.aload(0)
                      .invokespecial(
                          RuntimeNames.LOCALS, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                      .return_());
          type.withMethodBody(
              INLET,
              INLET_TYPE,
              ClassFile.ACC_PROTECTED,
              b ->
                  b.aload(0)
                      .aload(1)
                      .iload(2)
                      .aload(3)
                      .invokestatic(owner, body, bodyType(), isInterface)
                      .return_());
        });
  }
}
