package org.troupe.serialization;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that nothing is referred to twice within one graph, and nothing refers back to itself:
 * no object of this very class, such as the nodes of a list or tree; or nothing in this argument,
 * or in what this method returns.
 *
 * <p>It is encoded without a look at what has been met already. An object that is referred to twice
 * after all arrives as two; a cycle is an error that names a limit. Subclasses declare it for
 * themselves; of arguments it counts where each of the others is declared so too, or can hold
 * nothing that is shared.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.PARAMETER, ElementType.METHOD})
public @interface Acyclic {}
