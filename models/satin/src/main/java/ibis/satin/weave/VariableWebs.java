package ibis.satin.weave;

import java.lang.classfile.CodeElement;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The types of a method's variables where debug tables are missing.
 *
 * <p>A slot holds one variable after the other. Stores that reach the same load are of one
 * variable, whose type is the narrowest class of all that they store. An inlet runs while the
 * method syncs, so what it stores before it returns also reaches the loads behind each sync.
 */
final class VariableWebs {

  private final MethodAnalysis method;
  private final ClassLibrary library;

  /** Per load, one of the stores that reach it; per store, the next of its web. */
  private final Map<Integer, Integer> webOfLoad = new HashMap<>();

  private final Map<Integer, Integer> parent = new HashMap<>();
  private final Map<Integer, ClassDesc> types = new HashMap<>();

  VariableWebs(MethodAnalysis method, ClassLibrary library) {
    this.method = method;
    this.library = library;
    int entry = -1; // parameters are stored before the code, each at an element of its own
    int slot = 0;
    List<ClassDesc> parameters =
        new ArrayList<>(method.method().methodTypeSymbol().parameterList());
    if (!method.method().flags().has(AccessFlag.STATIC)) {
      parameters.addFirst(method.owner());
    }
    for (ClassDesc type : parameters) {
      if (!type.isPrimitive()) {
        follow(entry--, slot, type, 0);
      }
      slot += TypeKind.from(type).slotSize();
    }
    for (int i = 0; i < method.elements().size(); i++) {
      TypeFlow.State now = method.flow().before(i);
      if (now != null
          && method.elements().get(i) instanceof StoreInstruction store
          && store.typeKind() == TypeKind.REFERENCE) {
        SlotType stored = now.peek(0);
        follow(
            i,
            store.slot(),
            stored.kind() == SlotType.Kind.REFERENCE ? stored.desc() : null,
            i + 1);
      }
    }
  }

  /** Returns the type of the variable that a load reads, if anything but {@code null} is stored. */
  Optional<ClassDesc> type(int load) {
    Integer store = webOfLoad.get(load);
    return store == null ? Optional.empty() : Optional.ofNullable(types.get(root(store)));
  }

  private void follow(int store, int slot, @Nullable ClassDesc type, int from) {
    parent.put(store, store);
    if (type != null) {
      types.put(store, type);
    }
    var seen = new BitSet();
    var left = new ArrayDeque<Integer>(List.of(from));
    while (!left.isEmpty()) {
      int i = left.remove();
      if (i >= method.elements().size() || seen.get(i)) {
        continue;
      }
      seen.set(i);
      CodeElement element = method.elements().get(i);
      if (element instanceof LoadInstruction load && load.slot() == slot) {
        Integer other = webOfLoad.putIfAbsent(i, store);
        if (other != null) {
          unite(other, store);
        }
      }
      left.addAll(method.handlersAt(i));
      if (element instanceof StoreInstruction other
          && other.slot() == slot
          && !method.isResult(i)) {
        continue;
      }
      if (element instanceof ReturnInstruction || element instanceof ThrowInstruction) {
        method.syncs().forEach(sync -> left.add(sync + 1));
      }
      left.addAll(method.successors(i));
    }
  }

  private int root(int store) {
    int at = store;
    for (Integer next = parent.get(at); next != null && next != at; next = parent.get(at)) {
      at = next;
    }
    return at;
  }

  private void unite(int one, int other) {
    int a = root(one);
    int b = root(other);
    if (a == b) {
      return;
    }
    ClassDesc ofA = types.get(a);
    ClassDesc ofB = types.get(b);
    parent.put(b, a);
    if (ofB != null) {
      types.put(a, ofA == null ? ofB : library.commonSuperclass(ofA, ofB));
    }
  }
}
