package ibis.satin.weave;

import ibis.satin.impl.Satin;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

/** The forms of a class in which a sample of a test runs. */
enum Form {
  UNWOVEN(file -> file),
  WOVEN(file -> file),
  /** On a worker, as the program's {@code main} runs. */
  WOVEN_ON_A_WORKER(file -> file),
  /** As {@code javac -g:none} writes it. */
  WOVEN_WITHOUT_DEBUG_TABLES(Form::withoutDebugTables);

  private final UnaryOperator<byte[]> before;

  Form(UnaryOperator<byte[]> before) {
    this.before = before;
  }

  /**
   * Loads a nested class of a test in this form and calls it; all its siblings have the same form.
   */
  @SuppressWarnings("unchecked")
  <V> V call(Class<? extends Callable<V>> sample) throws Exception {
    Class<?> type = Class.forName(sample.getName(), true, loader(sample));
    var constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    var loaded = (Callable<V>) constructor.newInstance();
    return this == WOVEN_ON_A_WORKER ? onWorker(loaded) : loaded.call();
  }

  private static <V> V onWorker(Callable<V> sample) throws Exception {
    List<V> result = new ArrayList<>();
    Callable<?> kept = () -> result.add(sample.call());
    try {
      Satin.main(
          MethodHandles.insertArguments(
              MethodHandles.lookup()
                  .findStatic(
                      Form.class,
                      "run",
                      MethodType.methodType(void.class, Callable.class, String[].class)),
              0,
              kept),
          new String[0]);
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return result.getFirst();
  }

  private static void run(Callable<?> sample, String[] arguments) throws Exception {
    sample.call();
  }

  private ClassLoader loader(Class<?> sample) {
    String test = sample.getNestHost().getName();
    return new ProgramLoader(
        name -> name.equals(test) || name.startsWith(test + "$"),
        name -> this != UNWOVEN && !name.equals(test),
        before);
  }

  /** Returns the class file of a class of the tests. */
  static byte[] file(Class<?> type) throws IOException {
    return ProgramLoader.file(type.getName());
  }

  private static byte[] withoutDebugTables(byte[] file) {
    var files =
        ClassFile.of(
            ClassFile.DebugElementsOption.DROP_DEBUG,
            ClassFile.LineNumbersOption.DROP_LINE_NUMBERS);
    return files.transformClass(
        files.parse(file), ClassTransform.transformingMethodBodies((b, e) -> b.with(e)));
  }
}
