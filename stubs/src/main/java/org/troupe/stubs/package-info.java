/**
 * Stubs: objects of generated classes that pass every call to one handler.
 *
 * <p>{@link org.troupe.stubs.Reifiable} decides whether a stub can represent a type: {@code
 * ReifiabilityCheck} collects the problems of its declaration, {@code PrivateAccess} those of its
 * byte code, by the abstract interpretation of {@code DataFlow}. {@code StubGenerator} then writes
 * the class file from the {@code MethodTable}, and a {@code DefinitionSite} defines it in the
 * type's package or in a loader of its own. Read {@link org.troupe.stubs.Stubs} first, then {@link
 * org.troupe.stubs.StubClass}.
 *
 * <p>The package knows nothing of the meaning of a call: it uses neither futures nor active objects
 * nor serialization.
 */
@NullMarked
package org.troupe.stubs;

import org.jspecify.annotations.NullMarked;
