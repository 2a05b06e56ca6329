/**
 * Assembles a node from the other packages, and implements the interfaces through which users,
 * launchers and typed groups reach it.
 *
 * <p>Read {@link NodeRuntime}, the composition root, first. The service loader finds the providers
 * of this package for the public entry points. No other package knows this one.
 */
@NullMarked
package org.troupe.activeobjects.internal.runtime;

import org.jspecify.annotations.NullMarked;
