/**
 * The command ibisc, which runs bytecode compilers of libraries above the Ibis Portability Layer on
 * classes and jars.
 *
 * <p>{@code Ibisc} reads the arguments into a {@code ClassFileSet}, finds each {@code
 * IbiscComponent} in the manifests of the class path and lets it change or add classes through a
 * {@code ByteCodeWrapper}. {@code CompilerRun} compiles generated Java files, and {@code StackMaps}
 * adds the stack maps that old bytecode libraries omit. The package knows nothing of the rest of
 * the layer: serialization needs no compiler. Read {@code Ibisc} first.
 */
@NullMarked
package ibis.compile;

import org.jspecify.annotations.NullMarked;
