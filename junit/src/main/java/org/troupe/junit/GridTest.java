package org.troupe.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Marks a test method that runs with nodes of its own, which are started before it and ended after
 * it.
 *
 * {@snippet file="org/troupe/junit/snippets/JunitSnippets.java" region="tests"}
 *
 * <p>The method, and {@code @BeforeEach} and {@code @AfterEach} methods of its class, may have
 * parameters of these types:
 *
 * <ul>
 *   <li>{@link org.troupe.activeobjects.Nodes}: all nodes;
 *   <li>{@link org.troupe.activeobjects.Node}: one of them; a second parameter of this type is the
 *       second node;
 *   <li>{@link org.troupe.activeobjects.LocalNodes}, with {@link #nodes}: lets nodes join, leave
 *       and die;
 *   <li>{@link org.troupe.deployment.Grid}, with {@link #jvms};
 *   <li>{@link FailureLog}: the failures that no caller could observe.
 * </ul>
 *
 * <p>A test that has passed nevertheless fails if it leaves something behind: a failure that no
 * caller could observe and that was not taken from the {@link FailureLog}, an active object that
 * still has requests a second after the test, or a process. One-way calls that are under way at the
 * end of the method are awaited before, with their failures: for ten seconds at most, after which
 * the test fails as well. A test that fails has the waits and queues of all active objects, the
 * stacks of all threads and the last output of processes beside its exception, as a suppressed one.
 *
 * <p>Tests with this annotation run one at a time, also if others run in parallel.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Test
@ExtendWith(GridTestExtension.class)
@ResourceLock("org.troupe.grid")
@SuppressWarnings("exports") // of the extension, which JUnit makes by reflection
public @interface GridTest {

  /**
   * The number of nodes in the JVM of the test: they start in milliseconds, and calls between them
   * are encoded and travel as between JVMs.
   */
  int nodes() default 0;

  /**
   * The number of nodes in JVMs of their own, on this machine, instead of nodes in the JVM of the
   * test.
   */
  int jvms() default 0;

  /**
   * After how many seconds the test is interrupted and fails, with the waits and stacks of that
   * moment.
   */
  int seconds() default 60;
}
