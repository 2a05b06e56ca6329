/**
 * The common part of the benchmark programs of Manta, JavaParty and MPJava.
 *
 * <p>Read {@link org.troupe.classics.ClassicProgram} first: it parses options, deploys the nodes,
 * runs the program and prints the result. {@link org.troupe.classics.KernelProgram} times a
 * sequential and a parallel version of a computation; {@link org.troupe.classics.ExchangeProgram}
 * measures messages. Each program has a subpackage; this package must not know them.
 */
@NullMarked
package org.troupe.classics;

import org.jspecify.annotations.NullMarked;
