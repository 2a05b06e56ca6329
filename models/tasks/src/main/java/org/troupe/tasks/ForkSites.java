package org.troupe.tasks;

import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InaccessibleObjectException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.Spawn;

/** The source lines that fork tasks, as the class files of a program show them. Thread-safe. */
final class ForkSites {

  /*
   * Design: the line of a fork, which costs a fork nothing
   *
   * A fork takes some tens of nanoseconds, a stack walk about a microsecond. So a fork records nothing, and its line is looked
   * up when the task has failed, in a class file: that of the class which contains the lambda; that of the class of the job
   * which has forked, or of its superclasses; or else that of the class which waits for the scope.
   *
   * Each call of a method 'fork' there is listed with its argument: the method of a lambda, or the class of a new object, if
   * that is created directly before the call and no jump leads in between. A call that passes a variable, or the result of
   * another call, may have forked any task. So the lines of a failed task are those that pass its like, or else those that may
   * have forked any. Where a program forks one method reference in two lines, these are two.
   */

  /** More lines than these tell a reader nothing. */
  private static final int MOST_LINES = 4;

  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private static final ClassValue<List<ForkCall>> CALLS =
      new ClassValue<>() {
        @Override
        protected List<ForkCall> computeValue(Class<?> type) {
          return ForkCall.in(type);
        }
      };

  private ForkSites() {}

  /**
   * Returns the lines that may have forked a task of a scope. To be called by the thread that waits
   * for the scope.
   */
  static List<StackTraceElement> ofTask(Task<?> task) {
    if (!Engine.hasAmpleStack()) {
      return List.of();
    }
    var lambda = lambda(task);
    return lambda == null
        ? lines(waiting(), ForkCall.internalName(task.getClass()))
        : lines(containing(lambda, task), method(lambda));
  }

  /**
   * Returns the lines that may have forked a job.
   *
   * @param forkedBy the class of the job that has forked it
   */
  static List<StackTraceElement> ofJob(Spawn job, Class<?> forkedBy) {
    if (!Engine.hasAmpleStack()) {
      return List.of();
    }
    List<StackTraceElement> lines = List.of();
    for (Class<?> at = forkedBy; at != null && lines.isEmpty(); at = at.getSuperclass()) {
      lines = lines(at, ForkCall.internalName(job.getClass()));
    }
    return lines;
  }

  private static List<StackTraceElement> lines(@Nullable Class<?> type, String passed) {
    if (type == null) {
      return List.of();
    }
    var calls = CALLS.get(type);
    var itsOwn = calls.stream().filter(each -> passed.equals(each.passed())).toList();
    var possible =
        itsOwn.isEmpty() ? calls.stream().filter(each -> each.passed() == null).toList() : itsOwn;
    var lines = possible.stream().map(ForkCall::line).distinct().toList();
    return lines.size() > MOST_LINES ? List.of() : lines;
  }

  /** Returns a task as a lambda; {@code null} if it is none, or its module does not show it. */
  private static @Nullable SerializedLambda lambda(Task<?> task) {
    if (!task.getClass().isHidden()) {
      return null;
    }
    try {
      var replace = task.getClass().getDeclaredMethod("writeReplace"); // as of each lambda
      replace.setAccessible(true);
      return replace.invoke(task) instanceof SerializedLambda lambda ? lambda : null;
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      return null;
    }
  }

  private static @Nullable Class<?> containing(SerializedLambda lambda, Task<?> task) {
    try {
      var name = lambda.getCapturingClass().replace('/', '.');
      return Class.forName(name, false, task.getClass().getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private static String method(SerializedLambda lambda) {
    return ForkCall.method(
        lambda.getImplClass(), lambda.getImplMethodName(), lambda.getImplMethodSignature());
  }

  /** Returns the class whose code waits for a scope on this thread. */
  private static @Nullable Class<?> waiting() {
    return WALKER.walk(
        frames ->
            frames
                .<Class<?>>map(StackWalker.StackFrame::getDeclaringClass)
                .dropWhile(type -> type != Scope.class)
                .dropWhile(type -> type == Scope.class)
                .findFirst()
                .orElse(null));
  }
}
