package org.troupe.activeobjects;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method whose requests are served at once, each on a thread of its own, beside whatever the
 * active object is doing. They overtake the requests that wait in the queue. The method must be
 * thread-safe.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Immediate {}
