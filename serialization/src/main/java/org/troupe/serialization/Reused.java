package org.troupe.serialization;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that after the call no reference is kept to an argument or to an object that it led to
 * when it arrived or, on a method, to its result and the objects in that, when the method is called
 * again. The next value is decoded into the same objects.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.METHOD})
public @interface Reused {}
