package org.troupe.activeobjects.internal.call;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.BodyVisit;
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

  /** The method {@link #visit}. */
  CallMethod VISIT = named("visit");

  /** Adds an attachment. */
  void attach(BodyExtension attachment);

  /** Does work of the middleware in its turn, behind the calls that gates hold back. */
  @Nullable Object visit(BodyVisit visit);

  /** Does nothing when it is served in its turn. */
  void nothing();

  private static CallMethod named(String name) {
    return ActiveType.of(BodyCalls.class).methods().stream()
        .filter(each -> each.method().name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
