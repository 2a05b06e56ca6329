package ibis.compile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.bcel.Const;
import org.apache.bcel.classfile.JavaClass;
import org.apache.bcel.classfile.Method;
import org.apache.bcel.generic.ClassGen;
import org.apache.bcel.generic.FieldGen;
import org.apache.bcel.generic.MethodGen;
import org.apache.bcel.generic.NOP;
import org.apache.bcel.generic.Type;

/**
 * A compiler of the tests: gives each class a field {@code marked}, moves the code of its methods,
 * and adds a class that uses both.
 */
public final class MarkingCompiler extends IbiscComponent {

  private static final String OPTION = "-mark";

  /** Made by name. */
  public MarkingCompiler() {}

  @Override
  public boolean processArgs(ArrayList<String> args) {
    return args.remove(OPTION);
  }

  @Override
  public String getUsageString() {
    return "[" + OPTION + "]";
  }

  @Override
  public String rewriterImpl() {
    return "BCEL";
  }

  @Override
  public void process(Iterator<?> classes) {
    List<JavaClass> marked = new ArrayList<>();
    while (classes.hasNext()) {
      JavaClass original = (JavaClass) classes.next();
      var changed = new ClassGen(original);
      changed.addField(
          new FieldGen(
                  Const.ACC_PUBLIC | Const.ACC_STATIC,
                  Type.INT,
                  "marked",
                  changed.getConstantPool())
              .getField());
      for (Method method : changed.getMethods()) {
        if (!method.getName().equals("<init>")) {
          changed.replaceMethod(method, shifted(method, changed));
        }
      }
      JavaClass result = changed.getJavaClass();
      setModified(wrapper.getInfo(result));
      marked.add(result);
    }
    writeAll(); // what is compiled now uses the fields
    for (JavaClass each : marked) {
      compile(new ArrayList<>(List.of(write(each).toString())), each.getClassName());
    }
  }

  /** Moves all code, so that the stack maps of the method are wrong. */
  private static Method shifted(Method method, ClassGen of) {
    var generator = new MethodGen(method, of.getClassName(), of.getConstantPool());
    generator.getInstructionList().insert(new NOP());
    generator.setMaxStack();
    return generator.getMethod();
  }

  private Path write(JavaClass of) {
    String simpleName = of.getClassName().substring(of.getPackageName().length() + 1);
    String folder = getDirectory(of.getClassName());
    Path file = Path.of(folder == null ? "." : folder).resolve("Marks_" + simpleName + ".java");
    try {
      return Files.writeString(
          file,
          """
          package %s;
          public class Marks_%s {
            public static int next() {
              return %s.larger(++%s.marked, 0);
            }
          }
          """
              .formatted(of.getPackageName(), simpleName, simpleName, simpleName));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
