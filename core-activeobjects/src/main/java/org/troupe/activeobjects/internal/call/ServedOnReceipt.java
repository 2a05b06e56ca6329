package org.troupe.activeobjects.internal.call;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of the middleware that the thread serves which receives the call, if no earlier request
 * waits: it is short, waits for nothing, and neither it nor its arguments run code of users.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ServedOnReceipt {}
