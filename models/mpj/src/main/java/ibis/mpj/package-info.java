/**
 * Message passing as the MPJ proposal and its implementation over Ibis name it: the same as the
 * package {@code mpi} in Java's usual spelling. Read {@link ibis.mpj.MPJ} and {@link ibis.mpj.Comm}
 * first.
 *
 * <p>Most of the classes are generated from those of {@code mpi}; {@code DialectTest}, in the tests
 * of this module, has the rules.
 */
@NullMarked
package ibis.mpj;

import org.jspecify.annotations.NullMarked;
