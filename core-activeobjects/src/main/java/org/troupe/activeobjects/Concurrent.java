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
 * {@link #with}, in either direction. A request starts when it is compatible with all running
 * requests and with all older waiting ones, so that incompatible requests keep their order. {@link
 * Options#parallelism} bounds the number of requests that run at a time. If a running request calls
 * its own object and waits for the result, that call overtakes the requests that cannot start
 * before the running request ends.
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
