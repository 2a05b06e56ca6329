package ibis.satin.weave;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The class files of a program and its libraries, read without loading them. Names are internal
 * ones, with slashes.
 */
final class ClassLibrary {

  static final String SPAWNABLE = "ibis/satin/Spawnable";
  static final String WRITE_METHODS = "ibis/satin/WriteMethodsInterface";
  static final String SATIN_OBJECT = "ibis/satin/SatinObject";
  static final String SHARED_OBJECT = "ibis/satin/SharedObject";

  private final Function<String, byte @Nullable []> files;
  private final Map<String, Optional<ClassModel>> models = new HashMap<>();

  /**
   * @param files returns the class file of a class, or {@code null} if there is none
   */
  ClassLibrary(Function<String, byte @Nullable []> files) {
    this.files = files;
  }

  /** Adds a class that was generated, or replaces one. */
  void put(ClassModel model) {
    models.put(model.thisClass().asInternalName(), Optional.of(model));
  }

  Optional<ClassModel> find(String name) {
    Optional<ClassModel> known = models.get(name);
    if (known == null) {
      known = read(name);
      models.put(name, known);
    }
    return known;
  }

  private Optional<ClassModel> read(String name) {
    byte[] file = files.apply(name);
    if (file == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(ClassFile.of().parse(file));
    } catch (IllegalArgumentException _) {
      return Optional.empty(); // told where the class itself is to be woven
    }
  }

  /** Returns whether a call of a method on an object of a class is a spawn. */
  boolean isSpawnable(String owner, String method, String descriptor) {
    return isDeclaredByMarked(owner, method, descriptor, SPAWNABLE);
  }

  /** Returns whether a method of a class is a write method. */
  boolean isWriteMethod(String owner, String method, String descriptor) {
    return isDeclaredByMarked(owner, method, descriptor, WRITE_METHODS);
  }

  private boolean isDeclaredByMarked(String owner, String method, String descriptor, String mark) {
    for (String each : ancestors(owner)) {
      Optional<ClassModel> model = find(each);
      if (model.isPresent()
          && isInterface(model.get())
          && declares(model.get(), method, descriptor).isPresent()
          && ancestors(each).contains(mark)) {
        return true;
      }
    }
    return false;
  }

  boolean isSubclass(String name, String ancestor) {
    return ancestors(name).contains(ancestor);
  }

  /** Returns the method that a virtual call on a class runs, of it or of a superclass. */
  Optional<MethodModel> resolve(String owner, String method, String descriptor) {
    for (Optional<ClassModel> each = find(owner); each.isPresent(); each = superclass(each.get())) {
      Optional<MethodModel> found = declares(each.get(), method, descriptor);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  static Optional<MethodModel> declares(ClassModel type, String method, String descriptor) {
    return type.methods().stream()
        .filter(each -> each.methodName().equalsString(method))
        .filter(each -> each.methodType().equalsString(descriptor))
        .findFirst();
  }

  private Optional<ClassModel> superclass(ClassModel type) {
    return type.superclass().flatMap(each -> find(each.asInternalName()));
  }

  /** Returns a type, its superclasses and all interfaces of theirs. */
  private Set<String> ancestors(String name) {
    Set<String> all = new LinkedHashSet<>();
    collect(name, all);
    return all;
  }

  private void collect(String name, Set<String> into) {
    if (name.startsWith("[") || !into.add(name)) {
      return;
    }
    find(name)
        .ifPresent(
            model -> {
              model.superclass().ifPresent(each -> collect(each.asInternalName(), into));
              for (ClassEntry each : model.interfaces()) {
                collect(each.asInternalName(), into);
              }
            });
  }

  static boolean isInterface(ClassModel type) {
    return type.flags().has(AccessFlag.INTERFACE);
  }

  /** Returns whether the verifier admits a value of one type as one of another. */
  boolean isAssignable(ClassDesc from, ClassDesc to) {
    if (from.equals(to) || to.equals(ConstantDescs.CD_Object)) {
      return true;
    }
    if (from.isArray() && to.isArray()) {
      ClassDesc part = from.componentType();
      ClassDesc wanted = to.componentType();
      return !part.isPrimitive() && !wanted.isPrimitive() && isAssignable(part, wanted);
    }
    if (from.isPrimitive() || to.isPrimitive() || from.isArray() || to.isArray()) {
      return false;
    }
    String target = internalName(to);
    return find(target).map(ClassLibrary::isInterface).orElse(false)
        || isSubclass(internalName(from), target);
  }

  /** Returns the narrowest class of which both types are, as the verifier joins them. */
  ClassDesc commonSuperclass(ClassDesc one, ClassDesc other) {
    if (isAssignable(other, one)) {
      return one;
    }
    if (isAssignable(one, other)) {
      return other;
    }
    ClassDesc above = one;
    while (above.isClassOrInterface()) {
      ClassDesc next =
          find(internalName(above))
              .flatMap(ClassModel::superclass)
              .map(ClassEntry::asSymbol)
              .orElse(ConstantDescs.CD_Object);
      if (next.equals(ConstantDescs.CD_Object) || isAssignable(other, next)) {
        return next;
      }
      above = next;
    }
    return ConstantDescs.CD_Object;
  }

  static String internalName(ClassDesc type) {
    String descriptor = type.descriptorString();
    return type.isClassOrInterface()
        ? descriptor.substring(1, descriptor.length() - 1)
        : descriptor;
  }

  static ClassDesc descOf(String internalName) {
    return internalName.startsWith("[")
        ? ClassDesc.ofDescriptor(internalName)
        : ClassDesc.ofDescriptor("L" + internalName + ";");
  }

  /** Returns a class-file facility that finds superclasses here, and writes all stack maps anew. */
  ClassFile classFile() {
    return ClassFile.of(
        ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
        ClassFile.DebugElementsOption.PASS_DEBUG,
        ClassFile.ClassHierarchyResolverOption.of(hierarchy()));
  }

  private ClassHierarchyResolver hierarchy() {
    ClassHierarchyResolver known =
        type ->
            find(internalName(type))
                .map(
                    model ->
                        isInterface(model)
                            ? ClassHierarchyInfo.ofInterface()
                            : ClassHierarchyInfo.ofClass(
                                model.superclass().map(ClassEntry::asSymbol).orElse(null)))
                .orElse(null);
    // A library that is missing here may be missing at run time, too, where nothing uses it.
    return known
        .orElse(ClassHierarchyResolver.defaultResolver())
        .orElse(_ -> ClassHierarchyInfo.ofClass(ConstantDescs.CD_Object));
  }

  /** Opens the class files of a loader and its parents. */
  static Function<String, byte @Nullable []> of(ClassLoader loader) {
    return name -> {
      try (var in = loader.getResourceAsStream(name + ".class")) {
        return in == null ? null : in.readAllBytes();
      } catch (java.io.IOException _) {
        return null; // as if there were none
      }
    };
  }
}
