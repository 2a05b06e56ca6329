package org.troupe.deployment.runs;

import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON of what a run tells others. A class of its own, since each run can be asked, few are,
 * and the library is slow to load.
 */
public final class ControlJson {

  public static final JsonMapper MAPPER = new JsonMapper();

  private ControlJson() {}
}
