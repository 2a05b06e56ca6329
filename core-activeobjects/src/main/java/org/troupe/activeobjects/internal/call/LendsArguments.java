package org.troupe.activeobjects.internal.call;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of the middleware whose arguments do not change until its answer has come, or no longer
 * matter to the receiver if they do. Their large arrays are sent without a copy.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface LendsArguments {}
