package org.troupe.serialization;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that JVMs may run different versions of a class: a field, or a record's component, that
 * the sender does not have gets 0, {@code false} or {@code null}, and one that only the sender has
 * is read and dropped.
 *
 * <p>Without the annotation, a difference is an error that names the class and its fields. With it,
 * a field whose type has changed is still an error, unless both types are references and the value
 * fits. The annotation on the receiver's version of the class counts; subclasses inherit it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Evolving {}
