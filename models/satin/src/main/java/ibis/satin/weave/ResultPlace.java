package ibis.satin.weave;

import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;

/** Where the result of a spawn is stored when its job has ended. */
sealed interface ResultPlace {

  /** The method returns nothing. */
  record Nowhere() implements ResultPlace {}

  record Variable(int slot, TypeKind kind) implements ResultPlace {}

  record Element(TypeKind kind, ClassDesc array) implements ResultPlace {}

  record ObjectField(FieldInstruction put) implements ResultPlace {}

  record StaticField(FieldInstruction put) implements ResultPlace {}
}
