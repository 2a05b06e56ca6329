package ibis.mpj;

import java.util.Objects;
import org.troupe.mpj.comm.ArrangedCommunicators;
import org.troupe.mpj.comm.CartesianTopology;
import org.troupe.mpj.comm.Communicator;

/** Ranks arranged as a grid. */
public class Cartcomm extends Intracomm {

  Cartcomm(Communicator core) {
    super(core);
  }

  private CartesianTopology grid() {
    return (CartesianTopology) Objects.requireNonNull(core().topology(), "made with one");
  }

  /** Fills the dimensions that are 0, so that they are as even as can be. */
  public static void dimsCreate(int nnodes, int[] dims) throws MPJException {
    CartesianTopology.fill(nnodes, dims);
  }

  /** Returns the arrangement, and the place of the caller. */
  public CartParms get() throws MPJException {
    return new CartParms(grid().dimensions(), grid().periods(), grid().place(rank()));
  }

  /** Returns the rank at a place. */
  public int rank(int[] coords) throws MPJException {
    return grid().rank(coords);
  }

  /** Returns the place of a rank. */
  public int[] coords(int rank) throws MPJException {
    return grid().place(rank);
  }

  /** Returns the ranks before and behind the caller, or {@code PROC_NULL} beyond an edge. */
  public ShiftParms shift(int direction, int disp) throws MPJException {
    return new ShiftParms(
        grid().neighbour(rank(), direction, -disp), grid().neighbour(rank(), direction, disp));
  }

  /** Returns the communicator of the caller's part in some dimensions; collective. */
  public Cartcomm sub(boolean[] remain_dims) throws MPJException {
    return new Cartcomm(ArrangedCommunicators.part(core(), grid(), remain_dims));
  }

  /** Returns the rank that the caller would have in a grid, or {@code UNDEFINED}. */
  public int map(int[] dims, boolean[] periods) throws MPJException {
    return CartesianTopology.map(core().rank(), dims, periods);
  }
}
