/**
 * The classes of values that arrive: which may be named, and where they are found.
 *
 * <p>Read {@link ClassAccess} first. It resolves a name in this JVM, or else asks the sending node,
 * which it sees as a {@link ClassProvider} only. {@link CodeSources} identifies archives by their
 * hashes, {@link RemoteClasses} fetches the archives that belong to the deployed program, and
 * {@link CodeSourceLoader} defines their classes.
 *
 * <p>This package knows neither calls nor connections.
 */
@NullMarked
package org.troupe.activeobjects.internal.classes;

import org.jspecify.annotations.NullMarked;
