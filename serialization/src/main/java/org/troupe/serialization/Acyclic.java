package org.troupe.serialization;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that no object is referred to twice within one graph and that there are no cycles: on a
 * class, for objects of exactly this class, such as the nodes of a list or tree; on a parameter or
 * method, for all objects in the argument or result.
 *
 * <p>The encoder then does not look the object up among those already encoded. An object that is
 * referred to twice after all arrives as two; a cycle is an error that names a limit. The
 * annotation is not inherited. On a parameter it has an effect only if each other parameter is
 * annotated as well, or is of a type that cannot hold shared objects.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.PARAMETER, ElementType.METHOD})
public @interface Acyclic {}
