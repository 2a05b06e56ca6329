/**
 * The run time of woven classes: jobs, the activations that spawn them, and the running program.
 * Programs themselves use only {@link ibis.satin.impl.Satin#getSatin}.
 *
 * <p>A generated subclass of {@code SatinJob} holds a call; an {@code Activation} is one activation
 * of a method that spawns; {@code InletLocals} holds the variables that such a method shares with
 * its inlets. Read {@code Activation} first. The types are public because generated classes of the
 * program's packages use them.
 */
@NullMarked
package ibis.satin.impl;

import org.jspecify.annotations.NullMarked;
