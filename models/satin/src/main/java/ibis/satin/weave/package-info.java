/**
 * The weaver: rewrites the classes of a Satin program so that calls of spawnable methods become
 * jobs.
 *
 * <p>{@code ClassLibrary} reads class files without loading them and answers which call is a spawn.
 * {@code MethodAnalysis} finds the spawns, syncs and aborts of a method, where results go and which
 * {@code catch} is an inlet, on the types that {@code TypeFlow} derives from the stack maps; it
 * collects all problems. {@code MethodBodyWriter} then writes the method anew, {@code
 * JobClassWriter} and {@code InletLocalsWriter} the classes that it uses. Read {@code Weaver}
 * first, then {@code MethodBodyWriter}.
 *
 * <p>The package refers to the run-time classes of {@code ibis.satin.impl} by name only.
 */
@NullMarked
package ibis.satin.weave;

import org.jspecify.annotations.NullMarked;
