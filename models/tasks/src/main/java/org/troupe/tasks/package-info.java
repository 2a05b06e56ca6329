/**
 * Divide and conquer: tasks that fork further tasks and wait for them, executed by any worker of
 * the given nodes that has nothing to do.
 *
 * <p>{@link org.troupe.tasks.Tasks} runs a task. Within it, a {@link org.troupe.tasks.Scope} forks
 * others, given as lambdas, and waits for them. {@link org.troupe.tasks.LongJob}, {@link
 * org.troupe.tasks.DoubleJob} and {@link org.troupe.tasks.Job} are classes to extend, which cost
 * less. Read {@code Tasks} first.
 *
 * <p>The package is a thin layer over the engine, which it adapts to users: exceptions, results,
 * checks.
 */
@NullMarked
package org.troupe.tasks;

import org.jspecify.annotations.NullMarked;
