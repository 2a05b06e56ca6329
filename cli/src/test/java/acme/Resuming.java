package acme;

import java.nio.file.Path;
import org.troupe.activeobjects.Store;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;

/** A program of a user that goes on with a store, which may be missing. */
public final class Resuming {

  private Resuming() {}

  /** Resumes the store that the argument names. */
  public static void main(String[] arguments) {
    var store = Store.directory(Path.of(arguments[0]));
    Grid.local(1, GridOptions.standard().resuming(store)).close();
  }
}
