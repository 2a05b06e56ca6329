package org.troupe.activeobjects.internal.call;

import org.troupe.stubs.CallHandler;

/**
 * The handler behind the stubs of active objects. Generated stubs name their handler's class; this
 * one stands for the references of the room above, which extend it.
 */
public abstract class ActiveObjectHandler implements CallHandler {}
