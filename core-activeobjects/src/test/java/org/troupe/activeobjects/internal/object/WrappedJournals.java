package org.troupe.activeobjects.internal.object;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;

/** The journals of a store, each of which is wrapped when it is opened. */
public record WrappedJournals(Journals journals, UnaryOperator<Journal> wrapper)
    implements Journals {

  @Override
  public Journal open(String name, long epoch) throws IOException {
    return wrapper.apply(journals.open(name, epoch));
  }

  @Override
  public OptionalLong epoch(String name) throws IOException {
    return journals.epoch(name);
  }

  @Override
  public Set<String> names() throws IOException {
    return journals.names();
  }

  @Override
  public void delete(String name) throws IOException {
    journals.delete(name);
  }

  @Override
  public void close() throws IOException {
    journals.close();
  }
}
