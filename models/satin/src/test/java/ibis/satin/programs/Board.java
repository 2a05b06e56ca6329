package ibis.satin.programs;

import ibis.satin.SharedObject;
import ibis.satin.WriteMethodsInterface;
import java.util.ArrayList;
import java.util.List;

interface BoardInterface extends WriteMethodsInterface {
  void note(String what);
}

/** What jobs on all nodes tell each other. */
final class Board extends SharedObject implements BoardInterface {
  private static final long serialVersionUID = 1;
  private final List<String> notes = new ArrayList<>();

  @Override
  public void note(String what) {
    notes.add(what);
  }

  int count(String what) {
    int count = 0;
    for (String each : notes) {
      count += each.equals(what) ? 1 : 0;
    }
    return count;
  }
}
