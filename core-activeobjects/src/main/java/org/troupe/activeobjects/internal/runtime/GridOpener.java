package org.troupe.activeobjects.internal.runtime;

import java.io.IOException;
import java.util.ArrayList;
import java.util.ServiceLoader;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.transport.Transport;

/** Opens the JVM's own node to a grid. */
public final class GridOpener implements GridMember.Opener {

  @Override
  public GridMember open(GridMember.Settings settings) throws IOException {
    return GridMembership.open(
        node(settings).memberships(), settings, transport(settings.transport()));
  }

  private static NodeRuntime node(GridMember.Settings settings) throws IOException {
    try {
      return settings.virtualNodes().isEmpty()
          ? NodeRuntime.main()
          : NodeRuntime.main(settings.name());
    } catch (IllegalArgumentException e) { // a system property, which the message names
      throw new IOException(e.getMessage(), e);
    }
  }

  private static Transport transport(String name) {
    var names = new ArrayList<String>();
    for (var transport : ServiceLoader.load(Transport.class)) {
      if (transport.name().equals(name)) {
        return transport;
      }
      names.add(transport.name());
    }
    throw new IllegalArgumentException(
        "there is no transport '"
            + name
            + "' on the class path; name one of those that are there: "
            + String.join(", ", names));
  }
}
