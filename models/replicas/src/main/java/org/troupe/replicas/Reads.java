package org.troupe.replicas;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that a method of a replicated class changes nothing, or that all methods of an interface
 * do not. A call of it is served by the replica of the caller's node alone. Needed only where
 * {@link Replicas#explain} says that the byte code leaves a doubt.
 *
 * <p>A method that does change its object must not have it: the replicas would differ.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Reads {}
