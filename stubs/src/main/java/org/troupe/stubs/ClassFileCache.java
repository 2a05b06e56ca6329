package org.troupe.stubs;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.LineNumberInfo;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The class files behind classes, as their loaders give them; each is read once. */
final class ClassFileCache {

  private final Map<String, Optional<ClassModel>> known = new HashMap<>();

  /** Returns the class file of a class, empty if its loader does not give it. */
  Optional<ClassModel> of(Class<?> c) {
    return of(c, c.getName().replace('.', '/'));
  }

  /** Returns the class file of a class in the package of another. */
  Optional<ClassModel> of(Class<?> neighbour, String internalName) {
    String key = System.identityHashCode(neighbour.getClassLoader()) + ":" + internalName;
    return known.computeIfAbsent(key, k -> read(neighbour, internalName));
  }

  private static Optional<ClassModel> read(Class<?> neighbour, String internalName) {
    try (InputStream in = neighbour.getResourceAsStream("/" + internalName + ".class")) {
      return in == null ? Optional.empty() : Optional.of(ClassFile.of().parse(in.readAllBytes()));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty(); // the caller says that the byte code cannot be read
    }
  }

  /** Returns the method of that name and descriptor. */
  static Optional<MethodModel> method(ClassModel file, String name, String descriptor) {
    return file.methods().stream()
        .filter(m -> m.methodName().equalsString(name) && m.methodType().equalsString(descriptor))
        .findFirst();
  }

  /** Returns the source file and first line of a method, as far as known. */
  String where(Method method) {
    return of(method.getDeclaringClass())
        .map(
            file ->
                where(
                    file,
                    method(file, method.getName(), MethodTable.descriptorOf(method))
                        .map(ClassFileCache::firstLine)
                        .orElse(0)))
        .orElse("");
  }

  /** Returns the source file of a field and the line that first sets it, as far as known. */
  String where(Field field) {
    return of(field.getDeclaringClass())
        .map(file -> where(file, initialization(file, field.getName())))
        .orElse("");
  }

  /** Class files have no lines for fields; an initializer is code of the constructors. */
  private static int initialization(ClassModel file, String field) {
    int first = 0;
    for (MethodModel method : file.methods()) {
      if (method.methodName().equalsString("<init>") && method.code().isPresent()) {
        int line = 0;
        for (CodeElement element : method.code().get()) {
          if (element instanceof LineNumber number) {
            line = number.line();
          } else if (element instanceof FieldInstruction access
              && access.name().equalsString(field)
              && access.owner().asInternalName().equals(file.thisClass().asInternalName())
              && (first == 0 || line < first)) {
            first = line;
          }
        }
      }
    }
    return first;
  }

  /** Returns a place in the source of a class; line 0 is unknown. */
  static String where(ClassModel file, int line) {
    return file.findAttribute(Attributes.sourceFile())
        .map(a -> a.sourceFile().stringValue() + (line == 0 ? "" : ":" + line))
        .orElse("");
  }

  private static int firstLine(MethodModel method) {
    return method
        .findAttribute(Attributes.code())
        .flatMap(code -> code.findAttribute(Attributes.lineNumberTable()))
        .flatMap(
            table ->
                table.lineNumbers().stream().map(LineNumberInfo::lineNumber).min(Integer::compare))
        .orElse(0);
  }
}
