package org.troupe.activeobjects;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method whose requests may be served at the same time as those of compatible methods.
 *
 * <p>Methods of one group are compatible with each other, and with those of the groups named in
 * {@link #with}, in either direction. A request starts when it is compatible with all that run and
 * with all older ones that still wait; so incompatible requests keep their order. How many run at a
 * time is bounded by {@link Options#parallelism}. A call that a running request makes on its own
 * object, and waits for, does not wait for those that cannot start before that request is done.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Concurrent {

  /** The name of the method's group. */
  String value();

  /** The other groups with which this one is compatible. */
  String[] with() default {};
}
