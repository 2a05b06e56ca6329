package org.troupe.tasks;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work with a result, usually a lambda. It is executed by the worker that forked it, or
 * by any other. Another worker of the same JVM shares what the task holds; another node works on a
 * copy. A task must be right either way, so its result is the only way in which it reports.
 *
 * <p>What it holds needs not be {@code Serializable}. It is encoded only when another node takes
 * it.
 *
 * @param <V> the type of the result
 */
@FunctionalInterface
public interface Task<V extends @Nullable Object> extends Serializable {

  /** Does the work. */
  V run() throws Exception;
}
