package org.troupe.skeletons;

import java.util.UUID;

/** Identifies a flow among all that workers may see. */
record FlowId(UUID id) {

  static FlowId random() {
    return new FlowId(UUID.randomUUID());
  }
}
