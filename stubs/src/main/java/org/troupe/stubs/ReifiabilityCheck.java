package org.troupe.stubs;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.troupe.stubs.Reifiable.Problem;

/** Collects every reason why a type cannot have a stub. */
final class ReifiabilityCheck {

  private static final String OTHER_TYPE = "use an interface or an ordinary class instead";

  private final Class<?> type;
  private final DefinitionSite home;
  private final ClassFileCache files = new ClassFileCache();
  private final List<Problem> problems = new ArrayList<>();

  private ReifiabilityCheck(Class<?> type, DefinitionSite home) {
    this.type = type;
    this.home = home;
  }

  /** Returns whether the kind of a type alone excludes a stub. */
  static boolean isOfUnsuitableKind(Class<?> type) {
    return type.isPrimitive()
        || type.isArray()
        || type == Object.class
        || Modifier.isFinal(type.getModifiers())
        || type.isRecord()
        || type.isEnum()
        || type.isSealed()
        || type.isHidden();
  }

  /** Returns the problems that a type has as such. */
  static List<Problem> problems(Class<?> type) {
    if (type.isPrimitive()) {
      return List.of(new Problem("a primitive type has no methods to intercept", "", OTHER_TYPE));
    }
    if (type.isArray()) {
      return List.of(
          new Problem("the elements of an array are read without a method", "", OTHER_TYPE));
    }
    if (type == Object.class) {
      return List.of(
          new Problem("java.lang.Object says nothing of the methods to intercept", "", OTHER_TYPE));
    }
    return problems(type, DefinitionSite.of(type, CallHandler.class));
  }

  /** Returns the problems that a class or interface has with a home for its stub class. */
  static List<Problem> problems(Class<?> type, DefinitionSite home) {
    var inspection = new ReifiabilityCheck(type, home);
    try {
      inspection.inspectType();
      inspection.inspectAccess();
      inspection.inspectMethods();
      inspection.inspectFields();
      inspection.inspectCode();
    } catch (LinkageError | TypeNotPresentException e) {
      inspection.problems.add(
          new Problem(
              "a class that it needs cannot be loaded: " + e,
              "",
              "add that class to the class path or module path"));
    }
    return inspection.problems;
  }

  private void inspectType() {
    int flags = type.getModifiers();
    if (type.isRecord()) {
      report("a record is its fields and always final", "use an interface or an ordinary class");
    } else if (type.isEnum()) {
      report("the constants of an enum are compared by identity", OTHER_TYPE);
    } else if (type.isSealed()) {
      report("it is sealed, so only the classes it names may extend it", "remove 'sealed'");
    } else if (Modifier.isFinal(flags)) {
      report("it is final, so no stub can extend it", "remove 'final' or use an interface");
    }
    if (type.isHidden()) {
      report("it is a hidden class, which none can extend", "use a class with a name");
    }
  }

  private void report(String what, String remedy) {
    String where = files.of(type).map(file -> ClassFileCache.where(file, 0)).orElse("");
    problems.add(new Problem(what + at(where), where, remedy));
  }

  private void inspectAccess() {
    switch (home) {
      case DefinitionSite.Inside _ -> {}
      case DefinitionSite.Closed _ -> {
        Module module = type.getModule();
        problems.add(
            new Problem(
                "package %s of module %s is not open to Troupe"
                    .formatted(type.getPackageName(), module.getName()),
                "",
                ModuleAccess.opens(type)));
      }
      case DefinitionSite.Outside _ -> {
        String because =
            " and its class loader does not find Troupe's handler, so no stub could name it";
        if (!DefinitionSite.isPublic(type)) {
          report(
              "it is not public" + because,
              "make it public or let its loader find Troupe's classes");
        } else if (!home.canAccess(type)) {
          report("its package is not exported" + because, OTHER_TYPE);
        }
      }
    }
  }

  private void inspectMethods() {
    var table = new MethodTable(type, home);
    for (Method method : table.finals()) {
      add(method, "is final, so calls to it would run on the caller's stub", "remove 'final'");
    }
    for (Method method : table.outOfReach()) {
      add(
          method,
          "is package-private%s, so calls to it would run on the caller's stub"
              .formatted(
                  home instanceof DefinitionSite.Outside
                      ? " and the class loader does not find Troupe's handler"
                      : " in package " + method.getDeclaringClass().getPackageName()),
          "make it public or protected");
    }
    for (StubMethod method : table.methods(files)) {
      Class<?> result = method.method().getReturnType();
      if (!home.canAccess(result)) {
        add(
            method.method(),
            "returns %s, which a stub could not name".formatted(result.getTypeName()),
            "make that class public");
      }
    }
  }

  private void add(Method method, String why, String remedy) {
    String where = files.where(method);
    String name = StubMethod.signature(method.getName(), method.getParameterTypes());
    problems.add(
        new Problem(
            "method '%s'%s%s %s".formatted(name, of(method.getDeclaringClass()), at(where), why),
            where,
            remedy));
  }

  private void inspectFields() {
    for (Class<?> c : MethodTable.superclasses(type)) {
      for (Field field : c.getDeclaredFields()) {
        int flags = field.getModifiers();
        if (Modifier.isStatic(flags) || Modifier.isPrivate(flags) || field.isSynthetic()) {
          continue;
        }
        String visible =
            Modifier.isPublic(flags)
                ? "public"
                : Modifier.isProtected(flags) ? "protected" : "package-private";
        String where = files.where(field);
        problems.add(
            new Problem(
                "field '%s'%s%s is %s, so reads of it would see the caller's stub"
                    .formatted(field.getName(), of(c), at(where), visible),
                where,
                "make it private"));
      }
    }
  }

  private void inspectCode() {
    PrivateAccess.inspect(type, files, problems);
  }

  private String of(Class<?> c) {
    return c == type ? "" : " of " + c.getTypeName();
  }

  private static String at(String where) {
    return where.isEmpty() ? "" : " (" + where + ")";
  }
}
