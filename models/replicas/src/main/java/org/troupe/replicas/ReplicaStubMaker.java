package org.troupe.replicas;

import java.util.List;
import org.troupe.activeobjects.collective.CompositeStub;
import org.troupe.stubs.Stubs;

/** Makes stubs of replicated objects that have arrived in a call. */
@SuppressWarnings("exports") // its service is for the modules of Troupe
public final class ReplicaStubMaker implements CompositeStub.Maker {

  /** For the service loader. */
  public ReplicaStubMaker() {}

  @Override
  public boolean accepts(List<?> parts) {
    return parts.size() == 1 && parts.getFirst() instanceof ReplicaMember;
  }

  @Override
  public Object stub(Class<?> type, List<?> parts) {
    return Stubs.define(type).newStub(new ReplicaStub((ReplicaMember) parts.getFirst(), null));
  }
}
