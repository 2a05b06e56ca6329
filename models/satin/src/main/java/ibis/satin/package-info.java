/**
 * The interface of Satin, by which programs divide and conquer: methods of an interface that
 * extends {@link ibis.satin.Spawnable} are spawned where they are called, and {@link
 * ibis.satin.SatinObject#sync} waits for them.
 *
 * <p>Nothing here does anything by itself. A program that is not woven runs sequentially with the
 * same answers; {@code ibis.satin.weave} replaces the calls of a woven program. The package uses
 * nothing of the rest.
 */
@NullMarked
package ibis.satin;

import org.jspecify.annotations.NullMarked;
