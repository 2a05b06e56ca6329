package org.troupe.activeobjects;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A class whose {@link Service} loop may be left and entered again, so that its active objects can
 * move, and can be kept in a store by {@link Keep#state}.
 *
 * <p>When the object is to move, or an image of it is to be made, its queue behaves as at the end
 * of the object: {@link RequestQueue#isOpen} is {@code false}, and methods that wait return without
 * a request. The queue keeps its requests. When {@link Service#serve} has returned, the object
 * moves or its image is made, and {@code serve} is called again: on the other node, or on the same
 * one after an image, or if the object could not move. The code of {@code serve} before its first
 * wait for a request therefore runs again after each move, image and restart; the state of the loop
 * is in fields. The {@link RequestQueue} itself does not travel: a field that holds it is {@code
 * transient}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Resumable {}
