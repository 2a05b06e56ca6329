package ibis.compile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A compiler that changes or adds classes; to be extended, and run by {@link Ibisc}.
 *
 * <p>The manifest of its jar names it in the attribute {@code Ibisc-Component}; it has a public
 * constructor without arguments.
 */
public abstract class IbiscComponent {

  /** Whether to print progress. */
  protected boolean verbose;

  /** Whether to keep generated Java files. */
  protected boolean keep;

  /** Whether {@link Ibisc} runs this compiler, rather than its own main method. */
  protected boolean fromIbisc;

  /** Reads classes for this compiler. */
  @SuppressWarnings("NullAway.Init") // Ibisc sets it before it runs the component
  protected ByteCodeWrapper wrapper;

  private @Nullable ClassFileSet files;

  /** Called by subclasses. */
  protected IbiscComponent() {}

  /**
   * Takes the options that are meant for this compiler out of a command line.
   *
   * @return whether it is to be run
   * @throws IllegalArgumentException if an option is wrong
   */
  public abstract boolean processArgs(ArrayList<String> args);

  /** Returns the options that {@link #processArgs} knows. */
  public abstract String getUsageString();

  /** Processes all classes, each as an object of the bytecode library. */
  public abstract void process(Iterator<?> classes);

  /** Returns the bytecode library that this compiler works with: {@code BCEL}. */
  public abstract String rewriterImpl();

  final void runOn(ClassFileSet classFiles, ByteCodeWrapper byteCodeWrapper) {
    files = classFiles;
    wrapper = byteCodeWrapper;
    Iterator<ClassFileSet.Entry> entries = classFiles.entries().iterator();
    process(
        new Iterator<Object>() {
          @Override
          public boolean hasNext() {
            return entries.hasNext();
          }

          @Override
          public Object next() {
            return entries.next().info().getClassObject(); // perhaps changed since it was read
          }
        });
  }

  private ClassFileSet files() {
    return Objects.requireNonNull(files, "set before classes are processed");
  }

  /**
   * Returns the folder where a class or its jar was found; {@code null} if that is the working
   * directory, or the class is not processed.
   */
  protected @Nullable String getDirectory(String className) {
    ClassFileSet.Entry entry = files == null ? null : files.entry(className);
    return entry == null ? null : entry.folder();
  }

  /** Says that a class has changed. */
  protected void setModified(ClassInfo changed) {
    ClassFileSet.Entry entry = files == null ? null : files.entry(changed.getClassName());
    if (entry != null) {
      entry.modify(changed);
    }
  }

  /** Adds a class, to be written beside the one that it was derived from. */
  protected void addEntry(ClassInfo added, String fromClass) {
    files().add(added, fromClass);
  }

  /** Writes the classes that have changed until now. */
  protected void writeAll() {
    try {
      if (files != null) {
        files.writeDrafts();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("classes cannot be written: " + e.getMessage(), e);
    }
  }

  /**
   * Compiles Java files, and adds their classes beside the one that they were derived from.
   *
   * @param javaFiles removed afterwards, unless {@link #keep} is set
   * @throws IllegalStateException if they do not compile; the message holds the compiler's output
   */
  protected void compile(ArrayList<String> javaFiles, String fromClass) {
    var compilation = new CompilerRun(javaFiles, keep);
    if (verbose) {
      System.out.println("compiling " + javaFiles);
    }
    try {
      if (!fromIbisc) {
        compilation.run();
        return;
      }
      for (var compiled : compilation.run(files().places())) {
        addEntry(wrapper.parseClassFile(compiled.toString()), fromClass);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("generated classes are lost: " + e.getMessage(), e);
    } finally {
      compilation.clean();
    }
  }
}
