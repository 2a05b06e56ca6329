package org.troupe.junit;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.troupe.activeobjects.FailureHandler.CallFailure;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;

/** Starts the nodes of a test, and checks and ends them afterwards. */
final class GridTestExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver, InvocationInterceptor {

  /*
   * The end of the test method is not the end of its work: one-way calls are on their way, and their failures come
   * back later. So the check first waits for the quiescence of the grid; then it takes the failures, and once more
   * when all nodes have ended.
   */
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(GridTestExtension.class);

  private static final long PAUSE_MILLIS = 10;
  private static final long FAILURE_SECONDS = 10;

  GridTestExtension() {}

  @Override
  public void beforeEach(ExtensionContext context) {
    store(context).put(TestGrid.class, start(annotation(context)));
  }

  private static ExtensionContext.Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }

  private static GridTest annotation(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), GridTest.class)
        .orElseThrow();
  }

  private static TestGrid start(GridTest wanted) {
    if (wanted.nodes() < 0
        || wanted.jvms() < 0
        || (wanted.nodes() == 0) == (wanted.jvms() == 0)
        || wanted.seconds() <= 0) {
      throw new IllegalArgumentException(
          "@GridTest(nodes = %d, jvms = %d, seconds = %d): give a number of nodes in this JVM by 'nodes', or in JVMs of their own by 'jvms', and at least one second"
              .formatted(wanted.nodes(), wanted.jvms(), wanted.seconds()));
    }
    return wanted.jvms() > 0
        ? new ProcessTestGrid(wanted.jvms())
        : new InProcessTestGrid(wanted.nodes());
  }

  private static @Nullable TestGrid grid(ExtensionContext context) {
    return store(context).get(TestGrid.class, TestGrid.class);
  }

  // Parameters

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return List.of(Nodes.class, Node.class, LocalNodes.class, Grid.class, FailureLog.class)
        .contains(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var grid = grid(context);
    var type = parameter.getParameter().getType();
    if (grid == null) {
      throw new ParameterResolutionException(
          "there are no nodes yet: a constructor and a static method cannot have a parameter of type "
              + type.getSimpleName());
    }
    if (type == Nodes.class) {
      return grid.nodes();
    }
    if (type == Node.class) {
      return grid.nodes().get(indexAmongNodes(parameter));
    }
    if (type == FailureLog.class) {
      return (FailureLog) () -> take(grid);
    }
    if (!type.isInstance(grid.handle())) {
      throw new ParameterResolutionException(
          "a parameter of type %s needs @GridTest(%s = ...)"
              .formatted(type.getSimpleName(), type == Grid.class ? "jvms" : "nodes"));
    }
    return grid.handle();
  }

  /** Returns how many parameters of type Node precede this one. */
  private static int indexAmongNodes(ParameterContext parameter) {
    return (int)
        Arrays.stream(parameter.getDeclaringExecutable().getParameters())
            .limit(parameter.getIndex())
            .map(Parameter::getType)
            .filter(Node.class::equals)
            .count();
  }

  private static CallFailure take(TestGrid grid) throws InterruptedException {
    var taken = new AtomicReference<@Nullable CallFailure>();
    waitUntil(
        () -> {
          taken.set(grid.nextFailure());
          return taken.get() != null;
        },
        TimeUnit.SECONDS.toMillis(FAILURE_SECONDS));
    var failure = taken.get();
    if (failure == null) {
      throw new AssertionError(
          "a failure without an observer was expected, but there was none within "
              + FAILURE_SECONDS
              + " s");
    }
    return failure;
  }

  // The test

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    var grid = grid(context);
    if (grid == null) { // beforeEach has failed
      invocation.proceed();
      return;
    }
    var seconds = annotation(context).seconds();
    var test = Thread.currentThread();
    var isOver = new CompletableFuture<@Nullable Void>();
    var expired = new AtomicReference<@Nullable String>();
    var watch =
        Thread.ofPlatform()
            .daemon()
            .name("troupe-test-watch")
            .start(
                () -> {
                  if (!isDone(isOver, seconds)) {
                    expired.set(grid.state());
                    test.interrupt();
                  }
                });
    try {
      invocation.proceed();
    } catch (Throwable failure) {
      throw explained(failure, grid, expired.get(), seconds);
    } finally {
      isOver.complete(null);
      watch.join();
    }
    var state = expired.get();
    if (state != null) {
      Thread.interrupted(); // the test has ignored it
      throw timeOut(seconds, state);
    }
    check(grid);
  }

  private static boolean isDone(CompletableFuture<?> future, int seconds) {
    try {
      future.get(seconds, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e); // neither happens to this thread and future
    }
  }

  private static Throwable explained(
      Throwable failure, TestGrid grid, @Nullable String expired, int seconds) {
    if (expired == null) {
      failure.addSuppressed(new GridState(grid.state()));
      return failure;
    }
    var timeOut = timeOut(seconds, expired);
    timeOut.addSuppressed(failure);
    return timeOut;
  }

  private static AssertionError timeOut(int seconds, String state) {
    var failure =
        new AssertionError(
            "the test took longer than %d s and was interrupted; the suppressed exception has the waits and stacks of that moment"
                .formatted(seconds));
    failure.addSuppressed(new GridState(state));
    return failure;
  }

  /** Checks what a test that has passed has left behind. */
  private static void check(TestGrid grid) throws InterruptedException {
    var unfinished = new GridQuiescence(grid).await();
    var wrong = failures(grid);
    wrong.addAll(unfinished);
    if (!wrong.isEmpty()) {
      var failure = new AssertionError(String.join("\n", wrong));
      failure.addSuppressed(new GridState(grid.state()));
      throw failure;
    }
  }

  private static List<String> failures(TestGrid grid) {
    var lines = new ArrayList<String>();
    for (var each : grid.takeFailures()) {
      lines.add(
          "a failure without an observer, which the test has not taken from a FailureLog: %s: %s"
              .formatted(each.call(), each.cause()));
    }
    return lines;
  }

  private static boolean waitUntil(BooleanSupplier condition, long millis)
      throws InterruptedException {
    var deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return true;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    var grid = grid(context);
    if (grid == null) {
      return;
    }
    var left = grid.end();
    if (!left.isEmpty()) {
      throw new AssertionError("something outlives the test: " + String.join(", ", left));
    }
    var failures = failures(grid);
    if (!failures.isEmpty() && context.getExecutionException().isEmpty()) {
      throw new AssertionError(String.join("\n", failures));
    }
  }
}
