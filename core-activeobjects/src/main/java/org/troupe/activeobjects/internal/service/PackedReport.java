package org.troupe.activeobjects.internal.service;

import org.troupe.activeobjects.hosting.NodeReport;

/**
 * The report of a node as it travels.
 *
 * @param state the report without the activity
 * @param activity the activity, as {@link ActivityCodec} encodes it
 */
public record PackedReport(NodeReport state, byte[] activity) {

  /** Returns the whole report. */
  NodeReport unpacked() {
    return state.with(ActivityCodec.decode(activity));
  }
}
