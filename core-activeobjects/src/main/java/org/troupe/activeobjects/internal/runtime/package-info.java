/**
 * Puts a node together, and answers for it what users, launchers and typed groups ask.
 *
 * <p>Begin with {@link NodeRuntime}, the composition root. No other room knows this one.
 */
package org.troupe.activeobjects.internal.runtime;
