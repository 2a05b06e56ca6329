package ibis.satin.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.constant.ClassDesc;
import org.jspecify.annotations.Nullable;

/** Where the local variables of a woven body are. */
interface VariableStore {

  /**
   * Loads a variable.
   *
   * @param name the name that debug tables give it, or the empty string
   * @param type the type to be had on the stack, or {@code null} if it cannot be known
   */
  void load(CodeBuilder b, TypeKind kind, int slot, String name, @Nullable ClassDesc type);

  /** Stores the top of the stack. */
  void store(CodeBuilder b, TypeKind kind, int slot, String name);

  void increment(CodeBuilder b, IncrementInstruction by, String name);

  /** Local variables of the method, as they were. */
  final class OnStack implements VariableStore {

    @Override
    public void load(
        CodeBuilder b, TypeKind kind, int slot, String name, @Nullable ClassDesc type) {
      b.loadLocal(kind, slot);
    }

    @Override
    public void store(CodeBuilder b, TypeKind kind, int slot, String name) {
      b.storeLocal(kind, slot);
    }

    @Override
    public void increment(CodeBuilder b, IncrementInstruction by, String name) {
      b.with(by);
    }
  }

  /**
   * Fields of an object, which a method shares with its inlets. An inlet may use a variable that is
   * out of scope where the method waits, so variables that share a slot have fields of their own.
   *
   * @param holder the local variable with that object
   */
  record InObject(InletLocalsClass type, int holder) implements VariableStore {

    @Override
    public void load(
        CodeBuilder b, TypeKind kind, int slot, String name, @Nullable ClassDesc wanted) {
      var field = type.field(kind, slot, name);
      b.aload(holder).getfield(type.name(), field.name(), field.type());
      if (wanted != null && !wanted.equals(field.type()) && kind == TypeKind.REFERENCE) {
        b.checkcast(wanted);
      }
    }

    @Override
    public void store(CodeBuilder b, TypeKind kind, int slot, String name) {
      var field = type.field(kind, slot, name);
      b.aload(holder);
      if (kind.slotSize() == 2) {
        b.dup_x2().pop();
      } else {
        b.swap();
      }
      b.putfield(type.name(), field.name(), field.type());
    }

    @Override
    public void increment(CodeBuilder b, IncrementInstruction by, String name) {
      load(b, TypeKind.INT, by.slot(), name, null);
      b.loadConstant(by.constant()).iadd();
      store(b, TypeKind.INT, by.slot(), name);
    }
  }
}
