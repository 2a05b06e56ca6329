package ibis.satin.impl;

import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Spawn;

/** The job that calls the program's {@code main}; it never travels. */
final class ProgramRoot extends Spawn {

  private final transient MethodHandle body;
  private final transient String[] arguments;
  private final transient @Nullable ClassLoader loader =
      Thread.currentThread().getContextClassLoader();

  ProgramRoot(MethodHandle body, String[] arguments) {
    this.body = body;
    this.arguments = arguments;
  }

  @Override
  protected void execute() throws Throwable {
    Thread.currentThread().setContextClassLoader(loader);
    body.invokeExact(arguments);
  }

  @Override
  protected @Nullable Object outcome() {
    return null;
  }

  @Override
  protected void setOutcome(@Nullable Object result) {}
}
