package org.troupe.activeobjects.internal.peer;

/** The name of a reference that arrives as a {@code Ref} rather than a stub. */
record ExplicitName(RemoteName name) {}
