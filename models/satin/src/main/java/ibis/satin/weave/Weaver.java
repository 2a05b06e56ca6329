package ibis.satin.weave;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Weaves the classes of one program: each call of a spawnable method becomes the creation of a job.
 *
 * <p>Not to be shared between threads.
 */
public final class Weaver {

  /**
   * A field by which a woven class is known; private and static, so that no serial version changes.
   */
  static final String MARK = "satin$woven";

  private static final String MAIN_BODY = "satin$main";
  private static final String REPLACE = "writeReplace";

  private final ClassLibrary library;
  private final CallRedirection calls;

  /**
   * Creates a weaver.
   *
   * @param files returns the class file of a class of the program, its libraries or Satin, by its
   *     internal name, with slashes, or {@code null} if there is none
   */
  public Weaver(Function<String, byte @Nullable []> files) {
    this.library = new ClassLibrary(files);
    this.calls = new CallRedirection(library);
  }

  /** Creates a weaver of classes that a loader finds; it reads the files and loads no class. */
  public static Weaver of(ClassLoader loader) {
    return new Weaver(ClassLibrary.of(loader));
  }

  /**
   * Weaves a class.
   *
   * @return the class files that take its place, by internal name: its own first, then those of the
   *     classes it uses; empty if there is nothing to weave, or it is woven already
   * @throws WeavingException with all problems of the class
   */
  public Map<String, byte[]> weave(byte[] file) {
    ClassModel model = modern(parse(file));
    if (model.isModuleInfo()
        || isGenerated(model)
        || model.fields().stream().anyMatch(each -> each.fieldName().equalsString(MARK))) {
      return Map.of();
    }
    try {
      return new WovenClass(model).write();
    } catch (WeavingException problems) {
      throw problems;
    } catch (RuntimeException e) {
      // Exceptions of the class-file library for a damaged or too deep method.
      throw refusal(
          SourcePlace.className(model),
          "cannot be woven: " + e,
          "compile it again, or leave it out by satin.classes");
    }
  }

  /**
   * Weaves many classes.
   *
   * @return the class files that differ or are new, by internal name
   * @throws WeavingException with all problems of all classes
   */
  public Map<String, byte[]> weaveAll(Collection<byte[]> files) {
    Map<String, byte[]> woven = new LinkedHashMap<>();
    List<WeavingProblem> problems = new ArrayList<>();
    for (byte[] file : files) {
      try {
        woven.putAll(weave(file));
      } catch (WeavingException e) {
        problems.addAll(e.problems());
      }
    }
    if (!problems.isEmpty()) {
      throw new WeavingException(problems);
    }
    return woven;
  }

  /** Returns whether a weaver has made this class; its calls of spawnable methods are no spawns. */
  private static boolean isGenerated(ClassModel model) {
    return model
        .superclass()
        .map(ClassEntry::asSymbol)
        .filter(each -> each.equals(RuntimeNames.JOB) || each.equals(RuntimeNames.LOCALS))
        .isPresent();
  }

  private ClassModel parse(byte[] file) {
    int version = file.length < 8 ? 0 : (file[6] & 0xff) << 8 | file[7] & 0xff;
    if (version > ClassFile.latestMajorVersion()) {
      throw refusal(
          "a class file",
          "is compiled for class-file version %d, and this JVM reads versions up to %d"
              .formatted(version, ClassFile.latestMajorVersion()),
          "compile it with '--release %d', or run a newer JDK"
              .formatted(Runtime.version().feature()));
    }
    try {
      return ClassFile.of().parse(file);
    } catch (IllegalArgumentException e) {
      throw refusal("a class file", "is damaged: " + e.getMessage(), "compile it again");
    }
  }

  private static WeavingException refusal(String where, String what, String remedy) {
    return new WeavingException(List.of(new WeavingProblem(where, what, remedy)));
  }

  /** Returns a class with stack maps, and of a version that has method handles. */
  private ClassModel modern(ClassModel model) {
    if (model.majorVersion() >= ClassFile.JAVA_7_VERSION) {
      return model;
    }
    var bodies = ClassTransform.transformingMethodBodies((b, element) -> b.with(element));
    ClassTransform version =
        (b, element) -> {
          if (element instanceof ClassFileVersion) {
            b.withVersion(ClassFile.JAVA_7_VERSION, 0);
          } else {
            b.with(element);
          }
        };
    try {
      return ClassFile.of()
          .parse(library.classFile().transformClass(model, bodies.andThen(version)));
    } catch (IllegalArgumentException e) {
      throw refusal(
          SourcePlace.className(model),
          "has code of before Java 6 that cannot be read: " + e.getMessage(),
          "compile it again with today's compiler");
    }
  }

  /** One class while it is woven. */
  private final class WovenClass {

    private final ClassModel model;
    private final ClassDesc name;
    private final boolean isInterface;
    private final Map<JobSignature, JobClass> jobs = new LinkedHashMap<>();
    private final Set<String> names = new TreeSet<>();

    /** The classes of inlets' variables, each with the method that starts them. */
    private final Map<InletLocalsClass, String> inlets = new LinkedHashMap<>();

    WovenClass(ClassModel model) {
      this.model = model;
      this.name = model.thisClass().asSymbol();
      this.isInterface = ClassLibrary.isInterface(model);
    }

    Map<String, byte[]> write() {
      library.put(model);
      Map<MethodModel, MethodAnalysis> analyses = new LinkedHashMap<>();
      boolean concerned = false;
      for (MethodModel method : model.methods()) {
        MethodAnalysis.of(library, model, method)
            .ifPresent(analysis -> analyses.put(method, analysis));
        concerned |= isShared() || isWrite(method) || isMain(method) || isRedirected(method);
      }
      List<WeavingProblem> problems =
          analyses.values().stream().flatMap(each -> each.problems().stream()).toList();
      if (!problems.isEmpty()) {
        throw new WeavingException(problems);
      }
      if (!concerned && analyses.isEmpty()) {
        return Map.of();
      }
      byte[] own =
          library
              .classFile()
              .transformClass(
                  model,
                  ClassTransform.endHandler(this::mark)
                      .andThen(
                          (b, element) -> {
                            if (element instanceof MethodModel method) {
                              write(b, method, analyses.get(method));
                            } else {
                              b.with(element);
                            }
                          }));
      Map<String, byte[]> all = new LinkedHashMap<>();
      all.put(ClassLibrary.internalName(name), own);
      jobs.forEach(
          (_, job) ->
              all.put(ClassLibrary.internalName(job.name()), job.write(library.classFile())));
      inlets.forEach(
          (locals, body) ->
              all.put(
                  ClassLibrary.internalName(locals.name()),
                  locals.write(library.classFile(), name, isInterface, body)));
      all.values().forEach(each -> library.put(ClassFile.of().parse(each)));
      all.forEach(this::verify);
      return all;
    }

    private void verify(String written, byte[] file) {
      List<VerifyError> errors = library.classFile().verify(file);
      if (!errors.isEmpty()) {
        throw refusal(
            written.replace('/', '.'),
            "the woven class does not verify: "
                + errors.stream().map(Throwable::getMessage).collect(Collectors.joining(", ")),
            "compile it with debug tables (javac -g)");
      }
    }

    /** Returns whether this is a class of shared objects whose superclass does not replace them. */
    private boolean isShared() {
      return model
              .superclass()
              .map(each -> each.asInternalName().equals(ClassLibrary.SHARED_OBJECT))
              .orElse(false)
          && ClassLibrary.declares(model, REPLACE, "()Ljava/lang/Object;").isEmpty();
    }

    /** Lets objects of this class travel as names: serialization calls this method. */
    private void writeReplacement(ClassBuilder b) {
      b.withMethodBody(
          REPLACE,
          MethodTypeDesc.of(ConstantDescs.CD_Object),
          ClassFile.ACC_PROTECTED | ClassFile.ACC_SYNTHETIC,
          code ->
              code.aload(0)
                  .invokestatic(
                      RuntimeNames.SHARED_WRITE,
                      "replace",
                      MethodTypeDesc.of(ConstantDescs.CD_Object, RuntimeNames.SHARED_OBJECT))
                  .areturn());
    }

    private void mark(ClassBuilder b) {
      if (isShared()) {
        writeReplacement(b);
      }
      int flags = ClassFile.ACC_STATIC | ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC;
      b.withField(
          MARK,
          ConstantDescs.CD_boolean,
          flags | (isInterface ? ClassFile.ACC_PUBLIC : ClassFile.ACC_PRIVATE));
    }

    private boolean isWrite(MethodModel method) {
      return method.code().isPresent()
          && !method.flags().has(AccessFlag.STATIC)
          && !method.flags().has(AccessFlag.PRIVATE)
          && !method.methodName().stringValue().startsWith("<")
          && library.isSubclass(model.thisClass().asInternalName(), ClassLibrary.SHARED_OBJECT)
          && library.isWriteMethod(
              model.thisClass().asInternalName(),
              method.methodName().stringValue(),
              method.methodType().stringValue());
    }

    private boolean isMain(MethodModel method) {
      return method.code().isPresent()
          && method.methodName().equalsString("main")
          && method.methodType().equalsString("([Ljava/lang/String;)V")
          && method.flags().has(AccessFlag.STATIC)
          && method.flags().has(AccessFlag.PUBLIC)
          && !isInterface;
    }

    private boolean isRedirected(MethodModel method) {
      return method.code().stream()
          .flatMap(code -> code.elementStream())
          .anyMatch(each -> each instanceof InvokeInstruction call && calls.concerns(call));
    }

    private void write(ClassBuilder b, MethodModel method, @Nullable MethodAnalysis analysis) {
      String called = method.methodName().stringValue();
      if (isMain(method)) {
        writeMain(b, method);
        writeBody(b, method, MAIN_BODY, hidden(method), analysis);
      } else if (isWrite(method)) {
        String body = "satin$write$" + called;
        new WriteMethodStub(name, method, body).write(b);
        writeBody(b, method, body, hidden(method), analysis);
      } else {
        writeBody(b, method, called, method.flags().flagsMask(), analysis);
      }
    }

    private static int hidden(MethodModel method) {
      return method.flags().flagsMask()
              & ~(ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED | ClassFile.ACC_FINAL)
          | ClassFile.ACC_PRIVATE
          | ClassFile.ACC_SYNTHETIC;
    }

    private void writeMain(ClassBuilder b, MethodModel method) {
      b.withMethod(
          method.methodName(),
          method.methodType(),
          method.flags().flagsMask(),
          m -> {
            attributes(method).forEach(m::with);
            m.withCode(
                code ->
                    code.ldc(
                            java.lang.constant.MethodHandleDesc.ofMethod(
                                java.lang.constant.DirectMethodHandleDesc.Kind.STATIC,
                                name,
                                MAIN_BODY,
                                method.methodTypeSymbol()))
                        .aload(0)
                        .invokestatic(
                            RuntimeNames.SATIN,
                            "main",
                            MethodTypeDesc.of(
                                ConstantDescs.CD_void,
                                ConstantDescs.CD_MethodHandle,
                                ConstantDescs.CD_String.arrayType()))
                        .return_());
          });
    }

    private void writeBody(
        ClassBuilder b,
        MethodModel method,
        String called,
        int flags,
        @Nullable MethodAnalysis analysis) {
      boolean renamed = !method.methodName().equalsString(called);
      if (analysis == null && !renamed && !isRedirected(method)) {
        b.with(method);
        return;
      }
      InletLocalsClass shared =
          analysis != null && analysis.hasInlets() ? inletLocals(method) : null;
      b.withMethod(
          called,
          method.methodTypeSymbol(),
          flags,
          m -> {
            if (!renamed) {
              attributes(method).forEach(m::with);
            }
            if (analysis == null) {
              m.transformCode(
                  method.code().orElseThrow(), (code, element) -> redirect(code, element));
            } else {
              m.withCode(
                  code ->
                      MethodBodyWriter.write(
                          analysis, library, calls, this::job, code, shared, label(method)));
            }
          });
      if (shared != null && analysis != null) {
        b.withMethodBody(
            java.util.Objects.requireNonNull(inlets.get(shared), "named by inletLocals"),
            shared.bodyType(),
            ClassFile.ACC_STATIC
                | ClassFile.ACC_SYNTHETIC
                | (isInterface ? ClassFile.ACC_PUBLIC : 0),
            code ->
                MethodBodyWriter.writeInlets(
                    analysis, library, calls, this::job, code, shared, label(method)));
      }
    }

    private void redirect(java.lang.classfile.CodeBuilder code, CodeElement element) {
      if (element instanceof InvokeInstruction call) {
        calls.write(code, call);
      } else {
        code.with(element);
      }
    }

    private static List<MethodElement> attributes(MethodModel method) {
      return method
          .elementStream()
          .filter(each -> each instanceof java.lang.classfile.Attribute<?>)
          .filter(each -> !(each instanceof CodeAttribute))
          .toList();
    }

    private String label(MethodModel method) {
      return SourcePlace.className(model) + "." + method.methodName().stringValue();
    }

    private InletLocalsClass inletLocals(MethodModel method) {
      var locals = new InletLocalsClass(nameFor(method.methodName().stringValue() + "$Locals"));
      inlets.put(locals, "satin$inlet$" + inlets.size());
      return locals;
    }

    private JobClass job(JobSignature job) {
      return jobs.computeIfAbsent(
          job,
          _ ->
              new JobClass(
                  nameFor(job.method()),
                  job,
                  library
                      .resolve(
                          ClassLibrary.internalName(job.receiver()),
                          JobClass.guard(job.method()),
                          job.type().changeReturnType(ConstantDescs.CD_boolean).descriptorString())
                      .filter(guard -> guard.flags().has(AccessFlag.PUBLIC))
                      .isPresent(),
                  shared(job)));
    }

    private List<Integer> shared(JobSignature job) {
      List<Integer> positions = new ArrayList<>();
      for (int i = 0; i < job.type().parameterCount(); i++) {
        ClassDesc parameter = job.type().parameterType(i);
        if (parameter.isClassOrInterface()
            && library.isSubclass(
                ClassLibrary.internalName(parameter), ClassLibrary.SHARED_OBJECT)) {
          positions.add(i);
        }
      }
      return positions;
    }

    /** Returns the name of a class beside the woven one, the same in each run. */
    private ClassDesc nameFor(String what) {
      String base = model.thisClass().asInternalName() + "$Satin$" + what.replaceAll("[<>]", "");
      String unused = base;
      for (int i = 2; !names.add(unused); i++) {
        unused = base + i;
      }
      return ClassLibrary.descOf(unused);
    }
  }
}
