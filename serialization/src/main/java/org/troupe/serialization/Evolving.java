package org.troupe.serialization;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says of a class that other JVMs may run other versions of it: a field that the sender does not
 * have gets 0, {@code false} or {@code null} (as a record's component too), and one that only the
 * sender has is read and dropped.
 *
 * <p>Without it, a difference is an error that names class and fields. A field whose type has
 * changed is an error even so, unless both types are references and the value fits. The annotation
 * on the receiver's version of the class decides; subclasses inherit it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Evolving {}
