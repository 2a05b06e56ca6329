/**
 * A JUnit extension for tests of programs on a grid. Read {@link org.troupe.junit.GridTest} first:
 * the annotation of a test method that says which nodes it wants.
 *
 * <p>{@code GridTestExtension} starts a {@code TestGrid} before a test, gives the test its
 * parameters, and checks and ends the grid afterwards. There are two of them, for nodes of this JVM
 * and for processes. The package knows nothing of how nodes are started.
 */
@NullMarked
package org.troupe.junit;

import org.jspecify.annotations.NullMarked;
