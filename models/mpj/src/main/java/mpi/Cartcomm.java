package mpi;

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
  public static void Dims_create(int nnodes, int[] dims) throws MPIException {
    CartesianTopology.fill(nnodes, dims);
  }

  /** Returns the arrangement, and the place of the caller. */
  public CartParms Get() throws MPIException {
    return new CartParms(grid().dimensions(), grid().periods(), grid().place(Rank()));
  }

  /** Returns the rank at a place. */
  public int Rank(int[] coords) throws MPIException {
    return grid().rank(coords);
  }

  /** Returns the place of a rank. */
  public int[] Coords(int rank) throws MPIException {
    return grid().place(rank);
  }

  /** Returns the ranks before and behind the caller, or {@code PROC_NULL} beyond an edge. */
  public ShiftParms Shift(int direction, int disp) throws MPIException {
    return new ShiftParms(
        grid().neighbour(Rank(), direction, -disp), grid().neighbour(Rank(), direction, disp));
  }

  /** Returns the communicator of the caller's part in some dimensions; collective. */
  public Cartcomm Sub(boolean[] remain_dims) throws MPIException {
    return new Cartcomm(ArrangedCommunicators.part(core(), grid(), remain_dims));
  }

  /** Returns the rank that the caller would have in a grid, or {@code UNDEFINED}. */
  public int Map(int[] dims, boolean[] periods) throws MPIException {
    return CartesianTopology.map(core().rank(), dims, periods);
  }
}
