/**
 * The verbs about a program: running an application, the benchmarks or a user's class in this JVM,
 * weaving its classes, and explaining which of its calls wait.
 */
@NullMarked
package org.troupe.cli.launch;

import org.jspecify.annotations.NullMarked;
