package org.troupe.activeobjects.internal.call;

import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.hosting.MiddlewareObject;

/**
 * Calls addressed to a body rather than to its object. They are sent, queued and answered like all
 * other calls.
 */
public interface BodyCalls extends MiddlewareObject {

  /** The method {@link #attach}. */
  CallMethod ATTACH = named("attach");

  /** The method {@link #nothing}. */
  CallMethod NOTHING = named("nothing");

  /** Adds an attachment. */
  void attach(BodyExtension attachment);

  /** Does nothing when it is served in its turn. */
  void nothing();

  private static CallMethod named(String name) {
    return ActiveType.of(BodyCalls.class).methods().stream()
        .filter(each -> each.method().name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
