package org.troupe.em3d.run;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.em3d.mesh.CellBlock;
import org.troupe.em3d.mesh.CellSource;
import org.troupe.em3d.mesh.HeapCompaction;
import org.troupe.em3d.mesh.MeshDivision;

/**
 * Serves the cells of a mesh from a file to the nodes of its parts, one block at a time: an active
 * object in the launcher, which has read the mesh. When the last part is complete, the mesh leaves
 * the launcher's memory.
 */
public class MeshServer implements CellSource {

  /** Divisions on their way to their server; the arguments of a creation would be copied. */
  private static final Map<Long, MeshDivision> HANDED_OVER = new ConcurrentHashMap<>();

  private static final AtomicLong LAST_KEY = new AtomicLong();

  private final MeshDivision division;
  private int incomplete; // parts

  /** Takes the division that {@link #of} handed over. */
  public MeshServer(long key) {
    division = Objects.requireNonNull(HANDED_OVER.remove(key), "of() comes first");
    incomplete = division.parts().size();
  }

  /** Creates the server of a division in this JVM. */
  static MeshServer of(MeshDivision division) {
    long key = LAST_KEY.incrementAndGet();
    HANDED_OVER.put(key, division);
    return ActiveObjects.here().create(MeshServer.class, key);
  }

  @Override
  public CellBlock block(int rank, int first) {
    var block = division.block(rank, first);
    if (first + block.cells() == division.parts().get(rank).cells()) {
      incomplete--;
    }
    if (incomplete == 0) {
      division.release();
      HeapCompaction.afterPhase(division.cells()); // the fields need the memory now
    }
    return block;
  }
}
