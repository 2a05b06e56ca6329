package org.troupe.groups.provider;

import java.util.List;
import org.troupe.activeobjects.collective.CompositeStub;
import org.troupe.activeobjects.hosting.MiddlewareObject;
import org.troupe.groups.Groups;

/** Makes typed groups of members that have arrived in a call. */
public final class GroupStubMaker implements CompositeStub.Maker {

  /** For the service loader. */
  public GroupStubMaker() {}

  @Override
  public boolean accepts(List<?> parts) {
    return !(parts.size() == 1 && parts.getFirst() instanceof MiddlewareObject);
  }

  @Override
  public Object stub(Class<?> type, List<?> parts) {
    return group(type, parts);
  }

  @SuppressWarnings("unchecked") // each member is checked against the type
  private static <T> T group(Class<T> type, List<?> parts) {
    return Groups.of(type, (List<T>) parts);
  }
}
