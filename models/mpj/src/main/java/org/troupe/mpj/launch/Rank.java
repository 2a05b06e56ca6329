package org.troupe.mpj.launch;

import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.comm.World;
import org.troupe.mpj.matching.RankAttachment;

/** The active object of a rank. */
public class Rank {

  /** For the creation as an active object. */
  public Rank() {}

  /**
   * Runs a program's main as this rank, and tells the monitor how it ended.
   *
   * @param input the standard input; {@code null} for a rank that has none
   * @return true, when main has ended
   */
  public boolean run(
      String mainClass, String[] arguments, RunMonitor monitor, @Nullable StandardInput input) {
    var engine = RankAttachment.ofCurrent();
    var rank = engine.rank();
    var world =
        new World(
            engine,
            new World.RunControl() {
              @Override
              public void finalized() {
                monitor.finalized(rank);
              }

              @Override
              public void abort(int code) {
                monitor.aborted(code);
              }
            });
    RankInput.enter(
        input == null ? InputStream.nullInputStream() : new StandardInput.Remote(input));
    world.enter();
    try {
      var failure = failureOf(mainClass, arguments);
      if (failure != null) {
        report(failure);
        world.tellOfDeath("an exception has left its main: " + failure);
        monitor.ended(rank, 1, true);
      } else if (world.isOpen()) {
        world.tellOfDeath("its main has returned without Finalize");
        complain(world);
        monitor.ended(rank, 1, false);
      } else {
        if (world.isNew()) {
          world.tellOfDeath("its main has returned without Init");
        }
        monitor.ended(rank, 0, false);
      }
    } finally {
      world.leave();
      RankInput.leave();
      RankAttachment.detachCurrent();
    }
    return true;
  }

  @SuppressWarnings("SystemOut") // beside the exceptions that leave a main
  private static void complain(World world) {
    System.err.println(
        "troupe: the main of "
            + world
            + " has returned without Finalize, so other ranks may wait for it in vain, and the run"
            + " ends with code 1; call MPI.Finalize() (MPJ.finish() of ibis.mpj) at the end of main,"
            + " at each rank");
  }

  /** Runs main; returns what it has thrown. */
  private static @Nullable Throwable failureOf(String mainClass, String[] arguments) {
    try {
      var main = main(mainClass);
      main.setAccessible(true);
      var isStatic = Modifier.isStatic(main.getModifiers());
      Object target = null;
      if (!isStatic) {
        var constructor = main.getDeclaringClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        target = constructor.newInstance();
      }
      if (main.getParameterCount() == 0) {
        main.invoke(target);
      } else {
        main.invoke(target, (Object) arguments.clone());
      }
      return null;
    } catch (InvocationTargetException thrown) {
      return thrown.getTargetException();
    } catch (ReflectiveOperationException | LinkageError unusable) {
      return unusable;
    }
  }

  private static Method main(String mainClass) throws ReflectiveOperationException {
    var type = Class.forName(mainClass, true, ClassLoader.getSystemClassLoader());
    try {
      return type.getDeclaredMethod("main", String[].class);
    } catch (NoSuchMethodException e) {
      return type.getDeclaredMethod("main");
    }
  }

  /** Reports an exception as the JVM reports that of a main thread. */
  private static void report(Throwable failure) {
    for (var each = failure; each != null; each = each.getCause()) {
      each.setStackTrace(aboveMain(each.getStackTrace()));
    }
    var thread = Thread.currentThread();
    var handler = Thread.getDefaultUncaughtExceptionHandler();
    if (handler != null) {
      handler.uncaughtException(thread, failure);
    } else {
      failure.printStackTrace(); // to the program's own standard error
    }
  }

  /** Returns the frames of the program. */
  private static StackTraceElement[] aboveMain(StackTraceElement[] trace) {
    var end = 0;
    while (end < trace.length && !trace[end].getClassName().equals(Rank.class.getName())) {
      end++;
    }
    if (end == trace.length) {
      return trace; // of another thread
    }
    while (end > 0 && trace[end - 1].getClassName().contains(".reflect.")) {
      end--;
    }
    return Arrays.copyOf(trace, end);
  }
}
