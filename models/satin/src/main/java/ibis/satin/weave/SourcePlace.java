package ibis.satin.weave;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;

/** A place in a program's source, as messages name it. */
final class SourcePlace {

  private SourcePlace() {}

  /** Returns {@code Class.method(File:line)}; without line if that is 0. */
  static String of(ClassModel type, MethodModel method, int line) {
    String file =
        type.findAttribute(Attributes.sourceFile())
            .map(each -> each.sourceFile().stringValue())
            .orElse("unknown source");
    return "%s.%s(%s)"
        .formatted(
            className(type),
            method.methodName().stringValue(),
            line == 0 ? file : file + ":" + line);
  }

  static String className(ClassModel type) {
    return type.thisClass().asInternalName().replace('/', '.');
  }
}
