package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.internal.object.Reference;

/** A reference that is sent without a stub, and arrives as a {@code Ref}. */
record ExplicitReference(Reference<?> reference) {}
