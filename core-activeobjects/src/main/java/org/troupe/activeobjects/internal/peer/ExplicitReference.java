package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.internal.object.Reference;

/** A reference that is not behind a stub, and is to arrive as a {@code Ref}. */
record ExplicitReference(Reference<?> reference) {}
