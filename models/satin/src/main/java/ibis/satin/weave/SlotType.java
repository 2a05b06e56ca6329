package ibis.satin.weave;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;

/**
 * The verifier's type of one slot of a local variable or of the stack.
 *
 * @param desc the type; of a primitive one {@code int}, {@code long}, {@code float} or {@code
 *     double}
 * @param origin the element that created an uninitialized object, to tell such objects apart
 */
record SlotType(Kind kind, ClassDesc desc, int origin) {

  /** The kind of the value in a slot. */
  enum Kind {
    /** Nothing that may be read; also the second half of a long or double. */
    NONE,
    PRIMITIVE,
    NULL,
    UNINITIALIZED,
    REFERENCE
  }

  static final SlotType NONE = new SlotType(Kind.NONE, ConstantDescs.CD_void, 0);
  static final SlotType NULL = new SlotType(Kind.NULL, ConstantDescs.CD_Object, 0);

  static SlotType of(ClassDesc type) {
    if (!type.isPrimitive()) {
      return new SlotType(Kind.REFERENCE, type, 0);
    }
    return switch (type.descriptorString()) {
      case "J", "F", "D" -> new SlotType(Kind.PRIMITIVE, type, 0);
      default -> new SlotType(Kind.PRIMITIVE, ConstantDescs.CD_int, 0);
    };
  }

  static SlotType uninitialized(ClassDesc type, int origin) {
    return new SlotType(Kind.UNINITIALIZED, type, origin);
  }

  boolean isReference() {
    return kind == Kind.REFERENCE || kind == Kind.NULL;
  }
}
