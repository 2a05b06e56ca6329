/** Runs the compilers of libraries above the Ibis Portability Layer on classes and jars. */
@NullMarked
package ibis.compile;

import org.jspecify.annotations.NullMarked;
