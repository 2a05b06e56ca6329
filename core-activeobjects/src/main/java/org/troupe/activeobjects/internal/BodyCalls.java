package org.troupe.activeobjects.internal;

import org.troupe.activeobjects.spi.Attachment;

/** Calls that are for a body rather than its object; sent, queued and answered as any. */
public interface BodyCalls {

  /** The only method. */
  CallMethod ATTACH =
      ActiveType.of(BodyCalls.class).methods().stream()
          .filter(each -> each.method().name().equals("attach"))
          .findFirst()
          .orElseThrow();

  /** Adds an attachment. */
  void attach(Attachment attachment);
}
