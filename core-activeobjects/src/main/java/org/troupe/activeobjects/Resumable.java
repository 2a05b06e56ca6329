package org.troupe.activeobjects;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A class whose {@link Service} loop may be left and entered again, so that its active objects can
 * move.
 *
 * <p>When the object is to move, its queue behaves as at the end of the object: {@link
 * RequestQueue#isOpen} is {@code false}, and methods that wait return without a request. The queue
 * keeps its requests. When {@link Service#serve} has returned, the object moves, and {@code serve}
 * is called again on the other node, or on the same one if the object could not move. The code of
 * {@code serve} before its first wait for a request therefore runs again after each move; the state
 * of the loop is in fields. The {@link RequestQueue} itself does not travel: a field that holds it
 * is {@code transient}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Resumable {}
